// How does a clash differ from last week's? Worse and better only where that is proven: beyond the bounds of both depths
// and beyond the rounding of both files.

import type { AssemblyPair, Change, PastBody } from '../assembly/types.ts';
import { diagonalOf } from '../identity/body-key.ts';

/** A clash whose place is off by more than this share of the smaller part's diagonal has moved. */
const movedShare = 0.01;

/** A pair and its two bodies. */
export interface State {
  readonly pair: AssemblyPair;
  readonly bodies: readonly [PastBody, PastBody];
}

/** Both states are in the same unit. */
export function changeOf(was: State, now: State): Exclude<Change, 'new'> {
  const closer = kind(now.pair) - kind(was.pair);
  if (closer !== 0) return closer > 0 ? 'worse' : 'better';
  const slack = roundingOf(was) + roundingOf(now);
  if (kind(now.pair) === separate) {
    const difference = (was.pair.distance ?? 0) - (now.pair.distance ?? 0);
    if (Math.abs(difference) > slack) return difference > 0 ? 'worse' : 'better';
  }
  const [before, after] = [was.pair.depth, now.pair.depth];
  if (before && after) {
    if (after.lower > before.upper + slack) return 'worse';
    if (after.upper < before.lower - slack) return 'better';
  }
  // What is not known to be no deeper counts as deeper. Parts that stand as they stood are not asked about here.
  if (kind(now.pair) === sharing && !(before && after)) return 'worse';
  return hasMoved(was, now, slack) ? 'moved' : 'same';
}

const separate = 0;
const sharing = 2;

/** Apart, touching, or sharing interior. */
const kind = ({ relation }: AssemblyPair): number =>
  relation === 'separate' ? separate : relation === 'touching' ? 1 : sharing;

/** What the files' number formats round, and what doubles round at that place. */
function roundingOf({ bodies }: State): number {
  let slack = 0;
  for (const { rounding, fingerprint } of bodies) {
    const reach = (fingerprint?.box ?? []).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    slack += (rounding ?? 0) + reach * 2 ** -40;
  }
  return slack;
}

function hasMoved(was: State, now: State, slack: number): boolean {
  const [p, q] = [placeOf(was.pair), placeOf(now.pair)];
  if (p === undefined || q === undefined) return false;
  const distance = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  const smaller = Math.min(...now.bodies.map(diagonalOf));
  return distance > Math.max(slack, movedShare * smaller);
}

/** Where a pair is: a point of both, or the middle between the nearest points. */
export function placeOf({ point, pointA, pointB }: AssemblyPair): ArrayLike<number> | undefined {
  if (point !== undefined || pointA === undefined || pointB === undefined) return point ?? pointA;
  return pointA.map((value, axis) => value / 2 + pointB[axis] / 2);
}
