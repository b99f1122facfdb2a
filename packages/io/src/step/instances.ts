// Which meshes of a STEP file are one shape in several places? Open CASCADE writes the place of an instance into its
// positions, rounded to doubles. An instance takes the mesh of an earlier one if a pose puts that mesh exactly there:
// every coordinate is the same double, by the order of operations that the library promises (applyPose).
//
// A pose of right angles along the axes can do that: ((m0·x + m4·y) + m8·z) + m12 is then ±x + m12, ±y + m12 or
// ±z + m12, rounded once. Any other rotation rounds several times, so that it meets the given doubles by chance only.
// Such an instance keeps a mesh of its own.

import type { Mesh, Pose } from 'nearfield';
import { determinant } from '../facts/determinant.ts';

interface Known {
  readonly mesh: Mesh;
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

/** Shapes with the same triangles that are tried for one mesh. */
const mostTried = 8;

export class Instances {
  private readonly known = new Map<string, Known[]>();

  /** An earlier mesh and the pose that makes it this one. Undefined if there is none. */
  find(positions: Float64Array, indices: Uint32Array): { mesh: Mesh; pose: Pose } | undefined {
    for (const known of this.known.get(keyOf(positions, indices)) ?? []) {
      if (!indices.every((corner, i) => corner === known.indices[i])) continue;
      const pose = poseBetween(known.positions, positions);
      if (pose) return { mesh: known.mesh, pose };
    }
    return undefined;
  }

  add(mesh: Mesh, positions: Float64Array, indices: Uint32Array): void {
    const key = keyOf(positions, indices);
    const known = this.known.get(key) ?? [];
    this.known.set(key, known);
    if (known.length < mostTried) known.push({ mesh, positions, indices });
  }
}

const keyOf = (positions: Float64Array, indices: Uint32Array): string =>
  `${positions.length} ${indices.length}`;

/** One row of a pose along the axes: the coordinate is sign · p[axis] + offset. */
interface Row {
  readonly axis: number;
  readonly sign: 1 | -1;
  readonly offset: number;
}

/** The pose of right angles that takes every position of `from` exactly to that of `to`. It does not mirror. */
export function poseBetween(from: Float64Array, to: Float64Array): Pose | undefined {
  const rows = [0, 1, 2].map(axis => rowsOf(from, to, axis));
  for (const x of rows[0]) {
    for (const y of rows[1]) {
      for (const z of rows[2]) {
        const pose = new Float64Array(16);
        [x, y, z].forEach(({ axis, sign, offset }, row) => {
          pose[4 * axis + row] = sign;
          pose[12 + row] = offset;
        });
        pose[15] = 1;
        if (determinant(pose) === 1) return pose;
      }
    }
  }
  return undefined;
}

/** The rows that give one coordinate of `to` exactly. */
function rowsOf(from: Float64Array, to: Float64Array, coordinate: number): Row[] {
  const rows: Row[] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1] as const) {
      // The offset shows best where the coordinate is smallest.
      let least = 0;
      for (let i = 0; i < from.length; i += 3)
        if (Math.abs(from[i + axis]) < Math.abs(from[least + axis])) least = i;
      const offset = to[least + coordinate] - sign * from[least + axis];
      let fits = true;
      for (let i = 0; i < from.length && fits; i += 3)
        fits = sign * from[i + axis] + offset === to[i + coordinate];
      if (fits) rows.push({ axis, sign, offset });
    }
  }
  return rows;
}
