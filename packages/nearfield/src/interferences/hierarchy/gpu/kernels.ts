// The compiled kernels of the hierarchy method. Those that not every query needs are compiled when first asked for.

import placeSource from '../../../bvh/gpu/bodies/place-bodies.wgsl';
import placeModule from '../../../bvh/gpu/bodies/place-body.wgsl';
import hilbertModule from '../../../bvh/gpu/build/hilbert.wgsl';
import { ShapeLayout } from '../../../bvh/gpu/layouts.ts';
import bodiesAsGivenModule from '../../../candidates/gpu/broad/bodies-as-given.wgsl';
import bodiesInOrderModule from '../../../candidates/gpu/broad/bodies-in-order.wgsl';
import bodyKeysSource from '../../../candidates/gpu/broad/body-keys.wgsl';
import broadSource from '../../../candidates/gpu/broad/broad-phase.wgsl';
import fewSource from '../../../candidates/gpu/broad/few-bodies.wgsl';
import tileBoxesSource from '../../../candidates/gpu/broad/tile-boxes.wgsl';
import meetingPairModule from '../../../candidates/gpu/frames/meeting-pair.wgsl';
import frameModule from '../../../candidates/gpu/frames/pair-frame.wgsl';
import framesSource from '../../../candidates/gpu/frames/pair-frames.wgsl';
import wholeBodiesModule from '../../../candidates/gpu/frames/whole-bodies.wgsl';
import { createKernel, type Kernel } from '../../../gpu/kernel.ts';
import { createSortKernels, type SortKernels } from '../../../gpu/sort/radix-sort.ts';
import scanSource from '../../../gpu/sort/scan.wgsl';
import scanModule from '../../../gpu/sort/workgroup-scan.wgsl';
import filterModule from '../../../math/gpu/filter.wgsl';
import wideModule from '../../../math/gpu/wide.wgsl';
import neighboursModule from '../../../math/triangles/triangle-neighbours.wgsl';
import trianglesModule from '../../../math/triangles/triangle-triangle.wgsl';
import type { Detail } from '../../request.ts';
import { BodyLayout, FrameLayout, QueryLayout, Result, resultWgsl, StepLayout } from './layouts.ts';
import boxTestModule from './traverse/box-test.wgsl';
import type { BreadthFirstKernels } from './traverse/breadth-first/breadth-first.ts';
import stepSource from './traverse/breadth-first/breadth-first.wgsl';
import enterSource from './traverse/breadth-first/enter-trees.wgsl';
import entrancesModule from './traverse/breadth-first/entrances.wgsl';
import nodePairsModule from './traverse/breadth-first/node-pairs.wgsl';
import rememberSource from './traverse/breadth-first/remember-entrances.wgsl';
import collectModule from './traverse/collect-leaves.wgsl';
import everyLeafModule from './traverse/every-leaf.wgsl';
import testVisitedModule from './traverse/test-visited.wgsl';
import pathModule from './traverse/tree-path.wgsl';
import walkSource from './traverse/walk.wgsl';
import walkTreeModule from './traverse/walk-tree.wgsl';
import waysOutSource from './traverse/ways-out.wgsl';
import workItemsModule from './traverse/work-items.wgsl';
import bruteForceSource from './triangles/brute-force.wgsl';
import listAtOnceModule from './triangles/list-at-once.wgsl';
import listTogetherModule from './triangles/list-together.wgsl';
import oneMeshModule from './triangles/neighbours-of-one-mesh.wgsl';
import twoBodiesModule from './triangles/neighbours-of-two-bodies.wgsl';
import pairTestModule from './triangles/pair-test.wgsl';
import recordModule from './triangles/record.wgsl';
import testSource from './triangles/test-leaves.wgsl';
import cornersSource from './triangles/unsure-corners.wgsl';

export interface HierarchyKernels {
  readonly place: Kernel;
  readonly broad: Kernel;
  readonly frames: Kernel;
  readonly scanWork: Kernel;
  readonly waysOut: Kernel;
  /** All of them in one, for few bodies; left out on devices that bind too few buffers. */
  readonly few: Kernel | undefined;
}

const query = [QueryLayout.wgsl, resultWgsl];
const body = [BodyLayout.wgsl, wideModule, filterModule];
const placing = [...query, ...body, ShapeLayout.wgsl, placeModule];
const walking = [workItemsModule, collectModule, pathModule, walkTreeModule];
const framing = [...query, ...body, FrameLayout.wgsl, boxTestModule, frameModule, meetingPairModule];
const pairTriangles = [wideModule, filterModule, trianglesModule, pairTestModule, recordModule];
const bodyTriangles = [...pairTriangles, twoBodiesModule];
const selfTriangles = [...pairTriangles, neighboursModule, oneMeshModule];
const detailNumbers: Record<Detail, number> = { list: 0, count: 1, any: 2 };

