// The first contacts of pairs in which a body turns. Pairs are searched one by one, in the order of the earliest times at
// which they may meet.

import type { Question } from '../../questions/question.ts';
import type { SceneCore } from '../../questions/scene-core.ts';
import type { FirstContact } from '../types.ts';
import { movingPairs } from './candidates.ts';
import { PairMotion } from './pair.ts';
import type { BodyPath } from './paths/path.ts';
import { type Deadline, type Event, nextEvent } from './search.ts';

export interface RigidQuestion {
  readonly paths: readonly BodyPath[];
  /** Which pairs of rows to ask about. */
  readonly keep: (a: number, b: number) => boolean;
  readonly upTo: number;
  readonly width: number;
}

/**
 * The first contact of every pair; with `earliest`, only the contacts that may be the first of all. They are in order of time.
 * Yields the share done.
 */
export function* rigidFirstContacts(
  { cpu }: SceneCore,
  question: Question,
  { paths, keep, upTo, width }: RigidQuestion,
  earliest: boolean,
): Generator<number, FirstContact[]> {
  const pairs = movingPairs(question, paths, upTo, 0, keep).sort((a, b) => a.from - b.from);
  const deadline: Deadline = { end: upTo, last: upTo };
  const found: FirstContact[] = [];
  for (let i = 0; i < pairs.length; i++) {
    const { a, b, from } = pairs[i];
    yield i / pairs.length;
    if (from > deadline.end) continue;
    const motion = new PairMotion(cpu, question.readableAt(a), question.readableAt(b), paths[a], paths[b]);
    const bodies = { a: question.bodies[a], b: question.bodies[b] };
    const start = from === 0 ? motion.meetingAt(0) : undefined;
    if (start) {
      found.push({ ...bodies, state: 'initial', time: { from: 0, to: 0 }, ...start });
      if (earliest) deadline.end = 0;
      continue;
    }
    const search = nextEvent(motion, from, earliest ? deadline : { end: upTo, last: upTo }, width);
    let event: Event | undefined;
    for (;;) {
      const step = search.next();
      if (step.done) {
        event = step.value;
        break;
      }
      yield (i + step.value / upTo) / pairs.length;
    }
    if (!event) continue;
    found.push(contactOf(bodies, event, motion.toWorld));
    if (earliest && event.state === 'contact') deadline.end = Math.min(deadline.end, event.to);
  }
  const kept = earliest ? found.filter(({ time }) => time.from <= deadline.end) : found;
  return kept.sort((one, other) => one.time.from - other.time.from || one.time.to - other.time.to);
}

function contactOf(bodies: Pick<FirstContact, 'a' | 'b'>, event: Event, toWorld: number): FirstContact {
  const { state, from, to, gap, triangleA, triangleB } = event;
  const point = event.point.map(x => x * toWorld);
  const known = { ...bodies, state, time: { from, to }, triangleA, triangleB, point };
  return state === 'undecided' ? { ...known, gap: gap * toWorld } : known;
}
