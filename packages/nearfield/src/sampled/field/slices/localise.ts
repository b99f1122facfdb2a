// Where can bodies have a volume in common? Boxes are intersected again and again (Hoff et al., section 4): the part of
// each surface within a box has a box of its own, and outside of that the box is wholly within the solid or wholly
// without, which one winding number decides. What is left is halved, so that regions far apart come into boxes of their
// own. Windows of one grid are narrowed, never moved: however deep this goes, the samples that are found are the same.
//
// Depth is the knob that balances the two stages (section 6): 0 takes the boxes of the bodies as they are.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners, worldBox } from '../../../bodies/snapshot/world.ts';
import { type Box, boxesMeet, emptyBox, isEmptyBox } from '../../../math/box.ts';
import { firstAtLeast, type Grid, samplePosition, type Window, windowBox } from '../grid.ts';

/** What localisation asks of bodies. */
export interface Surroundings {
  /** Every triangle that has a world point in the box, and maybe others. */
  trianglesInBox(body: Placed, box: Box): Iterable<number>;
  /** The winding number of the body's surface around a point that is not on it. */
  windingAt(body: Placed, point: readonly [number, number, number]): number;
}

/** The box that holds every point that two of the bodies have in common; empty where there can be none. */
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

/** Windows, none meeting another, that hold every sample two bodies have in common. */
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

/** The part of a window where two of the bodies may be; undefined where there is none. */
function narrow(
  bodies: readonly Placed[],
  grid: Grid,
  window: Window,
  around: Surroundings,
): Window | undefined {
  const parts: Box[] = [];
  for (const body of bodies) {
    const part = partWithin(body, grid, window, around);
    // Windows as boxes of indices, both ends held.
    if (part) parts.push(Float64Array.of(...part.low, ...part.high.map(end => end - 1)));
  }
  const hull = hullOfPairs(parts);
  if (isEmptyBox(hull)) return undefined;
  return { low: [hull[0], hull[1], hull[2]], high: [hull[3] + 1, hull[4] + 1, hull[5] + 1] };
}

/** The part of a window that holds every sample of it within a body; undefined where there is none. */
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
  // Beside the surface's box no surface is met: a corner sample there tells for the whole slab.
  for (let axis = 0; axis < 3; axis++) {
    const first = firstAtLeast(grid, axis, surface[axis], low[axis], high[axis]);
    const last = [...high].map(end => end - 1) as [number, number, number];
    if (first > low[axis] && isOutside(...low)) low[axis] = first;
    if (low[axis] === high[axis]) return undefined;
    // Samples after the last that is not beyond the surface's box; one as far as it may lie on it.
    let end = firstAtLeast(grid, axis, surface[axis + 3], low[axis], high[axis]);
    if (end < high[axis] && samplePosition(grid, axis, end) === surface[axis + 3]) end++;
    if (end < high[axis] && isOutside(...last)) high[axis] = end;
    if (low[axis] === high[axis]) return undefined;
  }
  return { low, high };
}

/** A box that holds the part of a body's surface within a box; empty where there is none. */
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
