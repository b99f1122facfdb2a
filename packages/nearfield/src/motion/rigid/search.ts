// When do two bodies first meet? Conservative advancement: from a time at which they are certainly a gap apart, go on by as long as
// they need at least to close it, and measure again. Once that is shorter than the width asked for, look for a proof that they
// meet a width later: no contact before, one within. If the two come so near that doubles cannot tell whether they touch, later
// times are tried, at twice the step each time. If the two meet at one of them, the contact lies in between. If they have come
// apart, they touched or passed each other: undecided, and the search goes on from there.

import { apartUntil } from './approach.ts';
import type { Gap, PairMotion } from './pair.ts';
import type { Certificate } from './proofs/certificate.ts';

/** What happens first, or next. */
export interface Event {
  readonly state: 'contact' | 'undecided';
  readonly from: number;
  readonly to: number;
  /** Undecided: how near they came, at most. */
  readonly gap: number;
  /** Triangles that take part, and a point where: in a contact, those of the certificate, else the nearest. */
  readonly triangleA: number;
  readonly triangleB: number;
  readonly point: Float64Array;
}

/** Until when a search goes on. */
export interface Deadline {
  /** May be lowered while a search is under way: what happens after it does not matter. */
  end: number;
  /** The end of time. Steps depend on this alone, so that what is found does not depend on what was found before. */
  readonly last: number;
}

/** The first event from a time on at which the two are apart or undecided, up to the deadline. Yields the time reached. */
export function* nextEvent(
  pair: PairMotion,
  start: number,
  deadline: Deadline,
  width: number,
): Generator<number, Event | undefined> {
  let t = start;
  let upTo = Infinity;
  const window = new Window();
  for (;;) {
    yield t;
    if (t > deadline.end) return undefined;
    const near = pair.gap(t, upTo);
    const apart = near.least;
    if (!(apart > pair.nearGap)) return yield* closeApproach(pair, t, near, deadline, width);
    const left = deadline.last - t;
    if (left <= 0) return undefined;
    const step = pair.timeFor(t, apart, left);
    if (step >= left) return undefined;
    if (step < width) {
      const to = Math.min(deadline.last, t + width);
      const proof = pair.meetingBetween(t, to);
      if (proof) return contact(t, to, proof);
    }
    // Where the step is lost in rounding, only a certificate or a later time helps.
    if (t + step === t) return yield* closeApproach(pair, t, near, deadline, width);
    // Then they are at most as far apart as now and what the step adds.
    const reached = window.reach(pair, t, step, left, apart);
    upTo = near.most + (reached - t) * pair.speed(t, reached - t) + 4 * pair.slack;
    if (reached >= deadline.last) return undefined;
    t = reached;
  }
}

/** Longer lists of triangle pairs are not followed one by one. */
const mostPairs = 512;
/** A distance, and a list of near pairs, take about as long as following so many pairs. */
const costOfStep = 50;

/**
 * A stretch of time in which only triangles near each other can meet: they are listed, and followed pair by pair (approach.ts).
 * Its length adapts to how many there are, and to whether that is faster than steps by the distance alone.
 */
class Window {
  #length = 0;
  /** How many steps to go before a list is tried again, and how many to wait the next time. */
  #wait = 0;
  #patience = 1;

  /** A time until which the two are certainly apart. At time t they are by `apart`, which alone proves it for `step`. */
  reach(pair: PairMotion, t: number, step: number, left: number, apart: number): number {
    if (this.#wait > 0) {
      this.#wait--;
      return t + step;
    }
    const length = Math.min(left, Math.max(this.#length, 4 * step));
    const pairs = pair.near(t, length * pair.speed(t, length) * (1 + 2 ** -30) + 2 * pair.slack, mostPairs);
    if (pairs === undefined) {
      // The next stretch starts from its own step, which is mostly shorter.
      this.#length = 0;
      if (length <= 4 * step) this.#pause();
      return t + step;
    }
    let end = t + length;
    const { quickly, closely } = pair;
    const isClose = quickly !== closely && apart < 16 * quickly.leastGap;
    for (let i = 0; i < pairs.length && end > t + step; i += 2) {
      const until = apartUntil(pair, quickly, pairs[i], pairs[i + 1], t, end);
      const isLeft = isClose && until < end;
      end = isLeft ? apartUntil(pair, closely, pairs[i], pairs[i + 1], until, end) : until;
    }
    const reached = Math.max(end, t + step);
    const gained = (reached - t) / step;
    // Both measure a distance, this one lists and follows pairs as well.
    if (gained * costOfStep < 2 * costOfStep + pairs.length / 2) {
      this.#length = length / 2;
      this.#pause();
    } else {
      this.#patience = 1;
      this.#length = pairs.length < mostPairs ? 2 * length : length;
    }
    return reached;
  }

  #pause(): void {
    this.#wait = this.#patience = Math.min(32, 2 * this.#patience);
  }
}

/**
 * The two are too near at time t to go on: a contact, or undecided until they are apart again. `near` is their separation then,
 * unless that was not below what was asked for.
 */
function* closeApproach(
  pair: PairMotion,
  t: number,
  near: Gap,
  deadline: Deadline,
  width: number,
): Generator<number, Event> {
  let nearest = near.most < Infinity ? near : pair.gap(t);
  for (let step = width; ; step *= 2) {
    const to = Math.min(deadline.last, t + step);
    yield to;
    const proof = pair.meetingBetween(t, to);
    if (proof) return contact(t, to, proof);
    const then = pair.gap(to, Infinity, false);
    if (then.most < nearest.most) nearest = then;
    const parted = then.least > 2 * pair.leastGap;
    if (!parted && to < deadline.last) continue;
    const { triangleA, triangleB, pointA, most: gap } = nearest;
    return { state: 'undecided', from: t, to, gap, triangleA, triangleB, point: pointA };
  }
}

const contact = (from: number, to: number, { triangleA, triangleB, point }: Certificate): Event => ({
  state: 'contact',
  from,
  to,
  gap: 0,
  triangleA,
  triangleB,
  point,
});
