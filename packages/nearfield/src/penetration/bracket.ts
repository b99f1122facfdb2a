// The search for a bracket of the depth of two solids. First it finds where they overlap most, then a translation that
// separates them (upper.ts). Then it examines the shortest translation that is not known to be forbidden, again and
// again (search.ts): either it separates the two, and its length is the depth; or pieces of the solids around the
// remaining overlap forbid it and others near it (lower.ts). Convex solids are bracketed by their difference alone
// (hull.ts). For small solids that are convex except for rounding, or unions of such, what doubles leave open, slivers
// mostly, is decided in integers (exact/).
//
// The amount of work depends on counts only, unless the caller gives a time limit. `stopAtRatio` does not change the
// work, only where it ends: with a smaller ratio the search goes on from there, so neither bound is worse. The search
// is a generator that yields the share done, so that other questions may use the same kernels in between.

import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { NearfieldError } from '../core/errors.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { Forbidden } from './bounds/lower.ts';
import { directionsOut, findSeparating, pushOut } from './bounds/upper.ts';
import { exactDepth, mayBeExact } from './exact/depth.ts';
import { separateExactly } from './exact/separation.ts';
import { searchUnion } from './exact/union.ts';
import { depthOfWedges } from './exact/wedges.ts';
import { solidsOf } from './kernels/kernels.ts';
import { OverlappingPair, type SeparatingTranslation } from './overlapping-pair.ts';
import type { Penetration, PenetrationOptions } from './penetration.ts';
import type { Depth } from './pieces/hull.ts';
import { type Pieces, piecesOf, wholeOf } from './pieces/pieces.ts';
import { evenly } from './placement.ts';
import { boxesApart, prepare, separateByBoxes } from './preparation.ts';
import { Search } from './search.ts';
import type { Deepest } from './solids.ts';
import { CrossingSearch } from './surfaces/crossing-search.ts';
import { SolidJudge } from './surfaces/solid-judge.ts';

/** Evaluations of the first search for the deepest overlap, and of the one that runs when no time is left. */
const firstSearch = 64;
const hurriedSearch = 12;

/**
 * The bracket of two solids; a is the body with the lower index. `until` tells whether the time is up. The search also
 * ends once it is known whether the depth is greater than `limit`.
 */
export function* penetrationOf(
  engine: CpuEngine,
  a: SnapshotBody,
  b: SnapshotBody,
  { stopAtRatio = 1.05 }: PenetrationOptions,
  until: () => boolean,
  limit?: number,
): Generator<number, Penetration> {
  if (boxesApart(a, b)) return none();
  if (!(yield* ready(engine, a, b, until))) {
    const separate = separateByBoxes(a, b);
    if (separate !== undefined) return separate;
  }
  const overlap = new OverlappingPair(engine, a, b);
  yield* paused(overlap, 0.1);
  let forbidden = new Forbidden(overlap);
  const { kernels, solidA, solidB } = overlap;
  const wholeA = yield* inSteps(overlap, wholeOf(kernels, solidA.shape, until), 0.2);
  const wholeB = wholeA && (yield* inSteps(overlap, wholeOf(kernels, solidB.shape, until), 0.3));
  const pieces = wholeB && { a: wholeA, b: wholeB };
  const convex = pieces && depthOfConvex(forbidden, pieces, stopAtRatio);
  // If a difference holds the origin with room for rounding, the two overlap: no overlap has to be searched for.
  const outward = convex && forbidden.lower > 0 ? separateConvex(overlap, convex) : undefined;
  const rough = outward && answer(overlap, outward, forbidden.lower);
  if (rough !== undefined && rough.ratio <= stopAtRatio) return rough;
  // If both are the unions of their pieces, the shortest translation that these leave open separates them, up to
  // rounding.
  let open: SeparatingTranslation | undefined;
  let known = rough;
  if (pieces !== undefined && convex === undefined) {
    const search = new Search(overlap, forbidden, pieces, undefined);
    yield* approach(search, 1, until);
    open = search.best;
    known = open && answer(overlap, open, search.lower);
    if (known !== undefined && search.isNearer(stopAtRatio)) return known;
    if (!(search.lower > 0) && !overlap.sharesInterior) return none();
    forbidden = new Forbidden(overlap, search.lower);
  }
  // For small solids that are convex, or unions of such, integers decide what doubles leave open. That takes long, and a
  // limit is seldom so near to the depth.
  const isOpen = limit === undefined && mayBeExact(a, b) && !until();
  const exact = isOpen ? bracketExactly(overlap, a, b, known) : undefined;
  if (exact !== undefined && exact.ratio <= stopAtRatio) return exact;
  if (rough !== undefined) return exact ?? rough;
  const found = yield* searchAny(overlap, forbidden, convex, open, stopAtRatio, until, limit);
  const best = exact ? better(exact, found) : found;
  if (best.depth.lower > 0 || best.depth.upper === 0 || until()) return best;
  const { translation, depth } = best;
  const wedged = bracketOf(translation, depth.upper, depthOfWedges(a, b));
  // If there is a limit, the caller has tried the crossings before.
  if (wedged.depth.lower > 0 || limit !== undefined || stopAtRatio === Infinity) return wedged;
  return yield* byCrossings(
    new CrossingSearch(engine, a, b, new SolidJudge(engine, a, b), depth.upper),
    wedged,
  );
}

