// The search for a bracket of the depth of two solids: first where they overlap most, then a translation that separates them
// (upper.ts), then what no translation does that is shorter (lower.ts). Convex solids are bracketed by their difference
// alone (hull.ts). How much is done depends on counts only, unless the caller gives a time. It is a generator, which yields
// the share done: others may run in between, and ask of the same kernels.

import { NearfieldError } from '../../errors.ts';
import type { Moment } from '../../scene/bodies/moment.ts';
import type { SyncEngine } from '../../scene/engine.ts';
import { decidePairs } from '../../scene/exact.ts';
import { relationOf } from '../../scene/relation/relation.ts';
import { Forbidden } from './lower.ts';
import { meetingBoxes } from './meeting.ts';
import { Overlap, type SeparatingTranslation } from './overlap.ts';
import type { Penetration, PenetrationOptions } from './penetration.ts';
import type { Depth } from './pieces/hull.ts';
import { carvePiece, convexWhole, type Piece, piecesOf } from './pieces/pieces.ts';
import { evenly, transform } from './placement.ts';
import { boxesApart, prepare, separateByBoxes } from './preparation.ts';
import type { Deepest } from './solids.ts';
import { directionsOut, findSeparating, improve, pushOut } from './upper.ts';

/** Evaluations of the first search for where the solids overlap most, and of one for which no time is left. */
const firstSearch = 64;
const hurriedSearch = 12;
const shallowSearch = 600;
/** Less depth than this, of the smaller solid's size, is looked for again where the surfaces meet. */
const shallow = 0.02;
/** The work of a question that is given no time: facets of differences compared with cubes, and looks into those. */
const mostWork = 1_000_000;
const mostLooks = 8;

/** Of two solids; a is the body with the lower index. `until` says whether the time is up. */
export function* penetrationOf(
  engine: SyncEngine,
  a: Moment,
  b: Moment,
  { stopAtRatio = 1.05 }: PenetrationOptions,
  until: () => boolean,
): Generator<number, Penetration> {
  if (boxesApart(a, b)) return none();
  if (!(yield* ready(engine, a, b, until))) {
    const separate = separateByBoxes(a, b);
    if (separate !== undefined) return separate;
  }
  const overlap = new Overlap(engine, a, b);
  yield* paused(overlap, 0.1);
  const forbidden = new Forbidden(overlap);
  const { kernels, solidA, solidB } = overlap;
  const convexA = yield* inSteps(overlap, convexWhole(kernels, solidA.shape, until), 0.2);
  const convexB = convexA && (yield* inSteps(overlap, convexWhole(kernels, solidB.shape, until), 0.3));
  const convex = convexA && convexB ? depthOfConvex(forbidden, convexA, convexB, stopAtRatio) : undefined;
  // Where the difference holds the origin with room for rounding, they overlap: nothing has to be looked for.
  if (convex !== undefined && forbidden.lower > 0) {
    const separating = separateConvex(overlap, convex);
    if (separating !== undefined) return answer(overlap, separating, forbidden.lower);
  }
  overlap.moveTo(0, 0, 0);
  const deepest = findDeepest(engine, a, b, overlap, until() ? hurriedSearch : firstSearch);
  if (deepest === undefined) return none();
  forbidden.addBall(0, 0, 0, deepest.sum);
  if (convex !== undefined) {
    const separating = separateConvex(overlap, convex);
    if (separating !== undefined) return answer(overlap, separating, forbidden.lower);
  }
  yield* paused(overlap, 0.4);
  const separating = yield* separateAny(overlap, deepest, until);
  const reached = (length: number): boolean => length <= stopAtRatio * forbidden.lower;
  if (reached(separating.length) || stopAtRatio === Infinity || until())
    return answer(overlap, separating, forbidden.lower);
  return yield* bracket(overlap, forbidden, separating, deepest, stopAtRatio, until);
}

/** Whether both are ready to be searched, before the time is up. */
function* ready(
  { solids }: SyncEngine,
  a: Moment,
  b: Moment,
  until: () => boolean,
): Generator<number, boolean> {
  const work = prepare(solids, [evenly(a), evenly(b)], until);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield 0.05;
  }
}

/** Lets others run. */
function* paused(overlap: Overlap, done: number): Generator<number, void> {
  yield done;
  overlap.resume();
}

/** Lets others run between the steps of some work. */
function* inSteps<T>(overlap: Overlap, work: Generator<undefined, T>, done: number): Generator<number, T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield* paused(overlap, done);
  }
}

/**
 * Where the solids overlap most; undefined where they have no common interior. A ball in both, however small, is proof of one.
 * Where the first search finds none, or next to none, the overlap is shallow if there is one: it is looked for where
 * surfaces meet, and where that gives nothing either, the exact relation decides.
 */
function findDeepest(
  engine: SyncEngine,
  a: Moment,
  b: Moment,
  overlap: Overlap,
  budget: number,
): Deepest | undefined {
  const { kernels, frame, solidA } = overlap;
  const first = kernels.deepest(budget);
  if (first.sum > Math.max(frame.noise, shallow * Math.min(1, frame.leastStretch))) return first;
  if (!(first.sum > frame.noise) && !overlap.sharesPoint) return undefined;
  const raw = engine.interfereSync([a, b], { detail: 'list', candidates: new Uint32Array([0, 1]) });
  const { triangles } = decidePairs(raw, i => (i === 0 ? a : b), engine);
  let best = first;
  for (const box of meetingBoxes(a, b, triangles, solidA, frame.toA)) {
    const found = kernels.deepest(shallowSearch, box);
    if (found.sum > best.sum) best = found;
  }
  if (best.sum > frame.noise) return best;
  const relation = relationOf(engine, a, b, triangles);
  return relation === 'separate' || relation === 'touching' ? undefined : best;
}

