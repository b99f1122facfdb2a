// Exact tests of the triangles that no line saw: do they meet the other body's surface, or lie inside it?

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { cornersBox, placeCorners, worldBox } from '../../../bodies/snapshot/world.ts';
import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { pointsInside } from '../../../inside/winding.ts';
import { boxesMeet } from '../../../math/box.ts';
import { trianglesMeet } from '../../../math/triangles/triangle-triangle.ts';

/** A spike is twice a triangle's index, plus 0 for the first body or 1 for the second. Yields the share done. */
export function* spikesMeet(
  bodies: readonly [Placed, Placed],
  spikes: Uint32Array,
  cpu: CpuEngine,
): Generator<number, boolean> {
  const corners = new Float64Array(18);
  for (let i = 0; i < spikes.length; i++) {
    yield i / spikes.length;
    const side = spikes[i] & 1;
    const [own, other] = [bodies[side], bodies[1 - side]];
    placeCorners(own, spikes[i] >>> 1, corners, 0);
    const box = cornersBox(corners, 0);
    if (!boxesMeet(box, worldBox(other))) continue;
    for (const triangle of finderOf(cpu).trianglesInBox(other, box).slice()) {
      placeCorners(other, triangle, corners, 9);
      if (trianglesMeet(corners)) return true;
    }
    if (pointsInside(finderOf(cpu), other, corners.subarray(0, 9)).includes(1)) return true;
  }
  return false;
}