/** The work of a search by crossing triangles: some 100 ms. */
const mostCrossings = 60_000;

/**
 * The bracket after a search by crossing triangles. It asks nothing of the shapes, so it bounds the depth of slivers that rounding
 * crumpled until no piece of them is known to be convex.
 */
function* byCrossings(search: CrossingSearch, from: Penetration): Generator<number, Penetration> {
  for (let steps = 1; search.work < mostCrossings && search.step(); steps++) if (steps % 8 === 0) yield 0.98;
  const { length, translation } = search.best ?? { length: Infinity, translation: from.translation };
  const isShorter = length < from.depth.upper;
  return bracketOf(
    isShorter ? translation : from.translation,
    isShorter ? length : from.depth.upper,
    Math.max(from.depth.lower, search.lower),
  );
}

/**
 * The bracket of two convex solids by the hull of their difference, to a ratio; undefined if one is not known to be convex,
 * or if the two overlap by no more than rounding. For these solids it is the cheapest search.
 */
export function* bracketOfConvex(
  engine: CpuEngine,
  a: SnapshotBody,
  b: SnapshotBody,
  stopAtRatio: number,
  until: () => boolean,
): Generator<number, Penetration | undefined> {
  if (!(yield* ready(engine, a, b, until))) return undefined;
  const kernels = solidsOf(engine);
  const pieces: Pieces[] = [];
  for (const body of [a, b]) {
    const work = wholeOf(kernels, evenly(body).shape, until);
    let step = work.next();
    for (; !step.done; step = work.next()) yield 0.2;
    if (step.value?.pieces.length !== 1) return undefined;
    pieces.push(step.value);
  }
  const overlap = new OverlappingPair(engine, a, b);
  const forbidden = new Forbidden(overlap);
  const convex = depthOfConvex(forbidden, { a: pieces[0], b: pieces[1] }, stopAtRatio);
  const separating = convex && forbidden.lower > 0 ? separateConvex(overlap, convex) : undefined;
  return separating && answer(overlap, separating, forbidden.lower);
}

