// The compiled kernels of the visibility method.

import { createKernel, type Kernel } from '../../gpu/kernel.ts';
import scanSource from '../../gpu/sort/scan.wgsl';
import scanModule from '../../gpu/sort/workgroup-scan.wgsl';
import filterModule from '../../math/filter.wgsl';
import wideModule from '../../math/wide.wgsl';
import type { Detail } from '../../scene/engine.ts';
import { createChosenFrames, createChosenWalk } from '../hierarchy/gpu/kernels.ts';
import { BodyLayout, QueryLayout, resultWgsl } from '../hierarchy/gpu/layouts.ts';
import instanceModule from './image/instance.wgsl';
import regionsSource from './image/mark-regions.wgsl';
import nearModule from './image/near.wgsl';
import orderedModule from './image/ordered-bits.wgsl';
import centresModule from './image/pixel-centres.wgsl';
import pixelsModule from './image/pixels.wgsl';
import placeSource from './image/place-in-scene.wgsl';
import rowsSource from './image/raster-rows.wgsl';
import trianglesSource from './image/raster-triangles.wgsl';
import sceneTriangleModule from './image/scene-triangle.wgsl';
import touchedModule from './image/touched-pixels.wgsl';
import { CullingLayout, ImageState, PlacingLayout, stateWgsl } from './layouts.ts';
import clearSource from './owners/clear-pixels.wgsl';
import fragmentsSource from './owners/fragments.wgsl';
import nearestModule from './owners/nearest.wgsl';
import overlapModule from './owners/overlap.wgsl';
import ownerModule from './owners/owner.wgsl';
import secondModule from './owners/second.wgsl';
import settleBodiesSource from './owners/settle-bodies.wgsl';
import settleTrianglesSource from './owners/settle-triangles.wgsl';
import countSource from './survivors/count-survivors.wgsl';
import keptPairModule from './survivors/kept-pair.wgsl';
import listSource from './survivors/list-survivors.wgsl';
import survivingPairModule from './survivors/surviving-pair.wgsl';
import walkSource from './survivors/walk-survivors.wgsl';

/** Which pixels a triangle has fragments in: all it touches, or those whose centre it covers, which may miss. */
export type Coverage = 'touched' | 'centres';

export interface CullingKernels {
  readonly place: Kernel;
  readonly regions: Kernel;
  readonly clear: Kernel;
  /** The four passes over the fragments and what follows them, for whole bodies and for triangles. */
  readonly bodyRound: readonly Kernel[];
  readonly triangleRound: readonly Kernel[];
  readonly count: Kernel;
  readonly scan: Kernel;
  readonly list: Kernel;
}

const state = [CullingLayout.wgsl, stateWgsl, instanceModule];

export async function createCullingKernels(device: GPUDevice): Promise<CullingKernels> {
  const passes = [nearestModule, ownerModule, secondModule, overlapModule];
  const round = (byTriangles: boolean, settleSource: string) => {
    const constants = { byTriangles: byTriangles ? 1 : 0 };
    const label = byTriangles ? 'triangles' : 'bodies';
    return Promise.all([
      ...passes.map(pass =>
        createKernel(device, `fragments of ${label}`, [...state, pass, fragmentsSource], constants),
      ),
      createKernel(device, `settle ${label}`, [...state, settleSource]),
    ]);
  };
  const query = [QueryLayout.wgsl, resultWgsl];
  const [place, regions, clear, bodyRound, triangleRound, count, scan, list] = await Promise.all([
    createKernel(device, 'place-in-scene', [
      ...query,
      BodyLayout.wgsl,
      PlacingLayout.wgsl,
      wideModule,
      filterModule,
      placeSource,
    ]),
    createKernel(device, 'mark-regions', [resultWgsl, stateWgsl, orderedModule, regionsSource]),
    createKernel(device, 'clear-pixels', [...state, clearSource]),
    round(false, settleBodiesSource),
    round(true, settleTrianglesSource),
    createKernel(device, 'count-survivors', [...state, countSource]),
    createKernel(device, 'scan-survivors', [scanModule, scanSource], {
      countAt: ImageState.bodySums,
      totalAt: ImageState.keptTriangles,
    }),
    createKernel(device, 'list-survivors', [...state, listSource]),
  ]);
  return { place, regions, clear, bodyRound, triangleRound, count, scan, list };
}

/** A thread a triangle, then a workgroup a row of tiles of the larger ones. */
export async function createRasterKernels(device: GPUDevice, coverage: Coverage): Promise<readonly Kernel[]> {
  const modules = [
    ...state,
    PlacingLayout.wgsl,
    filterModule,
    orderedModule,
    pixelsModule,
    sceneTriangleModule,
    coverage === 'touched' ? touchedModule : centresModule,
  ];
  return Promise.all([
    createKernel(device, `raster ${coverage}`, [...modules, nearModule, trianglesSource]),
    createKernel(device, `raster ${coverage} in rows`, [...modules, rowsSource]),
  ]);
}

/** What follows the culling: the frames of pairs that are left, the walk, the triangle tests. Of bodies the frames alone. */
export async function createSurvivorKernels(
  device: GPUDevice,
  detail: Detail | 'bodies',
): Promise<{ frames: Kernel; narrow: readonly Kernel[] }> {
  if (detail === 'bodies') {
    return { frames: await createChosenFrames(device, [stateWgsl, keptPairModule]), narrow: [] };
  }
  const [frames, narrow] = await Promise.all([
    createChosenFrames(device, [stateWgsl, survivingPairModule]),
    createChosenWalk(device, detail, [CullingLayout.wgsl, walkSource]),
  ]);
  return { frames, narrow };
}
