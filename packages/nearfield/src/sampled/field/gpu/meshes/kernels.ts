// The kernels that make distance meshes, and the pipeline that draws them.

import footModule from '../../../../distance/gpu/measure/foot-in-triangle.wgsl';
import { createKernel, Launch, Resources } from '../../../../gpu/kernel.ts';
import workgroupScan from '../../../../gpu/sort/workgroup-scan.wgsl';
import exactCross from '../../../../math/gpu/exact-cross.wgsl';
import wideModule from '../../../../math/gpu/wide.wgsl';
import wideVectors from '../../../../math/gpu/wide-vectors.wgsl';
import bricksModule from '../bricks.wgsl';
import directionModule from '../direction.wgsl';
import { createPicturePipeline } from '../picture.ts';
import { declarations, vertexModules } from '../slices/kernels.ts';
import drawSource from './draw-meshes.wgsl';
import finishSource from './finish-samples.wgsl';
import gatherSource from './gather-sites.wgsl';
import { meshDeclarations } from './layouts.ts';
import listSource from './list-meshes.wgsl';
import markSource from './mark-blocks.wgsl';
import measureSource from './measure-drawn.wgsl';
import piecesModule from './pieces.wgsl';
import placeEdgesSource from './sites/place-edges.wgsl';
import placeFacesSource from './sites/place-faces.wgsl';
import tilesModule from './tiles.wgsl';

type Name =
  | ('mark' | 'placeFaces' | 'placeEdges' | 'gather' | 'list')
  | ('measure' | 'finish' | 'finishSigned');

/** A picture of meshes has their owners; distances are its depths. */
export const meshFormats = ['r32uint'] as const;

export interface MeshKernels {
  readonly resources: Resources;
  readonly launches: Readonly<Record<Name, Launch>>;
  readonly pipeline: GPURenderPipeline;
}

/** `sweep` has the bodies' triangles over the windows. Words and vertices are counted no further than `mostCounted`. */
export async function createMeshKernels(
  device: GPUDevice,
  sweep: Resources,
  mostCounted: number,
): Promise<MeshKernels> {
  const resources = new Resources(sweep);
  const shared = [...declarations, ...meshDeclarations];
  const make = (name: string, modules: readonly string[], constants: Record<string, number> = {}) =>
    createKernel(device, name, modules, constants).then(kernel => new Launch(device, kernel, resources));
  const blockModules = [bricksModule, tilesModule];
  const finishing = [...shared, ...blockModules, finishSource];
  const [mark, placeFaces, placeEdges, gather, list, measure, finish, finishSigned, pipeline] =
    await Promise.all([
      make('mark-blocks', [...shared, bricksModule, markSource]),
      make('place-faces', [
        ...[...shared, ...vertexModules, wideModule, wideVectors, exactCross],
        placeFacesSource,
      ]),
      make('place-edges', [...shared, placeEdgesSource]),
      make('gather-sites', [...shared, footModule, ...blockModules, workgroupScan, gatherSource], {
        mostCounted,
      }),
      make('list-meshes', [...meshDeclarations, tilesModule, workgroupScan, piecesModule, listSource], {
        mostCounted,
      }),
      make('measure-drawn', [...shared, ...blockModules, directionModule, measureSource]),
      make('finish-samples', finishing, { signed: 0 }),
      make('finish-samples', finishing, { signed: 1 }),
      createPicturePipeline(device, 'draw-meshes', [...shared, tilesModule, drawSource], meshFormats),
    ]);
  const launches = { mark, placeFaces, placeEdges, gather, list, measure, finish, finishSigned };
  return { resources, launches, pipeline };
}
