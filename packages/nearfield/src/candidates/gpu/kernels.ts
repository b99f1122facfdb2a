// The kernels that place bodies, find candidates among them and compute their frames. The question's own modules say
// what to do with a pair: they define `pairExponent`, `pairWork` and `firstWord`.

import placeSource from '../../bvh/gpu/bodies/place-bodies.wgsl';
import placeModule from '../../bvh/gpu/bodies/place-body.wgsl';
import hilbertModule from '../../bvh/gpu/build/hilbert.wgsl';
import { ShapeLayout } from '../../bvh/gpu/layouts.ts';
import { createKernel, type Kernel } from '../../gpu/kernel.ts';
import { createSortKernels, type SortKernels } from '../../gpu/sort/radix-sort.ts';
import scanSource from '../../gpu/sort/scan.wgsl';
import scanModule from '../../gpu/sort/workgroup-scan.wgsl';
import filterModule from '../../math/gpu/filter.wgsl';
import wideModule from '../../math/gpu/wide.wgsl';
import blockBoxesSource from './broad/block-boxes.wgsl';
import bodiesAsGivenModule from './broad/bodies-as-given.wgsl';
import bodiesInOrderModule from './broad/bodies-in-order.wgsl';
import bodyKeysSource from './broad/body-keys.wgsl';
import broadSource from './broad/broad-phase.wgsl';
import fewSource from './broad/few-bodies.wgsl';
import frameModule from './frames/pair-frame.wgsl';
import framesSource from './frames/pair-frames.wgsl';
import { BodyLayout, FrameLayout, FrontResult, frontWgsl, QueryLayout } from './layouts.ts';

export interface FrontKernels {
  readonly place: Kernel;
  readonly broad: Kernel;
  readonly frames: Kernel;
  readonly scanWork: Kernel;
  /** All of them in one kernel, for few bodies. Missing on devices that bind too few buffers. */
  readonly few: Kernel | undefined;
}

/** What a question does with each pair. */
export interface PairWork {
  /** Names the kernels that are compiled for it. */
  readonly name: string;
  /** The constants of its results (`resultsWgsl`), and the modules that define the work. */
  readonly modules: readonly string[];
}

const query = [QueryLayout.wgsl, frontWgsl];
const body = [BodyLayout.wgsl, wideModule, filterModule];
const placing = [...body, ShapeLayout.wgsl, placeModule];
const framing = [FrameLayout.wgsl, frameModule];

export async function createFrontKernels(device: GPUDevice, work: PairWork): Promise<FrontKernels> {
  // The kernel binds ten buffers; devices opened with the default limits allow eight.
  const roomy = device.limits.maxStorageBuffersPerShaderStage >= 10;
  const few = [QueryLayout.wgsl, ...placing, ...framing, ...work.modules, scanModule, fewSource];
  const [place, broad, frames, scanWork, fewBodies] = await Promise.all([
    createKernel(device, 'place-bodies', [...query, ...placing, placeSource]),
    createKernel(device, 'broad-phase', [...query, bodiesAsGivenModule, broadSource]),
    createFramesKernel(device, work),
    createKernel(device, 'scan-work', [scanModule, scanSource], {
      countAt: FrontResult.candidates,
      totalAt: FrontResult.workItems,
    }),
    roomy ? createKernel(device, `few-bodies ${work.name}`, few) : undefined,
  ]);
  return { place, broad, frames, scanWork, few: fewBodies };
}

export const createFramesKernel = (device: GPUDevice, { name, modules }: PairWork): Promise<Kernel> =>
  createKernel(device, `pair-frames ${name}`, [
    QueryLayout.wgsl,
    ...body,
    ...framing,
    ...modules,
    framesSource,
  ]);

export interface OrderedBroadKernels {
  readonly sort: SortKernels;
  readonly keys: Kernel;
  readonly blockBoxes: Kernel;
  readonly broad: Kernel;
}

/** The kernels of the broad phase for many bodies, which are sorted first. */
export async function createOrderedBroadKernels(device: GPUDevice): Promise<OrderedBroadKernels> {
  const [sort, keys, blockBoxes, broad] = await Promise.all([
    createSortKernels(device),
    createKernel(device, 'body-keys', [...query, hilbertModule, bodyKeysSource]),
    createKernel(device, 'block-boxes', [...query, blockBoxesSource]),
    createKernel(device, 'broad-phase in order', [...query, bodiesInOrderModule, broadSource]),
  ]);
  return { sort, keys, blockBoxes, broad };
}
