// Which way do the triangles of a solid face? A deformation may turn a body inside out: into its mirror image, for example.

import type { Shape } from '../../../bodies/snapshot/snapshot.ts';
import { boundsOf, computeVolume } from '../../../mesh/facts.ts';

const known = new WeakMap<object, boolean>();

/** Whether the triangles of a shape face inwards as it is now, so that its volume is negative. False if it is not a solid. */
export function facesInwards({ mesh, positions }: Shape): boolean {
  if (!mesh.solid) return false;
  // Meshes may share positions. Those of a deformed body are its own, and of this revision alone.
  const key = positions === mesh.positions ? mesh : positions;
  let answer = known.get(key);
  if (answer === undefined) {
    const { indices } = mesh;
    // Volumes of very large or small bodies do not fit in doubles, so lengths are divided by a power of two near the largest.
    const bounds = boundsOf(positions, indices);
    const reach = bounds.reduce((most, side) => Math.max(most, Math.abs(side)), 0);
    const unit = 2 ** Math.max(-1022, Math.floor(Math.log2(reach)));
    const inUnits = (lengths: ArrayLike<number>) => Float64Array.from(lengths, length => length / unit);
    answer = computeVolume(inUnits(positions), indices, inUnits(bounds)) < 0;
    known.set(key, answer);
  }
  return answer;
}
