// The brackets of pairs in other threads: what these need, and what they answer.

import { type PackedBodies, packBodies, unpackBodies } from '../../bodies/snapshot/packed-bodies.ts';
import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { shared } from '../../cpu/threads/together.ts';
import type { Known, Searches } from './ranking.ts';
import { type DeepPairs, search } from './searches.ts';

/** What other threads need. */
interface PackedSearches extends Pick<DeepPairs, 'rows' | 'deadline'> {
  readonly bodies: PackedBodies;
}

export function* packSearches({ rows, bodyAt, deadline }: DeepPairs): Generator<number, PackedSearches> {
  const count = rows.reduce((most, row) => Math.max(most, row + 1), 0);
  return { bodies: yield* packBodies(count, bodyAt), rows: shared(rows), deadline };
}

/** Runs in another thread: finds brackets of pairs. */
export function depthsJob(engine: CpuEngine, { bodies, ...pairs }: PackedSearches) {
  const bodyAt = unpackBodies(bodies);
  const made: SnapshotBody[] = [];
  // A body is made once per row, because what is found about it is kept with it.
  const asked = { ...pairs, engine, bodyAt: (row: number) => (made[row] ??= bodyAt(row)) };
  return (searches: Searches) =>
    (i: number): Generator<unknown, Known> =>
      search(asked, searches, i);
}
