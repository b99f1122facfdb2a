// Rays in batches, each of which is answered by itself, so that threads can share them and little memory is in use
// at a time.

import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { cpuRays, type RayRequest } from './cpu/driver.ts';
import { decideHits, type RayHits } from './hits.ts';

/** Rays, and the bodies that they may hit. */
export interface SomeRays {
  readonly bodies: readonly SnapshotBody[];
  readonly request: RayRequest;
}

/** Rays per batch: a few milliseconds of work. If there are many bodies, each batch sorts their boxes. */
const batchSize = ({ bodies }: SomeRays): number => Math.max(4096, 2 * bodies.length);

export const batchCount = (asked: SomeRays): number =>
  Math.max(1, Math.ceil(asked.request.rays.length / (6 * batchSize(asked))));

/** The hits of the i-th batch. Yields the share done. */
export function* someHits(engine: CpuEngine, asked: SomeRays, i: number): Generator<number, RayHits> {
  const { bodies, request } = asked;
  const size = 6 * batchSize(asked);
  const batch = { ...request, rays: request.rays.subarray(size * i, size * (i + 1)) };
  const found = yield* cpuRays(engine).steps(bodies, batch);
  return yield* decideHits(found, bodies, batch, 'cpu');
}

/** The hits of all batches. */
export function joinHits(asked: SomeRays, parts: readonly RayHits[]): RayHits {
  if (parts.length === 1) return parts[0];
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const all = {
    ...{ rays: new Uint32Array(count), bodies: new Uint32Array(count), triangles: new Uint32Array(count) },
    ...{ times: new Float64Array(count), weights: new Float64Array(2 * count) },
    ...{ crossings: new Int8Array(count), firsts: new Int32Array(asked.request.rays.length / 6) },
  };
  let hit = 0;
  parts.forEach((part, i) => {
    const first = i * batchSize(asked);
    for (let k = 0; k < part.count; k++) all.rays[hit + k] = part.rays[k] + first;
    for (let k = 0; k < part.firsts.length; k++)
      all.firsts[first + k] = part.firsts[k] < 0 ? -1 : part.firsts[k] + hit;
    all.bodies.set(part.bodies, hit);
    all.triangles.set(part.triangles, hit);
    all.times.set(part.times, hit);
    all.weights.set(part.weights, 2 * hit);
    all.crossings.set(part.crossings, hit);
    hit += part.count;
  });
  return { count, ...all, backend: 'cpu' };
}
