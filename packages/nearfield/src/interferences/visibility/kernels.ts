// The compiled kernels of the visibility method.

import leafBoundsModule from '../../bvh/gpu/modules/leaf-bounds.wgsl';
import { BodyLayout, FrameLayout, QueryLayout } from '../../candidates/gpu/layouts.ts';
import { createKernel, type Kernel } from '../../gpu/kernel.ts';
import filterModule from '../../math/gpu/filter.wgsl';
import wideModule from '../../math/gpu/wide.wgsl';
import neighboursModule from '../../math/triangles/triangle-neighbours.wgsl';
import meetingModule from '../../math/triangles/triangle-triangle.wgsl';
import { createChosenFrames, createChosenSearch } from '../hierarchy/gpu/kernels.ts';
import { resultWgsl } from '../hierarchy/gpu/layouts.ts';
import collectModule from '../hierarchy/gpu/traverse/collect-leaves.wgsl';
import pathModule from '../hierarchy/gpu/traverse/tree-path.wgsl';
import walkSource from '../hierarchy/gpu/traverse/walk.wgsl';
import walkTreeModule from '../hierarchy/gpu/traverse/walk-tree.wgsl';
import workItemsModule from '../hierarchy/gpu/traverse/work-items.wgsl';
import listTogetherModule from '../hierarchy/gpu/triangles/list-together.wgsl';
import oneMeshModule from '../hierarchy/gpu/triangles/neighbours-of-one-mesh.wgsl';
import pairTestModule from '../hierarchy/gpu/triangles/pair-test.wgsl';
import recordModule from '../hierarchy/gpu/triangles/record.wgsl';
import testSource from '../hierarchy/gpu/triangles/test-leaves.wgsl';
import type { Detail } from '../request.ts';
import beginSource from './image/begin.wgsl';
import instanceModule from './image/instance.wgsl';
import lookModule from './image/look.wgsl';
import regionsSource from './image/mark-regions.wgsl';
import nearModule from './image/near.wgsl';
import orderedModule from './image/ordered-bits.wgsl';
import pixelsModule from './image/pixels.wgsl';
import rowsSource from './image/raster-rows.wgsl';
import shortRowsSource from './image/raster-short-rows.wgsl';
import trianglesSource from './image/raster-triangles.wgsl';
import roundsModule from './image/rounds.wgsl';
import sceneTriangleModule from './image/scene-triangle.wgsl';
import { bodyStateWgsl, CullingLayout, Look, type LookName, PlacingLayout, stateWgsl } from './layouts.ts';
import boundedModule from './offsets/bounded-offset.wgsl';
import exactModule from './offsets/exact-offset.wgsl';
import faceModule from './offsets/face.wgsl';
import touchedModule from './offsets/touched-pixels.wgsl';
import fragmentsSource from './owners/fragments.wgsl';
import insertModule from './owners/insert-fragments.wgsl';
import nearestModule from './owners/nearest.wgsl';
import overlapModule from './owners/overlap.wgsl';
import listSource from './survivors/list-survivors.wgsl';
import nearLeavesModule from './survivors/near-leaves.wgsl';
import nearPairModule from './survivors/near-pair.wgsl';
import selfPairModule from './survivors/self-pair.wgsl';
import survivingPairModule from './survivors/surviving-pair.wgsl';
import sweepBoxModule from './survivors/sweep/sweep-box.wgsl';
import sweepBoxesSource from './survivors/sweep/sweep-boxes.wgsl';
import startsSource from './survivors/sweep/sweep-starts.wgsl';
import sweepSource from './survivors/sweep/sweep-survivors.wgsl';
import sweepWorkModule from './survivors/sweep/sweep-work.wgsl';
import waysOutSource from './survivors/sweep/ways-out-of-leaves.wgsl';
import survivorWalkModule from './survivors/walk-survivors.wgsl';
import walkWorkModule from './survivors/walk-work.wgsl';

/** The pixels in which a triangle has fragments: all that it touches, or those whose middle line meets one of its offsets. */
export type Coverage = 'touched' | 'bounded' | 'exact';

/**
 * The subject of a question: triangles of two bodies that meet, or that are nearer than a clearance; or triangles of
 * one mesh.
 */
export type Subject = Detail | 'near' | 'self';

export interface CullingKernels {
  readonly begin: Kernel;
  readonly regions: Kernel;
}

const state = [CullingLayout.wgsl, stateWgsl, roundsModule, instanceModule];

export async function createCullingKernels(device: GPUDevice): Promise<CullingKernels> {
  const placing = [QueryLayout.wgsl, resultWgsl, BodyLayout.wgsl, PlacingLayout.wgsl, wideModule];
  const [begin, regions] = await Promise.all([
    createKernel(device, 'begin-images', [
      ...placing,
      CullingLayout.wgsl,
      stateWgsl,
      filterModule,
      beginSource,
    ]),
    createKernel(device, 'mark-regions', [
      CullingLayout.wgsl,
      resultWgsl,
      stateWgsl,
      orderedModule,
      regionsSource,
    ]),
  ]);
  return { begin, regions };
}

const passes = { insert: insertModule, overlap: overlapModule };
export type Pass = keyof typeof passes;

