// Which bodies are separate, but closer than they may be? Clearances differ between the tests of rules. Each is asked
// for by itself, because "strictly closer" is decided exactly.

import type { Body, Limits, Scene } from 'nearfield';
import type { OpenPair } from '../severity/judge.ts';
import { pairKey } from './pair-key.ts';
import type { Method } from './types.ts';

export interface NearQuestion extends Limits {
  /** The clearance that two bodies need, by index, undefined if none. Left out if all need the same one. */
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
  const known = new Map(found.map(pair => [keyOf(pair.a, pair.b), pair]));
  // Pairs that are known to meet need no distance.
  const isOpen = (a: Body, b: Body): boolean => {
    const pair = known.get(keyOf(a.index, b.index));
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
      const key = keyOf(a.index, b.index);
      const own = known.get(key);
      if (distance > 0 && own !== undefined) Object.assign(own, { distance, pointA, pointB });
      else if (distance > 0) {
        const pair = { a: a.index, b: b.index, relation: 'separate', triangleCount: 0 } as const;
        found.push({ ...pair, distance, pointA, pointB });
      } else if (own === undefined) missed.add(key);
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
    found.push({ a, b, relation: relations[i], triangleCount: 0, point: pair.point });
  });
}
