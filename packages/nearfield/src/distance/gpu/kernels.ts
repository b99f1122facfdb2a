// The kernels of distances on the GPU. The kernels of candidates/gpu place, pair and frame the bodies;
// distance-pair.wgsl adds to the frames what distances need.

import { ShapeLayout } from '../../bvh/gpu/layouts.ts';
import boxTestModule from '../../bvh/gpu/modules/box-test.wgsl';
import keptLeavesModule from '../../bvh/gpu/modules/kept-leaves.wgsl';
import nearerFirstModule from '../../bvh/gpu/modules/nearer-first.wgsl';
import unitsModule from '../../bvh/gpu/units/in-units.wgsl';
import placeModule from '../../bvh/gpu/units/tree-place.wgsl';
import vertexModule from '../../bvh/gpu/units/vertex-in-units.wgsl';
import { createFrontKernels, type FrontKernels } from '../../candidates/gpu/kernels.ts';
import { FrameLayout } from '../../candidates/gpu/layouts.ts';
import { createKernel, type Kernel } from '../../gpu/kernel.ts';
import { createSortKernels } from '../../gpu/sort/radix-sort.ts';
import workItemsModule from '../../interferences/hierarchy/gpu/traverse/work-items.wgsl';
import twoBodiesModule from '../../interferences/hierarchy/gpu/triangles/neighbours-of-two-bodies.wgsl';
import pairTestModule from '../../interferences/hierarchy/gpu/triangles/pair-test.wgsl';
import filterModule from '../../math/gpu/filter.wgsl';
import wideModule from '../../math/gpu/wide.wgsl';
import wideVectorsModule from '../../math/gpu/wide-vectors.wgsl';
import trianglesModule from '../../math/triangles/triangle-triangle.wgsl';
import boundModule from './bound.wgsl';
import closestSource from './closest/closest-points.wgsl';
import { CloudLayout } from './closest/cloud.ts';
import type { ClosestKernels } from './closest/piece-search.ts';
import placeLeavesSource from './closest/place-leaves.wgsl';
import placePointsSource from './closest/place-points.wgsl';
import keysSource from './closest/point-keys.wgsl';
import pairModule from './distance-pair.wgsl';
import { resultWgsl } from './layouts.ts';
import boxDistanceModule from './measure/box-distance.wgsl';
import farModule from './measure/far-distance.wgsl';
import farTrianglesModule from './measure/far-triangles.wgsl';
import footModule from './measure/foot-in-triangle.wgsl';
import gapModule from './measure/gap.wgsl';
import guessModule from './measure/guess-features.wgsl';
import triangleModule from './measure/triangle-distance.wgsl';
import wideCornersModule from './measure/wide-corners.wgsl';
import certainModule from './search/certain-nearest.wgsl';
import collectNearSource from './search/collect-near-pairs.wgsl';
import firstBoundSource from './search/first-bound.wgsl';
import listModule from './search/list-pairs.wgsl';
import measureSource from './search/measure-blocks.wgsl';
import pairBlocksSource from './search/pair-blocks.wgsl';
import refineSource from './search/refine-pairs.wgsl';
import tightenModule from './search/tighten-bound.wgsl';
import walkModule from './search/walk-nearest.wgsl';

export interface DistanceKernels {
  readonly front: FrontKernels;
  readonly firstBound: Kernel;
  readonly pairBlocks: Kernel;
  readonly tighten: Kernel;
  readonly list: Kernel;
  readonly collectNear: Kernel;
}

const frame = [resultWgsl, FrameLayout.wgsl, boundModule];
const triangles = [
  wideModule,
  filterModule,
  trianglesModule,
  pairTestModule,
  twoBodiesModule,
  gapModule,
  triangleModule,
];
const boxes = [boxTestModule, farModule];
const wide = [wideModule, wideVectorsModule, gapModule, guessModule, wideCornersModule];
const walk = [...frame, ...triangles, ...boxes, farTrianglesModule, walkModule];

/** The number of buffers that the refining kernel binds. Devices opened with the default limits allow eight. */
const mostBuffers = 10;

export async function createDistanceKernels(device: GPUDevice): Promise<DistanceKernels> {
  const make = (label: string, modules: readonly string[], constants?: Record<string, number>) =>
    createKernel(device, label, modules, constants);
  const [front, firstBound, pairBlocks, tighten, list, collectNear] = await Promise.all([
    createFrontKernels(device, { name: 'for distances', modules: [resultWgsl, pairModule] }),
    make('first-bound', [...walk, workItemsModule, tightenModule, firstBoundSource]),
    make('pair-blocks', [...frame, ...boxes, boxDistanceModule, workItemsModule, pairBlocksSource]),
    make('tighten-bound', [...walk, boxDistanceModule, tightenModule, measureSource], { everyLeaf: 0 }),
    make('list-pairs', [...walk, boxDistanceModule, listModule, measureSource], { everyLeaf: 1 }),
    make('collect-near-pairs', [...frame, collectNearSource]),
  ]);
  return { front, firstBound, pairBlocks, tighten, list, collectNear };
}

/** Compiled only if needed, since that takes long. Undefined on devices that bind too few buffers. */
export const createRefineKernel = (device: GPUDevice): Promise<Kernel> | undefined =>
  device.limits.maxStorageBuffersPerShaderStage < mostBuffers
    ? undefined
    : createKernel(device, 'refine-pairs', [...frame, ShapeLayout.wgsl, ...wide, refineSource]);

/** The kernels for the triangles nearest to points. */
export async function createClosestKernels(device: GPUDevice): Promise<ClosestKernels> {
  const modules = [
    CloudLayout.wgsl,
    unitsModule,
    vertexModule,
    footModule,
    placeModule,
    nearerFirstModule,
    keptLeavesModule,
    certainModule,
    closestSource,
  ];
  const [leaves, place, keys, sample, search, sort] = await Promise.all([
    createKernel(device, 'place-leaves', [CloudLayout.wgsl, unitsModule, vertexModule, placeLeavesSource]),
    createKernel(device, 'place-points', [CloudLayout.wgsl, wideModule, placePointsSource]),
    createKernel(device, 'point-keys', [CloudLayout.wgsl, keysSource]),
    createKernel(device, 'sample-points', modules, { sampling: 1 }),
    createKernel(device, 'closest-points', modules, { sampling: 0 }),
    createSortKernels(device),
  ]);
  return { leaves, place, keys, sample, search, sort };
}
