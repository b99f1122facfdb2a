// The job of other threads that casts rays: what it needs, and what it answers.

import { type PackedBodies, packBodies, unpackBodies } from '../bodies/snapshot/packed-bodies.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { shared } from '../cpu/threads/together.ts';
import type { RayRequest } from './cpu/driver.ts';
import { type SomeRays, someHits } from './some-rays.ts';

interface PackedRays {
  readonly bodies: PackedBodies;
  readonly count: number;
  readonly request: RayRequest;
}

export function* packRays({ bodies, request }: SomeRays): Generator<number, PackedRays> {
  return {
    bodies: yield* packBodies(bodies.length, i => bodies[i]),
    count: bodies.length,
    request: { ...request, rays: shared(request.rays) },
  };
}

/** Runs in another thread: finds the hits of the i-th batch. */
export function raysJob(engine: CpuEngine, { bodies, count, request }: PackedRays) {
  const bodyAt = unpackBodies(bodies);
  const asked: SomeRays = { bodies: Array.from({ length: count }, (_, i) => bodyAt(i)), request };
  return () => (i: number) => someHits(engine, asked, i);
}
