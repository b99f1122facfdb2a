// The compiled kernels of the hierarchy method. Those that not every query needs are compiled when first asked for.

import { ShapeLayout } from '../../../bvh/gpu-layouts.ts';
import { createKernel, type Kernel } from '../../../gpu/kernel.ts';
import scanSource from '../../../gpu/sort/scan.wgsl';
import scanModule from '../../../gpu/sort/workgroup-scan.wgsl';
import filterModule from '../../../math/filter.wgsl';
import neighboursModule from '../../../math/triangle-neighbours.wgsl';
import trianglesModule from '../../../math/triangle-triangle.wgsl';
import wideModule from '../../../math/wide.wgsl';
import type { Detail } from '../../../scene/engine.ts';
import broadSource from './bodies/broad-phase.wgsl';
import framesSource from './bodies/pair-frames.wgsl';
import placeSource from './bodies/place-bodies.wgsl';
import { BodyLayout, FrameLayout, QueryLayout, Result, resultWgsl, StepLayout } from './layouts.ts';
import boxTestModule from './traverse/box-test.wgsl';
import levelSource from './traverse/breadth-first.wgsl';
import collectModule from './traverse/collect-leaves.wgsl';
import enterSource from './traverse/enter-trees.wgsl';
import nodePairsModule from './traverse/node-pairs.wgsl';
import testVisitedModule from './traverse/test-visited.wgsl';
import walkSource from './traverse/walk.wgsl';
import workItemsModule from './traverse/work-items.wgsl';
import bruteForceSource from './triangles/brute-force.wgsl';
import pairTestModule from './triangles/pair-test.wgsl';
import recordModule from './triangles/record.wgsl';
import testSource from './triangles/test-leaves.wgsl';

export interface HierarchyKernels {
  readonly place: Kernel;
  readonly broad: Kernel;
  readonly frames: Kernel;
  readonly scanWork: Kernel;
}

const query = [QueryLayout.wgsl, resultWgsl];
const body = [BodyLayout.wgsl, wideModule, filterModule];
const triangles = [wideModule, filterModule, trianglesModule, neighboursModule, pairTestModule, recordModule];
const detailNumbers: Record<Detail, number> = { list: 0, count: 1, any: 2 };

export async function createHierarchyKernels(device: GPUDevice): Promise<HierarchyKernels> {
  const [place, broad, frames, scanWork] = await Promise.all([
    createKernel(device, 'place-bodies', [...query, ShapeLayout.wgsl, ...body, placeSource]),
    createKernel(device, 'broad-phase', [...query, broadSource]),
    createKernel(device, 'pair-frames', [...query, FrameLayout.wgsl, ...body, boxTestModule, framesSource]),
    createKernel(device, 'scan-work', [scanModule, scanSource], {
      countAt: Result.candidates,
      totalAt: Result.workItems,
    }),
  ]);
  return { place, broad, frames, scanWork };
}

/** One thread per leaf, listing leaf pairs. */
export const createWalkKernel = (device: GPUDevice): Promise<Kernel> =>
  createKernel(device, 'walk', [...query, FrameLayout.wgsl, workItemsModule, collectModule, walkSource]);

/** One thread per leaf, testing leaf pairs at once and stopping at the first that meets. */
export const createWalkAnyKernel = (device: GPUDevice): Promise<Kernel> =>
  createKernel(
    device,
    'walk to the first',
    [...query, FrameLayout.wgsl, workItemsModule, ...triangles, testVisitedModule, walkSource],
    { detail: detailNumbers.any },
  );

/** The triangle tests of listed leaf pairs. */
export const createTestKernel = (device: GPUDevice, detail: Detail): Promise<Kernel> =>
  createKernel(device, `test-leaves ${detail}`, [...query, FrameLayout.wgsl, ...triangles, testSource], {
    detail: detailNumbers[detail],
  });

export const createBruteForceKernel = (device: GPUDevice, detail: Detail): Promise<Kernel> =>
  createKernel(
    device,
    `brute-force ${detail}`,
    [...query, FrameLayout.wgsl, workItemsModule, ...triangles, bruteForceSource],
    { detail: detailNumbers[detail] },
  );

export async function createBreadthFirstKernels(
  device: GPUDevice,
): Promise<{ enter: Kernel; level: Kernel }> {
  const modules = [...query, FrameLayout.wgsl, scanModule, nodePairsModule];
  const [enter, level] = await Promise.all([
    createKernel(device, 'enter-trees', [...modules, enterSource]),
    createKernel(device, 'breadth-first', [...modules, StepLayout.wgsl, boxTestModule, levelSource]),
  ]);
  return { enter, level };
}
