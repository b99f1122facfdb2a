// When do two bodies meet during a motion: all intervals, not only the first? Contacts begin as search.ts finds them. Triangles that
// cross are followed for as long as they certainly do (proofs/lasting.ts). From a proof of contact with a margin (certificate.ts), as of
// solids within each other, the two still meet until they have moved by the margin against each other.
// Where no proof is found any more, later times are tried until the two are certainly apart. From there, the end is searched in
// reversed time, as a beginning is.

import type { Question } from '../../questions/question.ts';
import type { SceneCore } from '../../questions/scene-core.ts';
import type { ContactInterval, SweptPair, TimeInterval } from '../types.ts';
import { movingPairs } from './candidates.ts';
import type { RigidQuestion } from './first-contact.ts';
import { PairMotion } from './pair.ts';
import { reversedPair, timesOf } from './reversed.ts';
import { nextEvent } from './search.ts';

/** Steps from proof to proof are at least this long: what happens in between is then not known to be a contact throughout. */
const shortestStep = 2 ** -12;
/** So many shorter steps are taken all the same, where a contact begins or ends, down to this share of the width. */
const mostShortSteps = 32;
const shortestShare = 2 ** -4;
/** An end may be reported so many widths earlier if the two are known to meet until then. */
const earlierWidths = 16;

/** Every pair that meets or may meet, in order of the first contact. Yields the share done. */
export function* rigidSweep(
  { cpu }: SceneCore,
  question: Question,
  { paths, keep, upTo, width }: RigidQuestion,
): Generator<number, SweptPair[]> {
  const pairs = movingPairs(question, paths, upTo, 0, keep);
  const found: SweptPair[] = [];
  for (let i = 0; i < pairs.length; i++) {
    const { a, b, from } = pairs[i];
    const motion = new PairMotion(cpu, question.readableAt(a), question.readableAt(b), paths[a], paths[b]);
    const search = intervalsOf(motion, from, upTo, width);
    for (;;) {
      const step = search.next();
      if (!step.done) {
        yield (i + step.value / upTo) / pairs.length;
        continue;
      }
      const intervals = step.value;
      if (intervals.length > 0) found.push({ a: question.bodies[a], b: question.bodies[b], intervals });
      break;
    }
  }
  return found.sort((one, other) => one.intervals[0].begins.from - other.intervals[0].begins.from);
}

function* intervalsOf(
  pair: PairMotion,
  from: number,
  end: number,
  width: number,
): Generator<number, ContactInterval[]> {
  const intervals: ContactInterval[] = [];
  let t = from;
  if (from === 0 && pair.meetingAt(0)) {
    const { apart, ...last } = yield* lastingContact(pair, 0, end, width);
    intervals.push({ state: 'contact', begins: { from: 0, to: 0 }, ...last });
    t = apart;
  }
  while (t < end) {
    const event = yield* nextEvent(pair, t, { end, last: end }, width);
    if (event === undefined) break;
    const begins: TimeInterval = { from: event.from, to: event.to };
    if (event.state === 'undecided') {
      intervals.push({ state: 'undecided', begins, ends: begins, throughout: false });
      t = event.to;
    } else if (pair.gap(event.to, Infinity, false).least > pair.leastGap) {
      // A sheet that passed flat through another met it for a moment.
      intervals.push({ state: 'contact', begins, ends: begins, throughout: true });
      t = event.to;
    } else {
      const { apart, ...last } = yield* lastingContact(pair, event.to, end, width);
      intervals.push({ state: 'contact', begins, ...last });
      t = apart;
    }
  }
  return intervals;
}

/** How a contact ends. */
interface Last extends Pick<ContactInterval, 'ends' | 'throughout'> {
  /** When the two are well apart: the next contact is searched from there. From `ends.to` until then there is none. */
  readonly apart: number;
}

/** From a time at which the two meet: until when, and whether throughout. */
function* lastingContact(
  pair: PairMotion,
  start: number,
  end: number,
  width: number,
): Generator<number, Last> {
  let t = start;
  let throughout = true;
  let shortSteps = 0;
  for (;;) {
    yield t;
    if (t >= end) return { ends: { from: end, to: end }, throughout, apart: end };
    const certain = certainlyFor(pair, t, end, shortestShare * width);
    if (certain >= end - t) return { ends: { from: end, to: end }, throughout, apart: end };
    const isShort = certain < shortestStep;
    if (!isShort || (certain >= shortestShare * width && t + certain > t && shortSteps++ < mostShortSteps)) {
      t += certain;
      continue;
    }
    // The contact may end soon. Look ahead, at twice the step each time.
    let next = t + certain;
    for (let step = width; ; step *= 2) {
      const to = Math.min(end, t + certain + step);
      yield to;
      if (pair.gap(to, Infinity, false).least > 2 * pair.leastGap) {
        const ends = yield* endBetween(pair, next, to, width);
        const isKnown = throughout && ends.from - (t + certain) <= earlierWidths * width;
        const from = isKnown ? Math.min(ends.from, t + certain) : ends.from;
        return { ends: { ...ends, from }, throughout: isKnown, apart: to };
      }
      const meets = pair.certificate(to) !== undefined;
      if (meets) next = to;
      if (to >= end)
        return { ends: { from: next, to: end }, throughout: throughout && next === end, apart: end };
      if (meets && step >= shortestStep) break;
    }
    throughout = false;
    t = next;
  }
}

/** How long the two certainly meet from time t on. */
function certainlyFor(pair: PairMotion, t: number, end: number, least: number): number {
  const crossing = pair.crossingUntil(t, end, least) - t;
  if (crossing >= shortestStep || crossing >= end - t) return crossing;
  const margin = pair.margin(t);
  return Math.max(crossing, margin > 0 ? pair.timeFor(t, margin, end - t) : 0);
}

/** When the last contact before `to` ends. The two meet at `from` and are apart at `to`. */
function* endBetween(
  pair: PairMotion,
  from: number,
  to: number,
  width: number,
): Generator<number, TimeInterval> {
  const end = timesOf(from)[1];
  const search = nextEvent(reversedPair(pair), timesOf(to)[0], { end, last: end }, width);
  for (;;) {
    const step = search.next();
    if (!step.done) {
      yield to;
      continue;
    }
    const event = step.value;
    if (!event) return { from, to };
    const apartFrom = Math.min(to, timesOf(event.from)[1]);
    return { from: event.state === 'contact' ? Math.max(from, timesOf(event.to)[0]) : from, to: apartFrom };
  }
}
