// The job of other threads that finds the nearest triangles of pairs of bodies: what it needs, and what it answers.

import { type PackedBodies, packBodies, unpackBodies } from '../bodies/snapshot/packed-bodies.ts';
import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { shared } from '../cpu/threads/together.ts';
import { type SomePairs, someNearest } from './some-nearest.ts';

interface PackedNearest extends Pick<SomePairs, 'candidates' | 'upTo'> {
  readonly bodies: PackedBodies;
}

interface GivenPairs extends SomePairs {
  readonly bodyAt: (row: number) => SnapshotBody;
  readonly rowCount: number;
}

export function* packNearest({
  bodyAt,
  rowCount,
  candidates,
  upTo,
}: GivenPairs): Generator<number, PackedNearest> {
  return { bodies: yield* packBodies(rowCount, bodyAt), candidates: shared(candidates), upTo };
}

/** Runs in another thread: finds the nearest triangles of batches of pairs. */
export function nearestJob(engine: CpuEngine, { bodies, candidates, upTo }: PackedNearest) {
  const bodyAt = unpackBodies(bodies);
  return () => (i: number) => someNearest(engine, { bodyAt, candidates, upTo }, i);
}
