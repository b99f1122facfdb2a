// The depth of one pair of any bodies, as a bracket, as far as the goal asks for it: the cheapest proofs first. Boxes say
// how to separate the two. Convex solids are bracketed by their difference alone (bracket.ts). A search by crossing triangles
// settles most other pairs with few triangles (surfaces/crossing-search.ts). The search by pieces of solids (bracket.ts)
// continues with what it leaves open.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { NearfieldError } from '../../core/errors.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { bracketOfConvex, penetrationOf } from '../bracket.ts';
import { boxesApart, separateByBoxes } from '../preparation.ts';
import { CrossingSearch } from '../surfaces/crossing-search.ts';
import { findEnclosure } from '../surfaces/enclosure.ts';
import { SolidJudge } from '../surfaces/solid-judge.ts';
import { SurfaceJudge } from '../surfaces/surface-judge.ts';

/** What is known of a depth: no shorter translation of b than `lower` will do, and `translation`, of length `upper`, does. */
export interface Known {
  readonly lower: number;
  readonly upper: number;
  readonly translation: Float64Array;
}

/** When a search for a depth ends. */
export interface Goal {
  /** Once upper/lower is at most this. */
  readonly ratio: number;
  /** Once it is known whether the depth is greater than this. */
  readonly limit?: number | undefined;
  /** How much work is allowed, as a multiple of the usual amount. */
  readonly effort: number;
  /** Whether the time is up. */
  readonly until: () => boolean;
}

/** The work of the search by crossing triangles, before the other search and in all. A step of it is 5 to 100. */
const firstWork = 1500;
const mostWork = 60_000;
/** Between such bounds, the search by crossing triangles is the better one to go on. */
const leastRatio = 1.001;
/** A bracket that is good enough to compare a depth with a limit. */
const roughRatio = 1.1;
/** Translations examined at once. */
const stepsAtOnce = 8;

/** Whether the goal is reached. */
export const isEnough = ({ lower, upper }: Known, { ratio, limit }: Goal): boolean =>
  upper <= ratio * lower || upper === 0 || (limit !== undefined && (upper <= limit || lower > limit));

/** The bracket of two bodies; a is the one with the lower index. */
export function* depthOf(
  engine: CpuEngine,
  a: SnapshotBody,
  b: SnapshotBody,
  goal: Goal,
): Generator<number, Known> {
  if (boxesApart(a, b)) return none;
  const { until, effort } = goal;
  let known = byBoxes(a, b);
  if (isEnough(known, goal) || until()) return known;
  for (const { shape } of [a, b]) {
    const work = findEnclosure(shape);
    while (!work.next().done) yield 0.1;
  }
  const areSolid = a.mesh.solid && b.mesh.solid;
  const judge = areSolid ? new SolidJudge(engine, a, b) : new SurfaceJudge(engine, a, b);
  // The relation says whether solids have any depth at all.
  if (goal.limit === 0 && judge instanceof SolidJudge)
    return judge.shareInterior() ? { ...known, lower: Number.MIN_VALUE } : none;
  // A limit is mostly far from the depth: a rough bracket decides.
  const convexRatio = goal.limit === undefined ? goal.ratio : Math.max(goal.ratio, roughRatio);
  if (areSolid && convexRatio >= leastRatio) {
    const convex = yield* bracketOfConvex(engine, a, b, convexRatio, until);
    if (convex !== undefined) known = better(known, { ...convex.depth, translation: convex.translation });
    if (isEnough(known, goal) || until()) return known;
  }
  const limit = goal.limit === undefined ? Infinity : beyond(goal.limit);
  const search = new CrossingSearch(engine, a, b, judge, Math.min(limit, known.upper));
  known = yield* searched(search, known, firstWork, goal);
  if (isEnough(known, goal) || until()) return known;
  known = better(known, { ...known, lower: judge.ballBound() });
  if (isEnough(known, goal) || effort === 0 || until()) return known;
  const [p, q] = judge instanceof SurfaceJudge ? [judge.insideA, judge.insideB] : [a, b];
  if (p !== undefined && q !== undefined) {
    const options = { stopAtRatio: Math.max(goal.ratio, leastRatio) };
    const { depth, translation } = yield* penetrationOf(engine, p, q, options, until, goal.limit);
    const isFree = areSolid || (depth.upper < known.upper && judge.isFree(translation));
    known = better(known, { lower: depth.lower, upper: isFree ? depth.upper : Infinity, translation });
  }
  search.shorten(known.upper);
  known = yield* searched(search, known, effort * mostWork, goal);
  const atLimit = isEnough(known, goal) ? undefined : trimmed(known, goal.limit);
  return atLimit && judge.isFree(atLimit.translation) ? better(known, atLimit) : known;
}

/**
 * The translation shortened to the limit, if it is longer by no more than the rounding of a search. Parts that are just as deep as
 * they may be are common: lengths of designs are round numbers. Scaling rounds each component by 2^-53 of itself and a
 * length by less than 2^-51, so the scaled one is a little shorter than the limit; along an axis it is exactly as long.
 */
function trimmed({ lower, upper, translation }: Known, limit = 0): Known | undefined {
  if (!(limit > 0 && upper <= limit * (1 + 2 ** -20))) return undefined;
  const isAlongAxis = translation.filter(value => value !== 0).length === 1;
  const scale = (limit / upper) * (1 - 2 ** -50);
  const shorter = translation.map(value => (isAlongAxis ? Math.sign(value) * limit : value * scale));
  return { lower: Math.min(lower, limit), upper: limit, translation: shorter };
}

/** Lets a search go on until the goal is reached, or it has done so much work. */
function* searched(search: CrossingSearch, from: Known, most: number, goal: Goal): Generator<number, Known> {
  let known = from;
  for (let goesOn = true; goesOn && search.work < most && !isEnough(known, goal) && !goal.until(); ) {
    for (let i = 0; i < stepsAtOnce && goesOn && !isEnough(known, goal); i++) {
      goesOn = search.step();
      const { length, translation } = search.best ?? { length: Infinity, translation: known.translation };
      known = better(known, { lower: search.lower, upper: length, translation });
    }
    yield 0.5;
  }
  return known;
}

const none: Known = { lower: 0, upper: 0, translation: new Float64Array(3) };

/** A length that is greater by next to nothing: a bound that reaches it is greater than the given one. */
const beyond = (limit: number): number => limit * (1 + 2 ** -30) + Number.MIN_VALUE * 2 ** 60;

/** The bracket that the boxes of two bodies give at once: from 0 to the shortest translation along an axis that separates them. */
export function byBoxes(a: SnapshotBody, b: SnapshotBody): Known {
  if (boxesApart(a, b)) return none;
  const separate = separateByBoxes(a, b);
  if (separate === undefined)
    throw new NearfieldError('not-finite', 'no translation in the range of doubles separates the two bodies');
  return { lower: 0, upper: separate.depth.upper, translation: separate.translation };
}

/** The better of both bounds. */
export function better(p: Known, q: Known): Known {
  const { upper, translation } = q.upper < p.upper ? q : p;
  return { lower: Math.min(upper, Math.max(p.lower, q.lower)), upper, translation };
}
