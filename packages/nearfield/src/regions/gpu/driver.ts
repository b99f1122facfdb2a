// Boxes and spheres on the GPU: their numbers in single precision, relative to the body, and the search
// (bvh/gpu/probes/probe-search.ts).

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { GivenTriangles } from '../../bvh/given-triangles.ts';
import { askWithTrees, treesIn } from '../../bvh/gpu/ask.ts';
import { ProbeSearch, type Probes, ProbesLayout } from '../../bvh/gpu/probes/probe-search.ts';
import probesModule from '../../bvh/gpu/probes/probes.wgsl';
import type { Limits } from '../../core/limits.ts';
import type { EngineStats } from '../../core/stats.ts';
import gapModule from '../../distance/gpu/measure/gap.wgsl';
import pointTriangleModule from '../../distance/gpu/measure/point-triangle.wgsl';
import type { GpuEngine } from '../../gpu/engine.ts';
import { createKernel, type Kernel } from '../../gpu/kernel.ts';
import type { Session } from '../../gpu/session.ts';
import filterModule from '../../math/gpu/filter.wgsl';
import type { GpuRegionDriver } from '../driver.ts';
import type { RegionRequest } from '../request.ts';
import boxesSource from './boxes.wgsl';
import walkModule from './region-walk.wgsl';
import spheresSource from './spheres.wgsl';

const common = [ProbesLayout.wgsl, filterModule, probesModule, walkModule];

const createBoxKernel = (device: GPUDevice): Promise<Kernel> =>
  createKernel(device, 'boxes', [...common, boxesSource]);

const createSphereKernel = (device: GPUDevice): Promise<Kernel> =>
  createKernel(device, 'spheres', [...common, gapModule, pointTriangleModule, spheresSource]);

async function createBoxSearch(session: Session): Promise<ProbeSearch> {
  const kernel = await session.program(createBoxKernel);
  return new ProbeSearch(session.opened.device, kernel, await treesIn(session));
}

async function createSphereSearch(session: Session): Promise<ProbeSearch> {
  const kernel = await session.program(createSphereKernel);
  return new ProbeSearch(session.opened.device, kernel, await treesIn(session));
}

export const createDriver = (engine: GpuEngine): GpuRegionDriver => new GpuRegions(engine);

class GpuRegions implements GpuRegionDriver {
  readonly #engine: GpuEngine;

  constructor(engine: GpuEngine) {
    this.#engine = engine;
  }

  candidates(
    body: Placed,
    request: RegionRequest,
    chosen: Uint32Array,
    stats: EngineStats,
    limits: Limits,
  ): Promise<GivenTriangles | undefined> {
    const probes = request.spheres ? spheresOf(request, chosen) : boxesOf(request, chosen);
    return askWithTrees(
      this.#engine,
      [body.shape],
      limits,
      session => session.part(request.spheres ? createSphereSearch : createBoxSearch),
      (search, { preparation, checkpoint }) => search.run(body, probes, stats, preparation, checkpoint),
    );
  }
}

/** All vertices lie within this many units of the origin, and some more. */
const mostOfBox = 8;
/** Centres are clamped to this: the kernel treats all spheres farther away alike. */
const mostPlace = 2 ** 41;
const mostRadius = 2 ** 60;

const boxesOf = ({ regions, detail }: RegionRequest, chosen: Uint32Array): Probes => ({
  count: chosen.length,
  numbers: 6,
  first: detail === 'any',
  write({ origin, unit }, from, end, out) {
    for (let i = from, to = 0; i < end; i++) {
      for (let k = 0; k < 6; k++) {
        const place = (regions[6 * chosen[i] + k] - origin[k % 3]) / unit;
        out[to++] = Math.max(-mostOfBox, Math.min(mostOfBox, place));
      }
    }
  },
});

const spheresOf = ({ regions, detail }: RegionRequest, chosen: Uint32Array): Probes => ({
  count: chosen.length,
  numbers: 5,
  first: detail === 'any',
  write({ origin, unit }, from, end, out) {
    for (let i = from, to = 0; i < end; i++) {
      const at = 4 * chosen[i];
      for (let k = 0; k < 3; k++) {
        out[to++] = Math.max(-mostPlace, Math.min(mostPlace, (regions[at + k] - origin[k]) / unit));
      }
      const radius = regions[at + 3] / unit;
      out[to++] = Math.min(mostRadius, radius * (1 + 2 ** -20) + 2 ** -100);
      out[to++] = Math.min(mostRadius, radius * (1 - 2 ** -20));
    }
  },
});
