// Boxes and spheres in batches, each of which is answered by itself, so that threads can share them and little memory is in use
// at a time.

import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { newStats } from '../core/stats.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { decideRegions, RegionHits } from './answer.ts';
import { cpuRegions } from './cpu/driver.ts';
import type { RegionRequest } from './request.ts';

/** Regions, and the bodies that they may meet. */
export interface SomeRegions {
  readonly bodies: readonly SnapshotBody[];
  readonly request: RegionRequest;
}

/** Regions per batch: a few milliseconds of work. If there are many bodies, each batch sorts their boxes. */
const batchSize = ({ bodies }: SomeRegions): number => Math.max(1024, 2 * bodies.length);

export const batchCount = (asked: SomeRegions): number =>
  Math.max(1, Math.ceil(asked.request.count / batchSize(asked)));

/** What the i-th batch meets. Yields the share done. */
export function* someRegions(
  engine: CpuEngine,
  asked: SomeRegions,
  i: number,
): Generator<number, RegionHits> {
  const { bodies, request } = asked;
  const size = batchSize(asked);
  const count = Math.min(size, request.count - size * i);
  const numbers = request.spheres ? 4 : 6;
  const regions = request.regions.subarray(numbers * size * i, numbers * (size * i + count));
  const batch = { ...request, regions, count };
  const found = yield* cpuRegions(engine).steps(bodies, batch);
  return yield* decideRegions(found, bodies, batch, 'cpu');
}

/** What all batches meet. */
export function joinRegions(asked: SomeRegions, parts: readonly RegionHits[]): RegionHits {
  const { count, detail } = asked.request;
  const sum = (length: (part: RegionHits) => number) => parts.reduce((all, part) => all + length(part), 0);
  const hits = sum(({ regions }) => regions.length);
  const [regions, bodies] = [new Uint32Array(hits), new Uint32Array(hits)];
  const starts = new Uint32Array(count + 1);
  const triangleStarts = detail === 'any' ? undefined : new Uint32Array(hits + 1);
  const triangles = detail === 'list' ? new Uint32Array(sum(part => part.triangles?.length ?? 0)) : undefined;
  const stats = newStats();
  let hit = 0;
  parts.forEach((part, i) => {
    const first = i * batchSize(asked);
    const length = part.regions.length;
    for (let k = 0; k < length; k++) regions[hit + k] = part.regions[k] + first;
    for (let k = 1; k < part.starts.length; k++) starts[first + k] = part.starts[k] + hit;
    bodies.set(part.bodies, hit);
    if (triangleStarts !== undefined) {
      const before = triangleStarts[hit];
      triangles?.set(part.triangles!, before);
      for (let k = 1; k <= length; k++) triangleStarts[hit + k] = part.triangleStarts![k] + before;
    }
    for (const key of ['triangleTests', 'unsure', 'boxTests', 'growths'] as const)
      stats[key] += part.stats[key];
    hit += length;
  });
  return new RegionHits(regions, bodies, starts, triangleStarts, triangles, 'cpu', stats);
}
