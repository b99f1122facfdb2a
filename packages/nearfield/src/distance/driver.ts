// The part of distances that a GPU does. The CPU's search (cpu/driver.ts) does the rest.

import type { Placed, SnapshotSource } from '../bodies/snapshot/snapshot.ts';
import type { Limits } from '../core/limits.ts';
import type { DriverKey } from '../gpu/engine.ts';
import type { NearestPairsRequest, OrderedNear, RawNearest } from './request.ts';

export interface GpuDistanceDriver {
  /** The nearest triangles of all pairs of bodies at once, in order of a, then b. */
  nearestPairs(bodies: SnapshotSource, request: NearestPairsRequest): Promise<RawNearest>;
  /**
   * The triangles that may be nearest to each point; undefined if single precision cannot tell. `order` lists the
   * points' numbers so that neighbours follow each other; it sorts groups of `most` points, one group after the
   * other.
   */
  nearTriangles(
    body: Placed,
    points: Float64Array,
    order: (most: number) => Uint32Array,
    upTo: number,
    limits: Limits,
  ): Promise<OrderedNear | undefined>;
}

export const gpuDistanceDriver: DriverKey<GpuDistanceDriver> = { name: 'distance' };
