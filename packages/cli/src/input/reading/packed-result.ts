// What a file holds, as one thread gives it to another: the arrays of meshes are handed over, not copied.

import type { ReadBody } from '@nearfield/io';
import { type Mesh, mesh } from 'nearfield';
import type { FileRead } from './read-one.ts';

/** A `FileRead` that can be cloned. */
export interface PackedResult {
  readonly bodies: readonly PackedBody[];
  readonly meshes: readonly Pick<Mesh, 'positions' | 'indices'>[];
  /** The poses of the bodies that have one, 16 numbers each: one array takes less time than one per body. */
  readonly poses: Float64Array;
  readonly rest: Omit<FileRead, 'bodies'>;
}

type PackedBody = Omit<ReadBody, 'mesh' | 'pose'> & {
  /** The number of its mesh. */
  readonly mesh: number;
  /** Where its pose begins among `poses`. */
  readonly poseAt: number | undefined;
};

/** Packs a result, and lists the buffers to hand over. */
export function packResult({ bodies, ...rest }: FileRead): {
  packed: PackedResult;
  buffers: ArrayBuffer[];
} {
  const numbers = new Map<Mesh, number>();
  const poses = new Float64Array(16 * bodies.filter(({ pose }) => pose !== undefined).length);
  let posed = 0;
  const packedBodies = bodies.map(body => {
    let number = numbers.get(body.mesh);
    if (number === undefined) numbers.set(body.mesh, (number = numbers.size));
    let poseAt: number | undefined;
    if (body.pose !== undefined) {
      poseAt = posed;
      poses.set(body.pose, poseAt);
      posed += 16;
    }
    // Named one by one: spreading 100,000 bodies takes a second.
    const { name, nameInFile, path, pathNodes, id, type, properties, rounding, meshRounding } = body;
    return {
      ...{ name, mesh: number, poseAt, nameInFile, path, pathNodes },
      ...{ id, type, properties, rounding, meshRounding },
    };
  });
  const meshes = Array.from(numbers.keys(), ({ positions, indices }) => ({ positions, indices }));
  const buffers = new Set(
    [poses, ...meshes.flatMap(({ positions, indices }) => [positions, indices])].map(({ buffer }) => buffer),
  );
  return {
    packed: { bodies: packedBodies, meshes, poses, rest },
    buffers: [...buffers].filter(buffer => buffer instanceof ArrayBuffer),
  };
}

export function unpackResult({ bodies, meshes, poses, rest }: PackedResult): FileRead {
  const made = meshes.map(({ positions, indices }) => mesh(positions, indices));
  const unpacked = bodies.map(body => {
    const { name, nameInFile, path, pathNodes, id, type, properties, rounding, meshRounding } = body;
    const pose = body.poseAt === undefined ? undefined : poses.subarray(body.poseAt, body.poseAt + 16);
    const own = made[body.mesh];
    return {
      name,
      mesh: own,
      pose,
      nameInFile,
      path,
      pathNodes,
      id,
      type,
      properties,
      rounding,
      meshRounding,
    };
  });
  return { ...rest, bodies: unpacked };
}