/** The kernel of one pass of one round over the fragments of a look. */
export function createPassKernel(
  device: GPUDevice,
  pass: Pass,
  round: number,
  look: LookName,
): Promise<Kernel> {
  const modules = [...state, lookModule, nearestModule, passes[pass], fragmentsSource];
  return createKernel(device, `${pass}, round ${round}`, modules, { round, look: Look[look] });
}

export const createListKernel = (device: GPUDevice): Promise<Kernel> =>
  createKernel(device, 'list-survivors', [...state, listSource]);

const coverages: Record<Coverage, readonly string[]> = {
  touched: [touchedModule],
  bounded: [faceModule, boundedModule],
  exact: [faceModule, exactModule],
};

/**
 * One thread per triangle; then one per row for triangles that span more pixels; then one workgroup per row of tiles
 * for the largest.
 */
export async function createRasterKernels(
  device: GPUDevice,
  coverage: Coverage,
  look: LookName,
): Promise<readonly Kernel[]> {
  const constants = { look: Look[look], squarePixels: coverage === 'touched' ? 0 : 1 };
  const modules = [
    ...state,
    lookModule,
    PlacingLayout.wgsl,
    filterModule,
    orderedModule,
    nearestModule,
    pixelsModule,
    sceneTriangleModule,
    ...coverages[coverage],
  ];
  return Promise.all([
    createKernel(device, `raster ${coverage}, ${look}`, [...modules, nearModule, trianglesSource], constants),
    createKernel(device, `raster ${coverage} in rows, ${look}`, [...modules, shortRowsSource], constants),
    createKernel(device, `raster ${coverage} in tiles, ${look}`, [...modules, rowsSource], constants),
  ]);
}

/** The kernel that makes the boxes and keys of surviving triangles, by which they are sorted for a sweep. */
export const createSweepBoxesKernel = (device: GPUDevice): Promise<Kernel> =>
  createKernel(device, 'sweep-boxes', [
    CullingLayout.wgsl,
    stateWgsl,
    PlacingLayout.wgsl,
    filterModule,
    orderedModule,
    sceneTriangleModule,
    touchedModule,
    sweepBoxModule,
    sweepBoxesSource,
  ]);

/** The kernel that finds where each body's triangles begin once they are sorted. */
export const createSweepStartsKernel = (device: GPUDevice): Promise<Kernel> =>
  createKernel(device, 'sweep-starts', [CullingLayout.wgsl, stateWgsl, sweepBoxModule, startsSource]);

/**
 * The kernels after culling: the frames of surviving pairs, the traversal, the triangle tests. A clearance needs no
 * triangle tests.
 */
export async function createSurvivorKernels(
  device: GPUDevice,
  subject: Subject,
  sweeps: boolean,
): Promise<{ frames: Kernel; narrow: readonly Kernel[] }> {
  const work = sweeps ? sweepWorkModule : walkWorkModule;
  const framing = {
    self: [CullingLayout.wgsl, stateWgsl, selfPairModule],
    near: [stateWgsl, work, nearPairModule],
    meeting: [stateWgsl, work, survivingPairModule],
  };
  const walking = [pathModule, walkTreeModule, CullingLayout.wgsl, survivorWalkModule, walkSource];
  const [frames, narrow] = await Promise.all([
    createChosenFrames(device, framing[subject === 'self' || subject === 'near' ? subject : 'meeting']),
    subject === 'self'
      ? createSelfWalk(device)
      : subject === 'near'
        ? createNearWalk(device)
        : sweeps
          ? createSweepSearch(device, subject)
          : createChosenSearch(device, subject, walking),
  ]);
  return { frames, narrow };
}

/** The sweep, and the kernel that finds bodies outside one another without trees. */
async function createSweepSearch(device: GPUDevice, detail: Detail): Promise<readonly Kernel[]> {
  const leaves = [resultWgsl, FrameLayout.wgsl, leafBoundsModule, waysOutSource];
  const [search, waysOut] = await Promise.all([
    createChosenSearch(device, detail, [CullingLayout.wgsl, bodyStateWgsl, sweepBoxModule, sweepSource]),
    createKernel(device, 'ways out of leaves', leaves),
  ]);
  return [...search, waysOut];
}

async function createNearWalk(device: GPUDevice): Promise<readonly Kernel[]> {
  const leaves = [pathModule, walkTreeModule, nearLeavesModule];
  const walking = [workItemsModule, ...leaves, CullingLayout.wgsl, survivorWalkModule, walkSource];
  const modules = [QueryLayout.wgsl, resultWgsl, FrameLayout.wgsl, ...walking];
  return [await createKernel(device, 'walk of the near', modules)];
}

/** The same among the triangles of one mesh, in which neighbours are recognised. */
function createSelfWalk(device: GPUDevice): Promise<readonly Kernel[]> {
  const frame = [QueryLayout.wgsl, resultWgsl, FrameLayout.wgsl];
  const leaves = [collectModule, pathModule, walkTreeModule];
  const walking = [workItemsModule, ...leaves, CullingLayout.wgsl, survivorWalkModule, walkSource];
  const triangles = [wideModule, filterModule, meetingModule, pairTestModule, recordModule];
  const testing = [...frame, ...triangles, neighboursModule, oneMeshModule, listTogetherModule, testSource];
  return Promise.all([
    createKernel(device, 'walk of the chosen', [...frame, ...walking]),
    createKernel(device, 'test-leaves list', testing, { detail: 0 }),
  ]);
}
