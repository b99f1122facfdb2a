// The intervals in which bodies meet whose vertices move linearly. Surfaces meet at times that are known exactly (linear/sweep.ts).
// Between these times a solid stays within another or outside of it, so one time in between decides which. Positions at such a time
// are rounded, so it counts only if the surfaces are farther apart than the rounding. A few times are tried; if none counts, the
// interval is undecided.

import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import type { MotionStats } from './answer.ts';
import type { AskedPair, ListedPairs } from './linear/driver.ts';
import type { Stretch } from './linear/exact/contact-times.ts';
import { surfaceTimes, united } from './linear/sweep.ts';
import { MovingTrianglePairs } from './linear/triangle-pair.ts';
import { MotionWalks } from './linear/walk/walk.ts';
import { partOf } from './parts.ts';
import type { RigidQuestion } from './rigid/first-contact.ts';
import { PairMotion } from './rigid/pair.ts';
import type { ContactInterval, SweptPair } from './types.ts';

/** Every pair that meets. Yields the share done. */
export function* linearSweep(
  { cpu }: SceneCore,
  question: Question,
  asked: readonly AskedPair[],
  listed: ListedPairs,
  stats: MotionStats,
  { paths, upTo, width }: Omit<RigidQuestion, 'keep'>,
): Generator<number, SweptPair[]> {
  const pairs = new MovingTrianglePairs(-Math.log2(width), upTo);
  const walks = new MotionWalks(cpu, listed);
  const found: SweptPair[] = [];
  try {
    for (const [n, { rows, a: first, b: second }] of asked.entries()) {
      const [a, b] = rows;
      const search = surfaceTimes(walks, first, second, pairs);
      const surfaces = yield* partOf(search, n, asked.length);
      const motion = new PairMotion(cpu, question.readableAt(a), question.readableAt(b), paths[a], paths[b]);
      const intervals = motion.areSolids
        ? withInsides(motion, surfaces, pairs)
        : surfaces.map(stretch => intervalOf(stretch, 'contact', pairs));
      if (intervals.length > 0) found.push({ a: question.bodies[a], b: question.bodies[b], intervals });
    }
  } finally {
    walks.close();
  }
  stats.pairs += pairs.stats.pairs;
  stats.unsure += pairs.stats.unsure;
  return found;
}

/** The times at which surfaces meet, and those at which one solid lies within the other. */
function withInsides(
  pair: PairMotion,
  surfaces: readonly Stretch[],
  pairs: MovingTrianglePairs,
): ContactInterval[] {
  const { lastCell } = pairs;
  const within: Stretch[] = [];
  const unknown: Stretch[] = [];
  for (let i = 0; i <= surfaces.length; i++) {
    const [before, after] = [surfaces[i - 1], surfaces[i]];
    if (before?.ends[1] === lastCell || after?.begins[0] === 0) continue;
    const begins = before?.ends ?? ([0, 0] as const);
    const ends = after?.begins ?? ([lastCell, lastCell] as const);
    // At time 0, doubles are the path.
    const shares = before === undefined ? [0] : [1 / 2, 1 / 4, 3 / 4, 1 / 8, 7 / 8];
    const looks = shares.map(share => pair.isWithin(pairs.timeOf(begins[1] + share * (ends[0] - begins[1]))));
    const inside = looks.find(look => look !== 'unknown') ?? 'unknown';
    if (inside !== 'no')
      (inside === 'yes' ? within : unknown).push({ begins, ends, throughout: inside === 'yes' });
  }
  const known = within.length === 0 ? surfaces : united([...surfaces, ...within], true);
  return [
    ...known.map(stretch => intervalOf(stretch, 'contact', pairs)),
    ...unknown.map(stretch => intervalOf(stretch, 'undecided', pairs)),
  ].sort((p, q) => p.begins.from - q.begins.from);
}

/** A stretch as times, none of them later than the end. */
function intervalOf(
  { begins, ends, throughout }: Stretch,
  state: ContactInterval['state'],
  pairs: MovingTrianglePairs,
): ContactInterval {
  const timeOf = ([first, last]: readonly [number, number]) => ({
    from: pairs.intervalOf(first).from,
    to: Math.min(pairs.upTo, pairs.intervalOf(last).to),
  });
  return { state, begins: timeOf(begins), ends: timeOf(ends), throughout };
}
