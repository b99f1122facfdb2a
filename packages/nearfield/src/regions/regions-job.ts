// The job of other threads that searches boxes and spheres: what it needs, and what it answers.

import { type PackedBodies, packBodies, unpackBodies } from '../bodies/snapshot/packed-bodies.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { shared } from '../cpu/threads/together.ts';
import type { RegionRequest } from './request.ts';
import { type SomeRegions, someRegions } from './some-regions.ts';

interface PackedRegions {
  readonly bodies: PackedBodies;
  readonly count: number;
  readonly request: RegionRequest;
}

export function* packRegions({ bodies, request }: SomeRegions): Generator<number, PackedRegions> {
  return {
    bodies: yield* packBodies(bodies.length, i => bodies[i]),
    count: bodies.length,
    request: { ...request, regions: shared(request.regions) },
  };
}

/** Runs in another thread: searches the i-th batch. */
export function regionsJob(engine: CpuEngine, { bodies, count, request }: PackedRegions) {
  const bodyAt = unpackBodies(bodies);
  const asked: SomeRegions = { bodies: Array.from({ length: count }, (_, i) => bodyAt(i)), request };
  return () => (i: number) => someRegions(engine, asked, i);
}
