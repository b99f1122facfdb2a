// The compiled kernels of the hierarchy method.

import { ShapeLayout } from '../../../bvh/gpu-layouts.ts';
import { createKernel, type Kernel } from '../../../gpu/kernel.ts';
import scanSource from '../../../gpu/scan.wgsl';
import scanModule from '../../../gpu/workgroup-scan.wgsl';
import filterModule from '../../../math/filter.wgsl';
import neighboursModule from '../../../math/triangle-neighbours.wgsl';
import trianglesModule from '../../../math/triangle-triangle.wgsl';
import wideModule from '../../../math/wide.wgsl';
import type { Detail } from '../../../scene/engine.ts';
import boxTestModule from './box-test.wgsl';
import broadSource from './broad-phase.wgsl';
import collectModule from './collect-leaves.wgsl';
import { BodyLayout, FrameLayout, QueryLayout, Result, resultWgsl } from './layouts.ts';
import framesSource from './pair-frames.wgsl';
import pairTestModule from './pair-test.wgsl';
import placeSource from './place-bodies.wgsl';
import recordModule from './record.wgsl';
import testSource from './test-leaves.wgsl';
import walkSource from './walk.wgsl';

export interface HierarchyKernels {
  readonly place: Kernel;
  readonly broad: Kernel;
  readonly frames: Kernel;
  readonly scanWork: Kernel;
  readonly walk: Kernel;
}

const details: Record<Detail, number> = { list: 0, count: 1, any: 2 };

export async function createHierarchyKernels(device: GPUDevice): Promise<HierarchyKernels> {
  const common = [QueryLayout.wgsl, resultWgsl];
  const [place, broad, frames, scanWork, walk] = await Promise.all([
    createKernel(device, 'place-bodies', [
      ...common,
      ShapeLayout.wgsl,
      BodyLayout.wgsl,
      wideModule,
      filterModule,
      placeSource,
    ]),
    createKernel(device, 'broad-phase', [...common, broadSource]),
    createKernel(device, 'pair-frames', [
      ...common,
      BodyLayout.wgsl,
      FrameLayout.wgsl,
      wideModule,
      filterModule,
      boxTestModule,
      framesSource,
    ]),
    createKernel(device, 'scan-work', [scanModule, scanSource], {
      countAt: Result.candidates,
      totalAt: Result.workItems,
    }),
    createKernel(device, 'walk', [...common, FrameLayout.wgsl, collectModule, walkSource]),
  ]);
  return { place, broad, frames, scanWork, walk };
}

/** Triangle tests, compiled when a detail is first asked for. */
export function createTestKernel(device: GPUDevice, detail: Detail): Promise<Kernel> {
  const triangles = [
    FrameLayout.wgsl,
    wideModule,
    filterModule,
    trianglesModule,
    neighboursModule,
    pairTestModule,
  ];
  const modules = [QueryLayout.wgsl, resultWgsl, ...triangles, recordModule, testSource];
  return createKernel(device, `test-leaves ${detail}`, modules, { detail: details[detail] });
}
