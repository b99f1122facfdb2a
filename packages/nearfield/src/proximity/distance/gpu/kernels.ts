// The kernels of distances on the GPU. Bodies are placed, paired and framed by those of the hierarchy method, with frames
// that hold what distances need (distance-pair.wgsl).

import { ShapeLayout } from '../../../bvh/gpu-layouts.ts';
import { createKernel, type Kernel } from '../../../gpu/kernel.ts';
import scanSource from '../../../gpu/sort/scan.wgsl';
import scanModule from '../../../gpu/sort/workgroup-scan.wgsl';
import filterModule from '../../../math/filter.wgsl';
import trianglesModule from '../../../math/triangle-triangle.wgsl';
import wideModule from '../../../math/wide.wgsl';
import placeSource from '../../../methods/hierarchy/gpu/bodies/place-bodies.wgsl';
import placeModule from '../../../methods/hierarchy/gpu/bodies/place-body.wgsl';
import bodiesAsGivenModule from '../../../methods/hierarchy/gpu/broad/bodies-as-given.wgsl';
import broadSource from '../../../methods/hierarchy/gpu/broad/broad-phase.wgsl';
import fewSource from '../../../methods/hierarchy/gpu/broad/few-bodies.wgsl';
import frameModule from '../../../methods/hierarchy/gpu/frames/pair-frame.wgsl';
import framesSource from '../../../methods/hierarchy/gpu/frames/pair-frames.wgsl';
import {
  BodyLayout,
  FrameLayout,
  QueryLayout,
  Result,
  resultWgsl,
} from '../../../methods/hierarchy/gpu/layouts.ts';
import boxTestModule from '../../../methods/hierarchy/gpu/traverse/box-test.wgsl';
import workItemsModule from '../../../methods/hierarchy/gpu/traverse/work-items.wgsl';
import twoBodiesModule from '../../../methods/hierarchy/gpu/triangles/neighbours-of-two-bodies.wgsl';
import pairTestModule from '../../../methods/hierarchy/gpu/triangles/pair-test.wgsl';
import boundModule from './bound.wgsl';
import boxDistanceModule from './box-distance.wgsl';
import { CloudLayout } from './closest-search.ts';
import pairModule from './distance-pair.wgsl';
import gapModule from './gap.wgsl';
import closestSource from './search/closest-points.wgsl';
import firstBoundSource from './search/first-bound.wgsl';
import listModule from './search/list-pairs.wgsl';
import measureSource from './search/measure-blocks.wgsl';
import pairBlocksSource from './search/pair-blocks.wgsl';
import settleSource from './search/settle-pairs.wgsl';
import tightenModule from './search/tighten-bound.wgsl';
import walkModule from './search/walk-nearest.wgsl';
import triangleModule from './triangle-distance.wgsl';

export interface DistanceKernels {
  readonly place: Kernel;
  readonly broad: Kernel;
  readonly frames: Kernel;
  readonly scanWork: Kernel;
  /** All of them in one, for few bodies; left out on devices that bind too few buffers. */
  readonly few: Kernel | undefined;
  readonly firstBound: Kernel;
  readonly pairBlocks: Kernel;
  readonly tighten: Kernel;
  readonly list: Kernel;
  readonly settle: Kernel;
}

const query = [QueryLayout.wgsl, resultWgsl];
const body = [BodyLayout.wgsl, wideModule, filterModule];
const placing = [...query, ...body, ShapeLayout.wgsl, placeModule];
/** Leaves of a block: two to this power. */
const blockWgsl = 'const blockHeight = 6u;\n';
const framing = [FrameLayout.wgsl, boxTestModule, frameModule, pairModule, blockWgsl];
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
const boxes = [boxTestModule, boxDistanceModule, blockWgsl];
const walk = [...frame, ...triangles, walkModule];

/** Box tests of a leaf that only looks for a bound: down the deepest tree, and some more. */
const fewTests = 64;

export async function createDistanceKernels(device: GPUDevice): Promise<DistanceKernels> {
  // Ten buffers; devices opened with the default limits have eight.
  const roomy = device.limits.maxStorageBuffersPerShaderStage >= 10;
  const scan = { countAt: Result.candidates, totalAt: Result.workItems };
  const make = (label: string, modules: readonly string[], constants?: Record<string, number>) =>
    createKernel(device, label, modules, constants);
  const few = [...placing, ...framing, scanModule, fewSource];
  const kernels = await Promise.all([
    make('place-bodies', [...placing, placeSource]),
    make('broad-phase', [...query, bodiesAsGivenModule, broadSource]),
    make('pair-frames for distances', [...query, ...body, ...framing, framesSource]),
    createKernel(device, 'scan-work', [scanModule, scanSource], scan),
    roomy ? make('few-bodies for distances', few) : undefined,
    make('first-bound', [...walk, workItemsModule, tightenModule, firstBoundSource], { budget: fewTests }),
    make('pair-blocks', [...frame, ...boxes, workItemsModule, pairBlocksSource]),
    make('tighten-bound', [...walk, ...boxes, tightenModule, measureSource], { everyLeaf: 0 }),
    make('list-pairs', [...walk, ...boxes, listModule, measureSource], { everyLeaf: 1 }),
    make('settle-pairs', [...frame, settleSource]),
  ]);
  const [place, broad, frames, scanWork, fewKernel, firstBound, pairBlocks, tighten, list, settle] = kernels;
  return { place, broad, frames, scanWork, few: fewKernel, firstBound, pairBlocks, tighten, list, settle };
}

/** Nearest triangles of points. */
export const createClosestKernel = (device: GPUDevice): Promise<Kernel> =>
  createKernel(device, 'closest-points', [CloudLayout.wgsl, filterModule, gapModule, closestSource]);
