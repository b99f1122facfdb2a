// The pairs of an answer in other threads: what these need, and what they answer.

import { type PackedBodies, packKeptBodies, unpackBodies } from '../../bodies/snapshot/packed-bodies.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { shared } from '../../cpu/threads/together.ts';
import type { MeetingTriangles } from '../exact.ts';
import type { PairsFound } from './known-pairs.ts';
import { relationWords, SeenPairs } from './seen-pairs.ts';

/** What other threads need to decide anything about the pairs. */
export interface PackedPairs {
  readonly bodies: PackedBodies;
  /** Per pair, the rows of its two bodies; and whether the packed bodies are those of all rows, or of all names. */
  readonly rows: Uint32Array;
  readonly byRow: boolean;
  readonly candidates: Uint32Array;
  readonly triangles: MeetingTriangles | undefined;
  readonly known: Uint32Array | undefined;
}

/** What is asked about the pairs: the relations of those at some places, or the common points of all. */
export type PairsRound = { readonly relationsOf: Uint32Array } | 'points';

export function* packPairs({
  snapshot,
  candidates,
  triangles,
  known,
}: PairsFound): Generator<number, PackedPairs> {
  const poses = snapshot.allPoses && shared(snapshot.allPoses);
  return {
    bodies: yield* packKeptBodies(snapshot, poses),
    rows: shared(snapshot.rows),
    byRow: poses !== undefined,
    candidates: shared(candidates),
    triangles: triangles && { start: shared(triangles.start), triangles: shared(triangles.triangles) },
    known: known && shared(known),
  };
}

const unpackPairs = (
  engine: CpuEngine,
  { bodies, rows, byRow, candidates, triangles, known }: PackedPairs,
): SeenPairs => {
  const bodyAt = unpackBodies(bodies);
  const snapshot = { bodyAt: byRow ? (i: number) => bodyAt(rows[i]) : bodyAt };
  return new SeenPairs({ candidates, triangles, known, rows, snapshot }, engine);
};

/** Runs in another thread: finds the relations of pairs, as places in `relationWords`, or their common points. */
export function pairsJob(engine: CpuEngine, packed: PackedPairs) {
  const pairs = unpackPairs(engine, packed);
  return (round: PairsRound) =>
    round === 'points' ? pointsOf(pairs) : relationsOf(pairs, round.relationsOf);
}

const relationsOf = (pairs: SeenPairs, places: Uint32Array) =>
  function* (from: number, to: number): Generator<undefined, Uint8Array> {
    const found = new Uint8Array(to - from);
    for (let i = from; i < to; i++) {
      found[i - from] = relationWords.indexOf(pairs.relation(places[i]));
      yield;
    }
    return found;
  };

const pointsOf = (pairs: SeenPairs) =>
  function* (from: number, to: number): Generator<undefined, Float64Array> {
    const found = new Float64Array(3 * (to - from));
    for (let place = from; place < to; place++) {
      pairs.point(place, found, 3 * (place - from));
      yield;
    }
    return found;
  };
