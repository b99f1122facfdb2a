// Where can bodies have a volume in common? Boxes are intersected again and again (Hoff et al., section 4). The part of
// each surface within a box has a box of its own. Outside that box there is no surface, so the rest is entirely inside
// the solid or entirely outside, which one winding number decides. What remains is withoutTwos, so that regions far apart
// get boxes of their own. Windows of one grid are narrowed but never moved: however deep this goes, the samples found
// are the same.
//
// The depth balances the two stages (section 6): 0 takes the boxes of the bodies as they are.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners, worldBox } from '../../../bodies/snapshot/world.ts';
import { type Box, boxesMeet, emptyBox, isEmptyBox } from '../../../math/box.ts';
import { firstAtLeast, type Grid, samplePosition, type Window, windowBox } from '../grid.ts';

/** The queries that localisation needs. */
export interface Surroundings {
  /** Every triangle that has a world point in the box, and maybe others. */
  trianglesInBox(body: Placed, box: Box): Iterable<number>;
  /** The winding number of the body's surface around a point that is not on it. */
  windingAt(body: Placed, point: readonly [number, number, number]): number;
}

/** The box that holds every point that two of the bodies have in common; empty if there can be none. */
export function commonBox(bodies: readonly Placed[]): Box {
  const boxes = bodies.map(worldBox);
  return hullOfPairs(boxes);
}

/** The smallest box that holds every intersection of two of the boxes. */
function hullOfPairs(boxes: readonly Box[]): Box {
  const hull = emptyBox();
  for (let a = 0; a < boxes.length; a++) {
    for (let b = 0; b < a; b++) {
      if (isEmptyBox(boxes[a]) || isEmptyBox(boxes[b]) || !boxesMeet(boxes[a], boxes[b])) continue;
      for (let axis = 0; axis < 3; axis++) {
        hull[axis] = Math.min(hull[axis], Math.max(boxes[a][axis], boxes[b][axis]));
        hull[axis + 3] = Math.max(hull[axis + 3], Math.min(boxes[a][axis + 3], boxes[b][axis + 3]));
      }
    }
  }
  return hull;
}

/** Disjoint windows that hold every sample two bodies have in common. */
export function localise(
  bodies: readonly Placed[],
  grid: Grid,
  window: Window,
  depth: number,
  around: Surroundings,
): Window[] {
  if (depth <= 0) return [window];
  const narrowed = narrow(bodies, grid, window, around);
  if (narrowed === undefined) return [];
  const { low, high } = narrowed;
  const extents = [0, 1, 2].map(axis => high[axis] - low[axis]);
  const axis = extents.indexOf(Math.max(...extents));
  if (depth === 1 || extents[axis] < 2) return [narrowed];
  const middle = low[axis] + (extents[axis] >> 1);
  const lower = { low, high: replaced(high, axis, middle) };
  const upper = { low: replaced(low, axis, middle), high };
  return [lower, upper].flatMap(half => localise(bodies, grid, half, depth - 1, around));
}

type Triple = readonly [number, number, number];
const replaced = (values: Triple, axis: number, value: number): Triple =>
  values.map((old, i) => (i === axis ? value : old)) as unknown as Triple;

/** The part of a window that two of the bodies may share; undefined if there is none. */
function narrow(
  bodies: readonly Placed[],
  grid: Grid,
  window: Window,
  around: Surroundings,
): Window | undefined {
  const parts: Box[] = [];
  for (const body of bodies) {
    const part = partWithin(body, grid, window, around);
    // Windows as boxes of indices, including both ends.
    if (part) parts.push(Float64Array.of(...part.low, ...part.high.map(end => end - 1)));
  }
  const hull = hullOfPairs(parts);
  if (isEmptyBox(hull)) return undefined;
  return { low: [hull[0], hull[1], hull[2]], high: [hull[3] + 1, hull[4] + 1, hull[5] + 1] };
}

/** The part of a window that holds all its samples inside a body; undefined if there is none. */
function partWithin(body: Placed, grid: Grid, window: Window, around: Surroundings): Window | undefined {
  const box = windowBox(grid, window);
  const surface = surfaceWithin(body, box, around);
  const low: [number, number, number] = [...window.low];
  const high: [number, number, number] = [...window.high];
  const isOutside = (i: number, j: number, k: number) => {
    const point = [0, 1, 2].map(axis => samplePosition(grid, axis, [i, j, k][axis]));
    return around.windingAt(body, point as [number, number, number]) === 0;
  };
  if (isEmptyBox(surface)) return isOutside(...low) ? undefined : window;
  // Beside the surface's box there is no surface, so one corner sample decides for the whole slab.
  for (let axis = 0; axis < 3; axis++) {
    const first = firstAtLeast(grid, axis, surface[axis], low[axis], high[axis]);
    const last = [...high].map(end => end - 1) as [number, number, number];
    if (first > low[axis] && isOutside(...low)) low[axis] = first;
    if (low[axis] === high[axis]) return undefined;
    // The samples after the last one that is not beyond the surface's box; one at the same coordinate may lie on it.
    let end = firstAtLeast(grid, axis, surface[axis + 3], low[axis], high[axis]);
    if (end < high[axis] && samplePosition(grid, axis, end) === surface[axis + 3]) end++;
    if (end < high[axis] && isOutside(...last)) high[axis] = end;
    if (low[axis] === high[axis]) return undefined;
  }
  return { low, high };
}

/** A box that holds the part of a body's surface within a box; empty if there is none. */
function surfaceWithin(body: Placed, box: Box, around: Surroundings): Box {
  const p = new Float64Array(9);
  const found = emptyBox();
  for (const t of around.trianglesInBox(body, box)) {
    placeCorners(body, t, p, 0);
    const low = [0, 1, 2].map(axis => Math.max(box[axis], Math.min(p[axis], p[3 + axis], p[6 + axis])));
    const high = [0, 1, 2].map(axis => Math.min(box[axis + 3], Math.max(p[axis], p[3 + axis], p[6 + axis])));
    if (low.some((x, axis) => x > high[axis])) continue;
    for (let axis = 0; axis < 3; axis++) {
      found[axis] = Math.min(found[axis], low[axis]);
      found[axis + 3] = Math.max(found[axis + 3], high[axis]);
    }
  }
  return found;
}
