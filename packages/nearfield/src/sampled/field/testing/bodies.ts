// Placed bodies for the tests of the field method.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { TriangleFinder } from '../../../bvh/cpu/walk/finder.ts';
import { identity } from '../../../math/pose.ts';
import { type Mesh, mesh as meshOf } from '../../../mesh/mesh.ts';
import { sampleVolume, type VolumeRequest } from '../slices/slices.ts';
import { IntersectionVolume } from '../volume.ts';

let poses = 0;

/** `linear` is given by columns. */
export function place(
  mesh: Mesh,
  x = 0,
  y = 0,
  z = 0,
  linear: readonly number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1],
): Placed {
  const pose = identity();
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) pose[4 * column + row] = linear[3 * column + row];
  }
  pose[12] = x;
  pose[13] = y;
  pose[14] = z;
  return { shape: { mesh, positions: mesh.positions, revision: 0 }, pose, poseRevision: ++poses };
}

/** Runs the question on the CPU to its end. */
export function volumeOf(
  finder: TriangleFinder,
  bodies: readonly Placed[],
  request: VolumeRequest,
): IntersectionVolume {
  const work = sampleVolume(finder, bodies, request);
  for (;;) {
    const step = work.next();
    if (step.done) return new IntersectionVolume(step.value, 'cpu');
  }
}

/** One mesh made of two, the second moved along x. */
export function joined(a: Mesh, b: Mesh, x: number): Mesh {
  const moved = Array.from(b.positions, (value, i) => value + (i % 3 === 0 ? x : 0));
  const indices = [...a.indices, ...Array.from(b.indices, i => i + a.vertexCount)];
  return meshOf(Float64Array.from([...a.positions, ...moved]), Uint32Array.from(indices));
}
