// Which bodies are separate, but closer than they may be? Clearances differ between the tests of rules. Each is asked
// for by itself, because "strictly closer" is decided exactly.

import type { Body, Limits, Scene } from 'nearfield';
import type { OpenPair } from '../severity/judge.ts';
import { meetingPair, nearPair } from './pair-fields.ts';
import { pairKey } from './pair-key.ts';
import type { Method } from './types.ts';

export interface NearQuestion extends Limits {
  /**
   * The clearance that two bodies need, by index; undefined if they need none, or are not asked about. Left out if
   * all need the same one.
   */
  readonly clearanceOf: ((a: number, b: number) => number | undefined) | undefined;
  /** All clearances that occur. */
  readonly clearances: readonly number[];
  readonly keep: ((a: Body, b: Body) => boolean) | undefined;
  readonly method: Method;
  readonly resolution?: number | undefined;
}

/**
 * Adds pairs that are closer than their clearance to those that a method found. Pairs that meet but that a sampling
 * method missed are closer too; their relation is computed exactly.
 */
export async function addNear(found: OpenPair[], scene: Scene, question: NearQuestion): Promise<void> {
  const { clearances, clearanceOf, keep, method, resolution, signal, progress } = question;
  const count = scene.bodies.length;
  const keyOf = (a: number, b: number): number => pairKey({ a, b }, count);
  const known = new KnownPairs(found, count);
  // Pairs that are known to meet need no distance.
  const isOpen = (a: Body, b: Body): boolean => {
    const pair = known.get(a.index, b.index);
    return pair === undefined || pair.relation === 'separate';
  };
  const missed = new Set<number>();
  for (const [i, clearance] of clearances.entries()) {
    const near = await scene.within(clearance, {
      // Distances are exact, whichever method found the pairs that meet.
      ...(method === 'visibility' ? { method, resolution } : {}),
      signal,
      progress: done => progress?.((i + done) / clearances.length),
      keep: (a, b) =>
        isOpen(a, b) &&
        (keep?.(a, b) ?? true) &&
        (clearanceOf === undefined || clearanceOf(a.index, b.index) === clearance),
    });
    for (const { a, b, distance, pointA, pointB } of near) {
      const own = known.get(a.index, b.index);
      if (distance > 0 && own !== undefined) Object.assign(own, { distance, pointA, pointB });
      else if (distance > 0) found.push(nearPair(a.index, b.index, distance, pointA, pointB));
      else if (own === undefined) missed.add(keyOf(a.index, b.index));
    }
  }
  if (missed.size === 0) return;
  const answer = await scene.interferences({
    signal,
    keep: (a: Body, b: Body) => missed.has(keyOf(a.index, b.index)),
  });
  const relations = await answer.relations({ signal });
  answer.pairs.forEach((pair, i) => {
    const [a, b] = [pair.a.index, pair.b.index];
    found.push(meetingPair(a, b, relations[i], 0, pair.point));
  });
}

/** Looks up pairs by their bodies. There are many candidates, and a map would take several times as long. */
class KnownPairs {
  /** In order of the lower body, then of the higher. */
  readonly #pairs: readonly OpenPair[];
  /** The pairs whose lower body is i are #starts[i] to #starts[i + 1]. */
  readonly #starts: Uint32Array;
  readonly #higher: Uint32Array;

  constructor(pairs: readonly OpenPair[], bodyCount: number) {
    const lower = ({ a, b }: OpenPair) => Math.min(a, b);
    const higher = ({ a, b }: OpenPair) => Math.max(a, b);
    this.#pairs = [...pairs].sort((p, q) => lower(p) - lower(q) || higher(p) - higher(q));
    this.#starts = new Uint32Array(bodyCount + 1);
    for (const pair of pairs) this.#starts[lower(pair) + 1]++;
    for (let i = 0; i < bodyCount; i++) this.#starts[i + 1] += this.#starts[i];
    this.#higher = Uint32Array.from(this.#pairs, higher);
  }

  get(a: number, b: number): OpenPair | undefined {
    const higher = Math.max(a, b);
    let low = this.#starts[Math.min(a, b)];
    const end = this.#starts[Math.min(a, b) + 1];
    for (let high = end; low < high; ) {
      const middle = (low + high) >>> 1;
      if (this.#higher[middle] < higher) low = middle + 1;
      else high = middle;
    }
    return low < end && this.#higher[low] === higher ? this.#pairs[low] : undefined;
  }
}
