// How near do bodies come during a motion, when and where? The distance of two bodies changes no faster than they move. So between
// two measurements, d₀ and d₁, it is at least (d₀ + d₁ − m)/2, where m is how far the two can move in between. The stretch of
// time with the lowest such bound is measured next, where the bound is reached (Piyavskii 1972, Shubert 1972), until the least
// distance measured is within the precision of the lowest bound.

import type { Question } from '../../questions/question.ts';
import type { SceneCore } from '../../questions/scene-core.ts';
import type { NearestApproach } from '../types.ts';
import { movingPairs } from './candidates.ts';
import type { RigidQuestion } from './first-contact.ts';
import { type Gap, PairMotion } from './pair.ts';

/** What is asked of the distance, as in the options. */
export interface ApproachQuestion extends RigidQuestion {
  readonly within: number;
  readonly precision: number;
  readonly samples: number;
}

/** After this many measurements of one pair, the bounds are given as they are. */
const mostMeasured = 4096;

/** The nearest approach of every pair that comes nearer than `within`, nearest first. Yields the share done. */
export function* rigidNearestApproaches(
  { cpu }: SceneCore,
  question: Question,
  asked: ApproachQuestion,
): Generator<number, NearestApproach[]> {
  const { paths, keep, upTo, within } = asked;
  const pairs = movingPairs(question, paths, upTo, within, keep);
  const found: NearestApproach[] = [];
  for (let i = 0; i < pairs.length; i++) {
    const { a, b } = pairs[i];
    const motion = new PairMotion(cpu, question.readableAt(a), question.readableAt(b), paths[a], paths[b]);
    const search = approachOf(motion, asked);
    for (;;) {
      const step = search.next();
      if (!step.done) {
        yield (i + step.value) / pairs.length;
        continue;
      }
      if (step.value) found.push({ a: question.bodies[a], b: question.bodies[b], ...step.value });
      break;
    }
  }
  return found.sort((one, other) => one.distance.upper - other.distance.upper);
}

/** A stretch of time between two measurements. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Lower bounds of the distances at its ends. */
  readonly first: number;
  readonly last: number;
  /** A lower bound of the true distance in it, and a bound of the speed. */
  readonly lower: number;
  readonly speed: number;
}

type Approach = Omit<NearestApproach, 'a' | 'b'>;

function* approachOf(
  pair: PairMotion,
  { upTo, within, precision, samples }: ApproachQuestion,
): Generator<number, Approach | undefined> {
  const measured = new Map<number, number>();
  let upper = Infinity;
  let best: { time: number; at: Gap } | undefined;
  const measure = (t: number): number => {
    // Solids may lie within each other here: the search jumps in time.
    const at = pair.gap(t, Infinity, false);
    const meets = at.least <= 0 && pair.certificate(t) !== undefined;
    const most = meets ? 0 : at.most;
    measured.set(t, at.distance);
    if (most < upper || best === undefined) {
      upper = most;
      best = { time: t, at };
    }
    return meets ? 0 : at.least;
  };
  const stretchOf = (from: number, to: number, first: number, last: number): Stretch => {
    const speed = pair.speed(from, to - from);
    const lower = 0.5 * (first + last - speed * (to - from) * (1 + 2 ** -40));
    return { from, to, first, last, lower, speed };
  };

  const heap: Stretch[] = [];
  for (let i = 0, from = 0, first = measure(0); i < samples; i++) {
    const to = i + 1 === samples ? upTo : ((i + 1) / samples) * upTo;
    const last = measure(to);
    heap.push(stretchOf(from, to, first, last));
    [from, first] = [to, last];
    yield 0;
  }
  let lower = 0;
  for (let count = samples; ; count++) {
    // There are few stretches at a time: a linear search for the lowest costs little beside measuring a distance.
    let lowest = 0;
    for (let i = 1; i < heap.length; i++) if (heap[i].lower < heap[lowest].lower) lowest = i;
    const stretch = heap[lowest];
    lower = Math.max(0, Math.min(stretch.lower, upper));
    if (lower * pair.toWorld >= within) return undefined;
    if (upper === 0 || upper - lower <= Math.max(precision * upper, 2 * pair.leastGap)) break;
    const { from, to, first, last, speed } = stretch;
    const length = to - from;
    let middle = 0.5 * (from + to) + (speed > 0 ? (0.5 * (first - last)) / speed : 0);
    // Well inside, so that stretches become short.
    middle = Math.min(Math.max(middle, from + 0.125 * length), to - 0.125 * length);
    if (count >= mostMeasured || !(middle > from && middle < to)) break;
    const distance = measure(middle);
    heap[lowest] = stretchOf(from, middle, first, distance);
    heap.push(stretchOf(middle, to, distance, last));
    yield Math.min(0.99, lower / upper);
  }
  const { time, at } = best!;
  const { toWorld } = pair;
  const curve = [...measured].sort((one, other) => one[0] - other[0]);
  const { triangleA, triangleB } = at;
  return {
    distance: { lower: lower * toWorld, upper: upper * toWorld },
    time,
    pointA: at.pointA.map(x => x * toWorld),
    pointB: at.pointB.map(x => x * toWorld),
    ...{ triangleA, triangleB },
    samples: Float64Array.from(curve.flatMap(([t, distance]) => [t, distance * toWorld])),
  };
}
