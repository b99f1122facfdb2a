// How does a clash differ from last week's? It is worse unless it is proven to be no deeper than it was then, up to the
// rounding of both files. It is better only where that is proven.

import type { AssemblyPair, Change, PastBody } from '../assembly/types.ts';
import { diagonalOf } from '../identity/body-key.ts';

/** A clash whose place is off by more than this share of the smaller part's diagonal has moved. */
const movedShare = 0.01;

/** A pair and its two bodies. */
export interface State {
  readonly pair: AssemblyPair;
  readonly bodies: readonly [PastBody, PastBody];
}

/** Both states are in the same unit. Parts that stand as they stood are not asked about here. */
export function changeOf(was: State, now: State): Exclude<Change, 'new'> {
  const closer = kindOf(now.pair) - kindOf(was.pair);
  if (closer > 0) return 'worse';
  const slack = positionSlack([...was.bodies, ...now.bodies]);
  const [before, after] = [was.pair.depth, now.pair.depth];
  // A body that is no solid may reach into another although their surfaces only touch.
  const isDeep = kindOf(now.pair) === sharing || now.pair.verdict === 'clash';
  // A clash counts as deeper unless it is proven to be no deeper. So its upper bound cannot grow unnoticed from run to run.
  if (before && after ? !(after.upper <= before.upper + slack) : isDeep) return 'worse';
  if (closer < 0) return 'better';
  if (kindOf(now.pair) === separate) {
    const difference = (was.pair.distance ?? Number.POSITIVE_INFINITY) - (now.pair.distance ?? 0);
    if (Math.abs(difference) > slack) return difference > 0 ? 'worse' : 'better';
  }
  if (before && after && after.upper < before.lower - slack) return 'better';
  return hasMoved(was, now, slack) ? 'moved' : 'same';
}

const separate = 0;
const sharing = 2;

/** 0 if apart, 1 if touching, 2 if sharing interior. */
export const kindOf = ({ relation }: AssemblyPair): number =>
  relation === 'separate' ? separate : relation === 'touching' ? 1 : sharing;

/** By how much the rounding of files and doubles alone may change a length between the bodies. */
export function positionSlack(bodies: readonly PastBody[]): number {
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
