// The part of distances that a GPU does. The CPU's search (cpu/driver.ts) does the rest.

import type { Placed, SnapshotSource } from '../bodies/snapshot/snapshot.ts';
import type { Limits } from '../core/limits.ts';
import type { DriverKey } from '../gpu/engine.ts';
import type { NearestPairsRequest, NearTriangles, RawNearest } from './request.ts';

export interface GpuDistanceDriver {
  /** The nearest triangles of all pairs of bodies at once, in order of a, then b. */
  nearestPairs(bodies: SnapshotSource, request: NearestPairsRequest): Promise<RawNearest>;
  /**
   * The triangle nearest to each point, or those that may be; undefined if single precision cannot tell. Calls
   * `meanwhile` once while the GPU works. Throws 'not-finite' for a point that is not finite.
   */
  nearTriangles(
    body: Placed,
    points: Float64Array,
    upTo: number,
    limits: Limits,
    meanwhile?: () => void,
  ): Promise<NearTriangles | undefined>;
}

export const gpuDistanceDriver: DriverKey<GpuDistanceDriver> = { name: 'distance' };