export async function createHierarchyKernels(device: GPUDevice): Promise<HierarchyKernels> {
  // Ten buffers; devices opened with the default limits have eight.
  const roomy = device.limits.maxStorageBuffersPerShaderStage >= 10;
  const [place, broad, frames, scanWork, waysOut, few] = await Promise.all([
    createKernel(device, 'place-bodies', [...placing, placeSource]),
    createKernel(device, 'broad-phase', [...query, bodiesAsGivenModule, broadSource]),
    createKernel(device, 'pair-frames', [...framing, wholeBodiesModule, framesSource]),
    createKernel(device, 'scan-work', [scanModule, scanSource], {
      countAt: Result.candidates,
      totalAt: Result.workItems,
    }),
    createKernel(device, 'ways-out', [resultWgsl, FrameLayout.wgsl, pathModule, waysOutSource]),
    roomy
      ? createKernel(device, 'few-bodies', [
          ...placing,
          FrameLayout.wgsl,
          boxTestModule,
          frameModule,
          meetingPairModule,
          wholeBodiesModule,
          scanModule,
          fewSource,
        ])
      : undefined,
  ]);
  return { place, broad, frames, scanWork, waysOut, few };
}

/** How leaf pairs are found: a thread per leaf walks the other tree, level by level, or not at all (G1). */
export type Traversal = 'walk' | 'breadth-first' | 'brute-force';

/** What is dispatched after the pair frames (and after the levels of a breadth-first traversal), in order. */
export async function createNarrowKernels(
  device: GPUDevice,
  traversal: Traversal,
  detail: Detail,
  self: boolean,
): Promise<readonly Kernel[]> {
  const triangles = self ? selfTriangles : bodyTriangles;
  const frame = [...query, FrameLayout.wgsl];
  const constants = { detail: detailNumbers[detail] };
  if (traversal === 'brute-force') {
    const modules = [...frame, workItemsModule, ...triangles, listAtOnceModule, bruteForceSource];
    return [await createKernel(device, `brute-force ${detail}`, modules, constants)];
  }
  if (traversal === 'walk' && detail === 'any') {
    // Leaf pairs are tested as they are found: threads stop at the first that meets.
    const visiting = [workItemsModule, testVisitedModule, pathModule, walkTreeModule, walkSource];
    const modules = [...frame, ...triangles, listAtOnceModule, ...visiting];
    return [await createKernel(device, 'walk to the first', modules, constants)];
  }
  const testing = [...frame, ...triangles, listTogetherModule, testSource];
  const test = createKernel(device, `test-leaves ${detail}`, testing, constants);
  if (traversal === 'breadth-first') return [await test];
  const walk = createKernel(device, 'walk', [...frame, ...walking, everyLeafModule, walkSource]);
  return Promise.all([walk, test]);
}

/** The frames of pairs of which something leaves bodies out (methods/visibility): `pairWork` says which. */
export const createChosenFrames = (device: GPUDevice, modules: readonly string[]): Promise<Kernel> =>
  createKernel(device, 'frames of the chosen', [...framing, ...modules, framesSource]);

/** A walk by and among the triangles that something has left, and their tests: the modules say which. */
export function createChosenWalk(
  device: GPUDevice,
  detail: Detail,
  modules: readonly string[],
): Promise<readonly Kernel[]> {
  const frame = [...query, FrameLayout.wgsl];
  const constants = { detail: detailNumbers[detail] };
  const testing = [...frame, ...bodyTriangles, listTogetherModule, testSource];
  return Promise.all([
    createKernel(device, 'walk of the chosen', [...frame, ...walking, ...modules]),
    createKernel(device, `test-leaves ${detail}`, testing, constants),
  ]);
}

export async function createBreadthFirstKernels(device: GPUDevice): Promise<BreadthFirstKernels> {
  const frame = [...query, FrameLayout.wgsl];
  const modules = [...frame, scanModule, nodePairsModule];
  const [enter, step, remember] = await Promise.all([
    createKernel(device, 'enter-trees', [...modules, entrancesModule, enterSource]),
    createKernel(device, 'breadth-first', [...modules, StepLayout.wgsl, boxTestModule, stepSource]),
    createKernel(device, 'remember-entrances', [...frame, entrancesModule, rememberSource]),
  ]);
  return { enter, step, remember };
}

/** For bodies whose positions are on the GPU alone. */
export const createCornersKernel = (device: GPUDevice): Promise<Kernel> =>
  createKernel(device, 'unsure-corners', [resultWgsl, ShapeLayout.wgsl, cornersSource]);

/** The broad phase of many bodies, put in order first. */
export async function createOrderedBroadKernels(device: GPUDevice): Promise<OrderedBroadKernels> {
  const [sort, keys, tileBoxes, broad] = await Promise.all([
    createSortKernels(device),
    createKernel(device, 'body-keys', [...query, hilbertModule, bodyKeysSource]),
    createKernel(device, 'tile-boxes', [...query, tileBoxesSource]),
    createKernel(device, 'broad-phase in order', [...query, bodiesInOrderModule, broadSource]),
  ]);
  return { sort, keys, tileBoxes, broad };
}

export interface OrderedBroadKernels {
  readonly sort: SortKernels;
  readonly keys: Kernel;
  readonly tileBoxes: Kernel;
  readonly broad: Kernel;
}
