// On which side of a body's surface points lie, as signs of their distances.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { boundaryOf, boundaryWinding } from '../../inside/boundary-winding.ts';
import { createCorners, isAbove, passes } from '../../inside/crossing.ts';
import { pointsInside } from '../../inside/winding.ts';

const down = [0, 0, -1];

/** How many points get their signs between two looks at the clock. */
const signStep = 16;

/** Makes the distances of points inside negative (`signed` in closest-points.ts). Yields the share done. */
export function* applySigns(
  engine: CpuEngine,
  body: SnapshotBody,
  points: Float64Array,
  distances: Float64Array,
): Generator<number, void> {
  const signs = body.mesh.solid ? insideOf(engine, body) : windsAround(engine, body);
  for (let i = 0; i < distances.length; i++) {
    if (i % signStep === 0) yield i / distances.length;
    if (signs(points.subarray(3 * i, 3 * i + 3))) distances[i] = -distances[i];
  }
}

const insideOf = (engine: CpuEngine, body: SnapshotBody) => (point: Float64Array) =>
  pointsInside(finderOf(engine), body, point)[0] === 1;

/**
 * Whether the surface winds around a point: counts the crossings of the column below it and adds what the rim contributes
 * (inside/boundary-winding.ts).
 */
function windsAround(engine: CpuEngine, body: SnapshotBody): (point: Float64Array) => boolean {
  const boundary = boundaryOf(body);
  const p = createCorners();
  return ([x, y, z]) => {
    let crossings = 0;
    for (const t of finderOf(engine).trianglesOnRay(body, [x, y, z], down, 0)) {
      placeCorners(body, t, p, 0);
      p[9] = x;
      p[10] = y;
      const turn = passes(p);
      // A triangle whose corners run counter-clockwise from above is left upwards: crossing it leads out of the solid.
      if (turn !== 0 && isAbove(p, z, turn)) crossings -= turn;
    }
    return Math.abs(crossings + boundaryWinding(boundary, x, y, z)) > 0.5;
  };
}
