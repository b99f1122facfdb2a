// The compiled kernels of the hierarchy method. Kernels that not every query needs are compiled on first use.

import { ShapeLayout } from '../../../bvh/gpu/layouts.ts';
import boxTestModule from '../../../bvh/gpu/modules/box-test.wgsl';
import {
  createFramesKernel,
  createFrontKernels,
  type FrontKernels,
} from '../../../candidates/gpu/kernels.ts';
import { FrameLayout, QueryLayout } from '../../../candidates/gpu/layouts.ts';
import { createKernel, type Kernel } from '../../../gpu/kernel.ts';
import scanModule from '../../../gpu/sort/workgroup-scan.wgsl';
import filterModule from '../../../math/gpu/filter.wgsl';
import wideModule from '../../../math/gpu/wide.wgsl';
import neighboursModule from '../../../math/triangles/triangle-neighbours.wgsl';
import trianglesModule from '../../../math/triangles/triangle-triangle.wgsl';
import type { Detail } from '../../request.ts';
import { resultWgsl, StepLayout } from './layouts.ts';
import meetingPairModule from './pair-work/meeting-pair.wgsl';
import wholeBodiesModule from './pair-work/whole-bodies.wgsl';
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
import walkOfLeafModule from './traverse/walk-of-leaf.wgsl';
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
  readonly front: FrontKernels;
  readonly waysOut: Kernel;
}

const query = [QueryLayout.wgsl, resultWgsl];
const walking = [workItemsModule, collectModule, pathModule, walkTreeModule];
const meeting = [resultWgsl, boxTestModule, meetingPairModule];
const pairTriangles = [wideModule, filterModule, trianglesModule, pairTestModule, recordModule];
const bodyTriangles = [...pairTriangles, twoBodiesModule];
const selfTriangles = [...pairTriangles, neighboursModule, oneMeshModule];
const detailNumbers: Record<Detail, number> = { list: 0, count: 1, any: 2 };

export async function createHierarchyKernels(device: GPUDevice): Promise<HierarchyKernels> {
  const [front, waysOut] = await Promise.all([
    createFrontKernels(device, { name: 'of bodies that may meet', modules: [...meeting, wholeBodiesModule] }),
    createKernel(device, 'ways-out', [resultWgsl, FrameLayout.wgsl, pathModule, waysOutSource]),
  ]);
  return { front, waysOut };
}

/** How leaf pairs are found: one thread per leaf walks the other tree, level by level, or without trees (G1). */
export type GpuTraversal = 'walk' | 'breadth-first' | 'brute-force';

/** The kernels to dispatch after the pair frames (and after the levels of a breadth-first traversal), in order. */
export async function createNarrowKernels(
  device: GPUDevice,
  traversal: GpuTraversal,
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
    // Leaf pairs are tested as they are found, and threads stop at the first that meets.
    const visiting = [
      workItemsModule,
      testVisitedModule,
      pathModule,
      walkTreeModule,
      walkOfLeafModule,
      walkSource,
    ];
    const modules = [...frame, ...triangles, listAtOnceModule, ...visiting];
    return [await createKernel(device, 'walk to the first', modules, constants)];
  }
  const testing = [...frame, ...triangles, listTogetherModule, testSource];
  const test = createKernel(device, `test-leaves ${detail}`, testing, constants);
  if (traversal === 'breadth-first') return [await test];
  const walk = createKernel(device, 'walk', [
    ...frame,
    ...walking,
    everyLeafModule,
    walkOfLeafModule,
    walkSource,
  ]);
  return Promise.all([walk, test]);
}

/**
 * The kernel for pair frames if some bodies are left out (interferences/visibility): the given modules define
 * `pairWork`, which decides.
 */
export const createChosenFrames = (device: GPUDevice, modules: readonly string[]): Promise<Kernel> =>
  createFramesKernel(device, { name: 'of the chosen', modules: [...meeting, ...modules] });

/**
 * The kernels that pair, and test, only the triangles that culling kept: the given modules find the pairs, by a walk or
 * by a sweep.
 */
export function createChosenSearch(
  device: GPUDevice,
  detail: Detail,
  modules: readonly string[],
): Promise<readonly Kernel[]> {
  const frame = [...query, FrameLayout.wgsl];
  const constants = { detail: detailNumbers[detail] };
  const testing = [...frame, ...bodyTriangles, listTogetherModule, testSource];
  return Promise.all([
    createKernel(device, 'search of the chosen', [...frame, workItemsModule, collectModule, ...modules]),
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

/** For bodies whose positions are only on the GPU. */
export const createCornersKernel = (device: GPUDevice): Promise<Kernel> =>
  createKernel(device, 'unsure-corners', [resultWgsl, ShapeLayout.wgsl, cornersSource]);