/** The hull of the difference is the difference: grown to a ratio, it bounds the depth from both sides. */
function depthOfConvex(forbidden: Forbidden, a: Piece, b: Piece, ratio: number): Depth | undefined {
  return forbidden.addPair(a, b, Infinity, 400, 1 + 0.5 * (Math.min(ratio, 1.05) - 1));
}

function separateConvex(overlap: Overlap, { direction, upper }: Depth): SeparatingTranslation | undefined {
  return overlap.separatingNear(
    direction.map(x => x * upper),
    direction,
  );
}

function* separateAny(
  overlap: Overlap,
  deepest: Deepest,
  until: () => boolean,
): Generator<number, SeparatingTranslation> {
  const directions = directionsOut(overlap);
  yield* paused(overlap, 0.45);
  let best = until() ? undefined : findSeparating(overlap, directions, deepest);
  yield* paused(overlap, 0.6);
  // Where the best is not much longer than what one ball forbids, nothing is to be gained.
  if (!until() && deepest.sum > 0 && !(best !== undefined && best.length < 1.4 * deepest.sum)) {
    const local = pushOut(overlap, deepest, best?.length ?? Infinity);
    if (local !== undefined && (best === undefined || local.length < best.length)) best = local;
  }
  for (const { x, y, z, height } of directions) {
    if (best !== undefined) break;
    best = overlap.separatingNear([x * height, y * height, z * height], [x, y, z]);
  }
  return best ?? separateBoxes(overlap);
}

/** Beyond each other's reach: what is left where nothing else was confirmed. */
function separateBoxes(overlap: Overlap): SeparatingTranslation {
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

/** Raises the lower bound, and lowers the upper one where a gap is found, until they are near enough. */
function* bracket(
  overlap: Overlap,
  forbidden: Forbidden,
  first: SeparatingTranslation,
  deepest: Deepest,
  stopAtRatio: number,
  until: () => boolean,
): Generator<number, Penetration> {
  let best = first;
  const { kernels, solidA, solidB } = overlap;
  yield* paused(overlap, 0.65);
  const piecesA = [...(yield* inSteps(overlap, piecesOf(kernels, solidA.shape, until), 0.7))];
  const piecesB = [...(yield* inSteps(overlap, piecesOf(kernels, solidB.shape, until), 0.75))];
  if (deepest.sum > 0 && !until()) addPiecesHere(overlap, deepest, piecesA, piecesB);
  yield* paused(overlap, 0.8);
  if (!until()) forbidden.addPieces(piecesA, piecesB, best.length);
  yield* paused(overlap, 0.9);
  let lower = forbidden.lower;
  if (best.length > stopAtRatio * lower && !until()) {
    const limits = { work: mostWork, looks: mostLooks, until };
    const growing = forbidden.grow(
      () => best.length / stopAtRatio,
      limits,
      t => {
        if (!(Math.hypot(t[0], t[1], t[2]) < best.length)) return;
        const gap = overlap.separatingAt(t);
        if (gap === undefined) return;
        const better = improve(overlap, gap);
        if (better.length < best.length) best = better;
      },
    );
    lower = yield* inSteps(overlap, growing, 0.95);
  }
  return answer(overlap, best, lower);
}

/** Pieces around the point where the two overlap most, in both, where there is none as large around it. */
function addPiecesHere(overlap: Overlap, { point }: Deepest, piecesA: Piece[], piecesB: Piece[]): void {
  const { kernels, solidA, solidB, frame } = overlap;
  const add = (
    solid: typeof solidA,
    pieces: Piece[],
    [x, y, z]: ArrayLike<number> & Iterable<number>,
  ): void => {
    if (pieces.length === 1 && pieces[0].vertices === undefined) return;
    const ball = kernels.growBall(solid.shape, x, y, z);
    const has = pieces.some(({ centre, inner }) => {
      const apart = Math.hypot(centre[0] - ball[0], centre[1] - ball[1], centre[2] - ball[2]);
      return inner >= 0.8 * ball[3] && apart < inner;
    });
    if (has) return;
    const carved = carvePiece(kernels, solid.shape, ball);
    if (carved !== undefined) pieces.push(carved.piece);
  };
  add(solidA, piecesA, point);
  const [x, y, z] = [0, 1, 2].map(i => point[i] - frame.place[i]);
  add(solidB, piecesB, transform(frame.inverse, x, y, z));
}

function answer(
  overlap: Overlap,
  { translation, worldLength }: SeparatingTranslation,
  lower: number,
): Penetration {
  const proven = lower * overlap.frame.leastWorld * (1 - 1e-14);
  checkBracket(overlap, proven, worldLength);
  const worldLower = Math.max(0, Math.min(worldLength, proven));
  const direction = translation.map(x => x / worldLength);
  return {
    depth: { lower: worldLower, upper: worldLength },
    ratio: worldLower > 0 ? worldLength / worldLower : Infinity,
    translation,
    direction,
    backend: 'cpu',
  };
}

/**
 * No translation shorter than the lower bound separates, and one of the upper bound's length was seen to. Both hold for the
 * world's doubles but for rounding, which `noise` bounds; where they contradict each other by more, one of them is wrong, and
 * no bracket is better than one that does not hold.
 */
function checkBracket({ frame }: Overlap, lower: number, upper: number): void {
  if (lower <= upper * (1 + 1e-12) + frame.noise * frame.mostWorld) return;
  const message = `a translation by ${upper} separates the bodies, yet none shorter than ${lower} was to: a defect in Nearfield`;
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
