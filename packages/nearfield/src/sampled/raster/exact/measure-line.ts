// How far apart are two bodies along a line, or how much of it lies in both? The rule of distance maps, for every backend:
// lines.wgsl says the same of whole numbers.
//
// Solids are the stretches with a winding number other than 0. Where such stretches of both have parts in common, the
// distance is minus the length of all of those together, so that its sum over pixels is the common volume; otherwise it is the
// least gap between a stretch of one and a stretch of the other. Both change by no more than ends of stretches move. Of open
// surfaces the distance is from the last crossing of the first body to the first of the second (Myszkowski et al., test (1)
// with its sign), negative where those are the other way round.

import type { Crossing } from './crossings.ts';

export type Surfaces = 'solids' | 'facing';

export const noTriangle = 0xffffffff;

/** What a line tells of two bodies. */
export interface LineFound {
  /** NaN where it does not meet both. */
  readonly distance: number;
  /** Depth of the first body's triangle below; NaN where there is none. */
  readonly depth: number;
  /** The two triangles that face each other across the gap or the common part; the nearest to the other where one is met. */
  readonly triangleA: number;
  readonly triangleB: number;
}

export function measureLine(crossings: readonly Crossing[], surfaces: Surfaces): LineFound {
  const last = (side: number) => crossings.findLast(crossing => crossing.side === side);
  const first = (side: number) => crossings.find(crossing => crossing.side === side);
  const [a, b] = [last(0), first(1)];
  if (a === undefined || b === undefined) return found(Number.NaN, a, b);
  return surfaces === 'facing' ? found(b.depth - a.depth, a, b) : measureSolids(crossings);
}

const found = (distance: number, a: Crossing | undefined, b: Crossing | undefined): LineFound => ({
  distance,
  depth: a?.depth ?? Number.NaN,
  triangleA: a?.triangle ?? noTriangle,
  triangleB: b?.triangle ?? noTriangle,
});

/** Of a line that meets both. */
function measureSolids(crossings: readonly Crossing[]): LineFound {
  const winding = [0, 0];
  /** Where each body was last entered from outside, and last left. */
  const starts: Crossing[] = [];
  const ends: (Crossing | undefined)[] = [undefined, undefined];
  let [total, parts, longest, least] = [0, 0, -1, Infinity];
  /** The two that face each other, by side. */
  const facing: (Crossing | undefined)[] = [undefined, undefined];
  /** Whose end, once it comes, is one of them. */
  let awaited = -1;
  for (const crossing of crossings) {
    const { side, away, depth } = crossing;
    const other = 1 - side;
    const before = winding[side];
    winding[side] += away === 1 ? -1 : 1;
    if (before === 0) {
      starts[side] = crossing;
      const end = ends[other];
      if (winding[other] === 0 && parts === 0 && end !== undefined && depth - end.depth < least) {
        least = depth - end.depth;
        facing[other] = end;
        facing[side] = crossing;
      }
    }
    if (winding[side] !== 0) continue;
    ends[side] = crossing;
    if (awaited === side) {
      facing[side] = crossing;
      awaited = -1;
    }
    if (winding[other] === 0) continue;
    const length = depth - Math.max(starts[0].depth, starts[1].depth);
    total += length;
    parts++;
    if (length <= longest) continue;
    longest = length;
    // The one that was entered first shows its end, the other its beginning.
    const front = starts[0].depth <= starts[1].depth ? 0 : 1;
    facing[1 - front] = starts[1 - front];
    if (front === side) facing[front] = crossing;
    awaited = front === side ? -1 : front;
  }
  // Nothing was enclosed at all where crossings of a body do not add up; what faces is then what was met.
  const a = facing[0] ?? crossings.findLast(({ side }) => side === 0);
  const b = facing[1] ?? crossings.find(({ side }) => side === 1);
  if (parts > 0) return found(total > 0 ? -total : 0, a, b);
  return found(least < Infinity ? least : Number.NaN, a, b);
}
