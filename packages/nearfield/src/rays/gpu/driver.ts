// Rays on the GPU: their numbers in single precision (probes.ts), and the search (bvh/gpu/probes/probe-search.ts).

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { GivenTriangles } from '../../bvh/given-triangles.ts';
import { askWithTrees, treesIn } from '../../bvh/gpu/ask.ts';
import keptLeavesModule from '../../bvh/gpu/modules/kept-leaves.wgsl';
import nearerFirstModule from '../../bvh/gpu/modules/nearer-first.wgsl';
import { ProbeSearch, ProbesLayout } from '../../bvh/gpu/probes/probe-search.ts';
import probesModule from '../../bvh/gpu/probes/probes.wgsl';
import type { Limits } from '../../core/limits.ts';
import { newStats } from '../../core/stats.ts';
import type { GpuEngine } from '../../gpu/engine.ts';
import { createKernel, type Kernel } from '../../gpu/kernel.ts';
import type { Session } from '../../gpu/session.ts';
import filterModule from '../../math/gpu/filter.wgsl';
import type { RayRequest } from '../cpu/driver.ts';
import type { GpuRayDriver } from '../driver.ts';
import { rayProbes } from './probes.ts';
import raysSource from './rays.wgsl';

const createRayKernel = (device: GPUDevice): Promise<Kernel> =>
  createKernel(device, 'rays', [
    ProbesLayout.wgsl,
    filterModule,
    probesModule,
    nearerFirstModule,
    keptLeavesModule,
    raysSource,
  ]);

async function createRaySearch(session: Session): Promise<ProbeSearch> {
  const kernel = await session.program(createRayKernel);
  return new ProbeSearch(session.opened.device, kernel, await treesIn(session));
}

export const createDriver = (engine: GpuEngine): GpuRayDriver => new GpuRays(engine);

class GpuRays implements GpuRayDriver {
  readonly #engine: GpuEngine;

  constructor(engine: GpuEngine) {
    this.#engine = engine;
  }

  candidates(
    body: Placed,
    request: RayRequest,
    chosen: Uint32Array | undefined,
    limits: Limits,
  ): Promise<GivenTriangles | undefined> {
    const probes = rayProbes(request, chosen);
    return askWithTrees(
      this.#engine,
      [body.shape],
      limits,
      session => session.part(createRaySearch),
      (search, { preparation, checkpoint }) => search.run(body, probes, newStats(), preparation, checkpoint),
    );
  }
}
