// The pairs of an answer in other threads: what these need, and what they answer.

import { type PackedBodies, packKeptBodies, unpackBodies } from '../bodies/snapshot/packed-bodies.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { shared } from '../cpu/threads/together.ts';
import type { MeetingTriangles } from './exact.ts';
import type { PairsFound } from './known-pairs.ts';
import { relationWords, SeenPairs } from './seen-pairs.ts';

/** What other threads need to decide anything about the pairs. */
export interface PackedPairs {
  readonly bodies: PackedBodies;
  /** Per pair, the places of its two bodies among these. */
  readonly places: Uint32Array;
  readonly candidates: Uint32Array;
  readonly triangles: MeetingTriangles | undefined;
}

export function packPairs({ snapshot, candidates, triangles }: PairsFound): PackedPairs {
  return {
    ...packKeptBodies(snapshot),
    candidates: shared(candidates),
    triangles: triangles && { start: shared(triangles.start), triangles: shared(triangles.triangles) },
  };
}

const unpackPairs = (
  engine: CpuEngine,
  { bodies, places, candidates, triangles }: PackedPairs,
): SeenPairs => {
  const bodyAt = unpackBodies(bodies);
  return new SeenPairs({ candidates, triangles, rows: places, bodyAt: i => bodyAt(places[i]) }, engine);
};

/** In another thread: the relations of pairs, as places in `relationWords`. */
export function relationsJob(engine: CpuEngine, packed: PackedPairs) {
  const pairs = unpackPairs(engine, packed);
  return function* (from: number, to: number): Generator<undefined, Uint8Array> {
    const found = new Uint8Array(to - from);
    for (let place = from; place < to; place++) {
      found[place - from] = relationWords.indexOf(pairs.relation(place));
      yield;
    }
    return found;
  };
}

/** In another thread: the common points of pairs. */
export function pointsJob(engine: CpuEngine, packed: PackedPairs) {
  const pairs = unpackPairs(engine, packed);
  return function* (from: number, to: number): Generator<undefined, Float64Array> {
    const found = new Float64Array(3 * (to - from));
    for (let place = from; place < to; place++) {
      pairs.point(place, found, 3 * (place - from));
      yield;
    }
    return found;
  };
}