/** The search by pieces, for solids that are not convex or not known to be. `open`, if given, is known to separate. */
function* searchAny(
  overlap: OverlappingPair,
  forbidden: Forbidden,
  convex: Depth | undefined,
  open: SeparatingTranslation | undefined,
  stopAtRatio: number,
  until: () => boolean,
  limit: number | undefined,
): Generator<number, Penetration> {
  const { kernels, solidA, solidB } = overlap;
  const deepest = overlap.deepestOf(until() ? hurriedSearch : firstSearch);
  if (deepest === undefined) return none();
  forbidden.addBalls(deepest.sum);
  if (convex !== undefined) {
    const separating = separateConvex(overlap, convex);
    if (separating !== undefined) return answer(overlap, separating, forbidden.lower);
  }
  yield* paused(overlap, 0.4);
  let separating = yield* separateAny(overlap, deepest, until);
  if (open !== undefined && open.length < separating.length) separating = open;
  const isEnough = separating.length <= stopAtRatio * forbidden.lower || stopAtRatio === Infinity;
  if (isEnough || until() || isDecided(overlap, separating, forbidden.lower, limit))
    return answer(overlap, separating, forbidden.lower);
  yield* paused(overlap, 0.65);
  const some = {
    a: yield* inSteps(overlap, piecesOf(kernels, solidA.shape, until), 0.7),
    b: yield* inSteps(overlap, piecesOf(kernels, solidB.shape, until), 0.75),
  };
  yield* paused(overlap, 0.8);
  const search = new Search(overlap, forbidden, some, separating);
  if (deepest.sum > 0 && !until()) search.addPiecesAt(deepest, 0, 0, 0);
  yield* paused(overlap, 0.9);
  const stop = (): boolean => until() || isDecided(overlap, search.best!, search.lower, limit);
  yield* approach(search, stopAtRatio, stop);
  return answer(overlap, search.best!, search.lower);
}

/** Whether it is known on which side of a limit the depth is. */
const isDecided = (
  { frame }: OverlappingPair,
  { worldLength }: SeparatingTranslation,
  lower: number,
  limit: number | undefined,
): boolean => limit !== undefined && (worldLength <= limit || lower * frame.leastWorld * (1 - 1e-14) > limit);

/** Tells whether both are ready to be searched before the time is up. */
function* ready(
  engine: CpuEngine,
  a: SnapshotBody,
  b: SnapshotBody,
  until: () => boolean,
): Generator<number, boolean> {
  const work = prepare(solidsOf(engine), [evenly(a), evenly(b)], until);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield 0.05;
  }
}

/** Lets other work run. */
function* paused(overlap: OverlappingPair, done: number): Generator<number, void> {
  yield done;
  overlap.resume();
}

/** Lets other work run between the steps of some work. */
function* inSteps<T>(
  overlap: OverlappingPair,
  work: Generator<undefined, T>,
  done: number,
): Generator<number, T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield* paused(overlap, done);
  }
}

const isSingle = ({ a, b }: { a: Pieces; b: Pieces }): boolean =>
  a.pieces.length === 1 && b.pieces.length === 1;

/**
 * The hull of the difference of two convex solids is the difference itself: grown to a ratio, it bounds the depth from
 * both sides.
 */
function depthOfConvex(
  forbidden: Forbidden,
  { a, b }: { a: Pieces; b: Pieces },
  ratio: number,
): Depth | undefined {
  if (!isSingle({ a, b })) return undefined;
  const difference = forbidden.addPair(a.pieces[0], b.pieces[0]);
  return difference && forbidden.depthIn(difference, 1 + 0.5 * (Math.min(ratio, 1.05) - 1), 400);
}

/**
 * Both bounds in integers, or the better of these and the known ones; undefined if integers decide nothing
 * (exact/depth.ts).
 */
function bracketExactly(
  overlap: OverlappingPair,
  a: SnapshotBody,
  b: SnapshotBody,
  known: Penetration | undefined,
): Penetration | undefined {
  const depth = exactDepth(a, b);
  if (depth === undefined) return undefined;
  if (depth.ways.length === 0) return none();
  const separating = separateExactly(overlap, a, b, depth);
  if (separating === undefined) return undefined;
  const { a: shellsA, b: shellsB } = depth.shells;
  const { lower, best } =
    shellsA.length > 1 || shellsB.length > 1
      ? searchUnion(overlap, depth.shells, depth.bits, separating)
      : { lower: depth.lower, best: separating };
  const exact = bracketOf(best.translation, best.worldLength, lower);
  return known ? better(exact, known) : exact;
}

/** The better of both bounds of two brackets. If one of them finds no common interior, that is the answer. */
function better(p: Penetration, q: Penetration): Penetration {
  const { translation, depth } = q.depth.upper <= p.depth.upper ? q : p;
  return depth.upper === 0
    ? none()
    : bracketOf(translation, depth.upper, Math.max(p.depth.lower, q.depth.lower));
}

