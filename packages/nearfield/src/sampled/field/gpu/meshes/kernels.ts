// The kernels that make distance meshes, and the pipeline that draws them.

import footModule from '../../../../distance/gpu/measure/foot-in-triangle.wgsl';
import { createKernel, Launch, Resources } from '../../../../gpu/kernel.ts';
import scanSource from '../../../../gpu/sort/scan.wgsl';
import workgroupScan from '../../../../gpu/sort/workgroup-scan.wgsl';
import exactCross from '../../../../math/gpu/exact-cross.wgsl';
import wideModule from '../../../../math/gpu/wide.wgsl';
import wideVectors from '../../../../math/gpu/wide-vectors.wgsl';
import brickPoints from '../brick-points.wgsl';
import bricksModule from '../bricks.wgsl';
import directionModule from '../direction.wgsl';
import { createPicturePipeline } from '../picture.ts';
import { declarations, vertexModules } from '../slices/kernels.ts';
import drawSource from './draw-meshes.wgsl';
import drawnBlock from './drawn-block.wgsl';
import finishSource from './finish-samples.wgsl';
import gatherSource from './gather-sites.wgsl';
import { MeshHead, meshDeclarations } from './layouts.ts';
import listSource from './list-meshes.wgsl';
import markSource from './mark-blocks.wgsl';
import measureSource from './measure-drawn.wgsl';
import piecesModule from './pieces.wgsl';
import placeEdgesSource from './sites/place-edges.wgsl';
import placeFacesSource from './sites/place-faces.wgsl';
import tilesModule from './tiles.wgsl';

type Name =
  | ('markPoints' | 'markAll' | 'placeFaces' | 'placeEdges' | 'gather' | 'list')
  | ('measure' | 'finish' | 'finishSigned');

export interface MeshKernels {
  readonly resources: Resources;
  readonly launches: Readonly<Record<Name, Launch>>;
  readonly scan: Launch;
  /** The scan's list and its state have other names elsewhere. */
  readonly scanned: Resources;
  readonly pipeline: GPURenderPipeline;
}

/** `sweep` has the bodies' triangles over the windows. Words and vertices are counted no further than `mostCounted`. */
export async function createMeshKernels(
  device: GPUDevice,
  sweep: Resources,
  mostCounted: number,
): Promise<MeshKernels> {
  const resources = new Resources(sweep);
  const scanned = new Resources();
  const shared = [...declarations, ...meshDeclarations];
  const make = (name: string, modules: readonly string[], constants: Record<string, number> = {}) =>
    createKernel(device, name, modules, constants).then(kernel => new Launch(device, kernel, resources));
  const blockModules = [bricksModule, tilesModule, drawnBlock];
  const mark = [...shared, bricksModule, brickPoints, markSource];
  const finishing = [...shared, ...blockModules, finishSource];
  const [
    markPoints,
    markAll,
    placeFaces,
    placeEdges,
    gather,
    list,
    measure,
    finish,
    finishSigned,
    scan,
    pipeline,
  ] = await Promise.all([
    make('mark-blocks', mark, { whole: 0 }),
    make('mark-blocks', mark, { whole: 1 }),
    make('place-faces', [
      ...[...shared, ...vertexModules, wideModule, wideVectors, exactCross],
      placeFacesSource,
    ]),
    make('place-edges', [...shared, placeEdgesSource]),
    make('gather-sites', [...shared, footModule, ...blockModules, workgroupScan, gatherSource], {
      mostCounted,
    }),
    make('list-meshes', [...meshDeclarations, tilesModule, piecesModule, listSource], { mostCounted }),
    make('measure-drawn', [...shared, ...blockModules, directionModule, measureSource]),
    make('finish-samples', finishing, { signed: 0 }),
    make('finish-samples', finishing, { signed: 1 }),
    createKernel(device, 'scan', [workgroupScan, scanSource], {
      countAt: MeshHead.blocksAsked,
      totalAt: MeshHead.blocksDrawn,
    }),
    createPicturePipeline(device, 'draw-meshes', [...shared, tilesModule, drawSource]),
  ]);
  const launches = {
    markPoints,
    markAll,
    placeFaces,
    placeEdges,
    gather,
    list,
    measure,
    finish,
    finishSigned,
  };
  return { resources, launches, scan: new Launch(device, scan, scanned), scanned, pipeline };
}
