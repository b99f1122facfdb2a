// The job of other threads that tells which points lie in a solid: what it needs, and what it answers.

import { type PackedBodies, packBodies, unpackBodies } from '../bodies/snapshot/packed-bodies.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { shared } from '../cpu/threads/together.ts';
import { type SomePoints, somePlaces } from './inside.ts';

interface PackedPoints {
  readonly bodies: PackedBodies;
  readonly points: Float64Array;
}

export function* packPoints({ body, points }: SomePoints): Generator<number, PackedPoints> {
  return { bodies: yield* packBodies(1, () => body), points: shared(points) };
}

/** Runs in another thread: tells where the points of the i-th step are. */
export function insideJob(engine: CpuEngine, { bodies, points }: PackedPoints) {
  const asked: SomePoints = { body: unpackBodies(bodies)(0), points };
  return () => (i: number) => somePlaces(engine, asked, i);
}