function separateConvex(
  overlap: OverlappingPair,
  { direction, upper }: Depth,
): SeparatingTranslation | undefined {
  return overlap.separatingNear(
    direction.map(x => x * upper),
    direction,
  );
}

function* separateAny(
  overlap: OverlappingPair,
  deepest: Deepest,
  until: () => boolean,
): Generator<number, SeparatingTranslation> {
  const directions = directionsOut(overlap);
  yield* paused(overlap, 0.45);
  let best = until() ? undefined : findSeparating(overlap, directions, deepest);
  yield* paused(overlap, 0.6);
  // If the best is not much longer than what one ball forbids, more search gains nothing.
  if (!until() && deepest.sum > 0 && !(best !== undefined && best.length < 1.4 * deepest.sum)) {
    const local = pushOut(overlap, new Float64Array(3), deepest, best?.length ?? Infinity);
    if (local !== undefined && (best === undefined || local.length < best.length)) best = local;
  }
  for (const { x, y, z, height } of directions) {
    if (best !== undefined) break;
    best = overlap.separatingNear([x * height, y * height, z * height], [x, y, z]);
  }
  return best ?? separateBoxes(overlap);
}

/** The last resort if nothing else was confirmed: moves the boxes apart. */
function separateBoxes(overlap: OverlappingPair): SeparatingTranslation {
  const { r, place } = overlap.frame;
  // No coordinate of a tree's frame is larger than 1.
  let far = 4;
  for (const x of [...r, ...place]) far += Math.abs(x);
  for (let attempt = 0; attempt < 8; attempt++, far *= 2) {
    const separating = overlap.separatingAt(new Float64Array([far, 0, 0]));
    if (separating !== undefined) return separating;
  }
  throw new NearfieldError('not-finite', 'no translation in the range of doubles separates the two bodies');
}

/** Examines the nearest translation that is not known to be forbidden, until the bounds are near enough. */
function* approach(search: Search, stopAtRatio: number, until: () => boolean): Generator<number, void> {
  let overlapSearches = 0;
  for (let taken = 0; !search.isNearer(stopAtRatio); taken++) {
    if (taken % 16 === 0 || search.overlapSearches > overlapSearches) {
      overlapSearches = search.overlapSearches;
      if (until()) return;
      yield* paused(search.overlap, 0.95);
    }
    if (!search.step()) return;
  }
}

function answer(
  overlap: OverlappingPair,
  { translation, worldLength }: SeparatingTranslation,
  lower: number,
): Penetration {
  const proven = lower * overlap.frame.leastWorld * (1 - 1e-14);
  checkBracket(overlap, proven, worldLength);
  return bracketOf(translation, worldLength, proven);
}

/** The answer: a translation of length `upper` separates, none shorter than `lower` does. */
function bracketOf(translation: Float64Array, upper: number, lower: number): Penetration {
  const least = Math.max(0, Math.min(upper, lower));
  return {
    depth: { lower: least, upper },
    ratio: least > 0 ? upper / least : Infinity,
    translation,
    direction: translation.map(x => x / upper),
    backend: 'cpu',
  };
}

/**
 * No translation shorter than the lower bound separates, and one of the upper bound's length was seen to. Both hold for
 * the world's doubles except for rounding, which `noise` bounds. If they contradict each other by more, one of them is
 * wrong: then it is better to fail than to return a wrong bracket.
 */
function checkBracket({ frame }: OverlappingPair, lower: number, upper: number): void {
  if (lower <= upper * (1 + 1e-12) + frame.noise * frame.mostWorld) return;
  const message = `internal error in Nearfield: a translation by ${upper} separates the bodies, but the lower bound is ${lower}`;
  throw new NearfieldError('internal', message);
}

/** No common interior. */
export const none = (): Penetration => ({
  depth: { lower: 0, upper: 0 },
  ratio: 1,
  translation: new Float64Array(3),
  direction: new Float64Array(3),
  backend: 'cpu',
});
