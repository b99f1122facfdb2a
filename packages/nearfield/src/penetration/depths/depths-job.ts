// The brackets of pairs in other threads: what these need, and what they answer.

import { type PackedBodies, packBodies, unpackBodies } from '../../bodies/snapshot/packed-bodies.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { shared } from '../../cpu/threads/together.ts';
import type { Searches } from './ranking.ts';
import { type DeepPairs, type GivenSearches, search } from './searches.ts';

/** What other threads need. */
interface PackedSearches extends Pick<DeepPairs, 'rows' | 'deadline'> {
  readonly bodies: PackedBodies;
  readonly searches: Searches;
}

export function packSearches({ rows, bodyAt, deadline, searches, packed }: GivenSearches): PackedSearches {
  const count = rows.reduce((most, row) => Math.max(most, row + 1), 0);
  packed.bodies ??= packBodies(count, bodyAt);
  return { bodies: packed.bodies, rows: shared(rows), deadline, searches };
}

/** In another thread: brackets of pairs, five numbers each. */
export function depthsJob(engine: CpuEngine, { bodies, searches, ...pairs }: PackedSearches) {
  const asked = { ...pairs, engine, bodyAt: unpackBodies(bodies) };
  return function* (from: number, to: number): Generator<unknown, Float64Array> {
    const found = new Float64Array(5 * (to - from));
    for (let i = from; i < to; i++) {
      const { lower, upper, translation } = yield* search(asked, searches, i);
      found.set([lower, upper, ...translation], 5 * (i - from));
      yield;
    }
    return found;
  };
}
