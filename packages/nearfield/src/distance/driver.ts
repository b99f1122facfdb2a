// The part of distances that a GPU does. The CPU's search (cpu/driver.ts) does the rest.

import type { Placed, SnapshotSource } from '../bodies/snapshot/snapshot.ts';
import type { DriverKey } from '../gpu/engine.ts';
import type {
  AskedPoints,
  NearestPairsRequest,
  NearTriangles,
  NearTrianglesRequest,
  RawNearest,
} from './request.ts';

export interface GpuDistanceDriver {
  /** The nearest triangles of all pairs of bodies at once, in order of a, then b. */
  nearestPairs(bodies: SnapshotSource, request: NearestPairsRequest): Promise<RawNearest>;
  /**
   * The triangle nearest to each point, or those that may be; undefined if single precision cannot tell. If nothing else is
   * asked, the GPU has begun when this returns. Throws 'not-finite' for a point that is not finite.
   */
  nearTriangles(
    body: Placed,
    points: AskedPoints,
    request: NearTrianglesRequest,
  ): Promise<NearTriangles | undefined>;
}

export const gpuDistanceDriver: DriverKey<GpuDistanceDriver> = { name: 'distance' };
