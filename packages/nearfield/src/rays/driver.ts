// The part of rays that a GPU does: which triangles they may meet, or meet first. The CPU's kernel (cpu/cast.as.ts) does the rest.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import type { GivenTriangles } from '../bvh/given-triangles.ts';
import type { Limits } from '../core/limits.ts';
import type { DriverKey } from '../gpu/engine.ts';
import type { RayRequest } from './cpu/driver.ts';

export interface GpuRayDriver {
  /** What the chosen rays, or all, may hit of a body; undefined if single precision cannot tell. */
  candidates(
    body: Placed,
    request: RayRequest,
    chosen: Uint32Array | undefined,
    limits: Limits,
  ): Promise<GivenTriangles | undefined>;
}

export const gpuRayDriver: DriverKey<GpuRayDriver> = { name: 'rays' };
