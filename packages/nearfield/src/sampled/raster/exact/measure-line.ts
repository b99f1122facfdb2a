// How far apart are two bodies along a line, or how much of it lies in both? This is the rule of distance maps for
// every backend; lines.wgsl applies it to integers.
//
// Solids are the stretches with a nonzero winding number. If stretches of both overlap, the distance is minus the total
// length of the overlaps, so that its sum over pixels is the common volume. Otherwise it is the least gap between a
// stretch of one and a stretch of the other. Both change by no more than ends of stretches move. For open surfaces the
// distance is from the last crossing of the first body to the first of the second (Myszkowski et al., test (1) with its
// sign), negative if those are in the opposite order.

import type { Crossing } from './crossings.ts';

/**
 * 'solids' measures between the parts of a line that lie inside bodies, 'facing' between the surfaces that face each
 * other.
 */
export type Surfaces = 'solids' | 'facing';

export const noTriangle = 0xffffffff;

/** The distance of two bodies along a line, and what faces each other there. */
export interface LineFound {
  /** NaN if it does not meet both. */
  readonly distance: number;
  /** The depth of the first body's triangle below; NaN if there is none. */
  readonly depth: number;
  /**
   * The two triangles that face each other across the gap or the common part. If only one body is met, its triangle
   * nearest to the other.
   */
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

/** Measures a line that meets both bodies. */
function measureSolids(crossings: readonly Crossing[]): LineFound {
  const winding = [0, 0];
  /** The crossings at which each body was last entered from outside, and last left. */
  const starts: Crossing[] = [];
  const ends: (Crossing | undefined)[] = [undefined, undefined];
  let [total, parts, longest, least] = [0, 0, -1, Infinity];
  /** The two crossings that face each other, by side. */
  const facing: (Crossing | undefined)[] = [undefined, undefined];
  /** The side whose next exit will be one of them; −1 if none is. */
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
    // The body that was entered first faces the other with its exit, the other faces it with its entry.
    const front = starts[0].depth <= starts[1].depth ? 0 : 1;
    facing[1 - front] = starts[1 - front];
    if (front === side) facing[front] = crossing;
    awaited = front === side ? -1 : front;
  }
  // If a body's crossings do not add up to 0, it may enclose nothing; then the crossings that were met face each other.
  const a = facing[0] ?? crossings.findLast(({ side }) => side === 0);
  const b = facing[1] ?? crossings.find(({ side }) => side === 1);
  if (parts > 0) return found(total > 0 ? -total : 0, a, b);
  return found(least < Infinity ? least : Number.NaN, a, b);
}
