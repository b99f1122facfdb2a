// The part of boxes and spheres that a GPU does: which triangles they meet or may meet. The CPU's search
// (cpu/driver.ts) does the rest.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import type { GivenTriangles } from '../bvh/given-triangles.ts';
import type { Limits } from '../core/limits.ts';
import type { EngineStats } from '../core/stats.ts';
import type { DriverKey } from '../gpu/engine.ts';
import type { RegionRequest } from './request.ts';

export interface GpuRegionDriver {
  /** What the chosen regions meet of a body; undefined if single precision cannot tell. Adds to the stats. */
  candidates(
    body: Placed,
    request: RegionRequest,
    chosen: Uint32Array,
    stats: EngineStats,
    limits: Limits,
  ): Promise<GivenTriangles | undefined>;
}

export const gpuRegionDriver: DriverKey<GpuRegionDriver> = { name: 'regions' };
