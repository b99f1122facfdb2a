// The kernels of the field method, compiled when the first question needs them.

import keptLeavesModule from '../../../../bvh/gpu/modules/kept-leaves.wgsl';
import walkModule from '../../../../bvh/gpu/modules/nearer-first.wgsl';
import unitsModule from '../../../../bvh/gpu/units/in-units.wgsl';
import placeModule from '../../../../bvh/gpu/units/tree-place.wgsl';
import vertexModule from '../../../../bvh/gpu/units/vertex-in-units.wgsl';
import footModule from '../../../../distance/gpu/measure/foot-in-triangle.wgsl';
import certainModule from '../../../../distance/gpu/search/certain-nearest.wgsl';
import { createKernel, type Kernel } from '../../../../gpu/kernel.ts';
import scanSource from '../../../../gpu/sort/scan.wgsl';
import workgroupScan from '../../../../gpu/sort/workgroup-scan.wgsl';
import brickPointsModule from '../brick-points.wgsl';
import bricksModule from '../bricks.wgsl';
import directionModule from '../direction.wgsl';
import certainDistanceModule from '../distance/certain-distance.wgsl';
import { Head, headWgsl, LayerLayout, ownerWgsl, SweepLayout, WindowLayout } from '../layouts.ts';
import nearestModule from '../nearest.wgsl';
import correctSource from './correct-counters.wgsl';
import crossSource from './cross-columns.wgsl';
import emitSource from './emit-cells.wgsl';
import listSource from './list-bricks.wgsl';
import measureSource from './measure-points.wgsl';
import sumSource from './sum-columns.wgsl';
import windowsModule from './windows.wgsl';

export interface SliceKernels {
  readonly cross: Kernel;
  readonly correct: Kernel;
  readonly sum: Kernel;
  readonly scan: Kernel;
  readonly emitCells: Kernel;
  readonly listBricks: Kernel;
  readonly measure: Kernel;
}

export const declarations = [SweepLayout.wgsl, LayerLayout.wgsl, WindowLayout.wgsl, headWgsl, ownerWgsl];
export const vertexModules = [unitsModule, vertexModule];
export const triangleModules = [...vertexModules, footModule];
const walkModules = [...triangleModules, walkModule, placeModule];
export const nearestModules = [...walkModules, nearestModule];
export const certainModules = [...walkModules, keptLeavesModule, certainModule, certainDistanceModule];

export async function createSliceKernels(device: GPUDevice): Promise<SliceKernels> {
  const make = (label: string, modules: readonly string[], constants: Record<string, number> = {}) =>
    createKernel(device, label, [...declarations, ...modules], constants);
  const scanConstants = { countAt: Head.blocks, totalAt: Head.points };
  const [cross, correct, sum, scan, emitCells, listBricks, measure] = await Promise.all([
    make('cross-columns', [...vertexModules, crossSource]),
    make('correct-counters', [correctSource]),
    make('sum-columns', [workgroupScan, windowsModule, sumSource]),
    createKernel(device, 'scan', [workgroupScan, scanSource], scanConstants),
    make('emit-cells', [windowsModule, emitSource]),
    make('list-bricks', [bricksModule, brickPointsModule, listSource]),
    make('measure-points', [...nearestModules, directionModule, measureSource]),
  ]);
  return { cross, correct, sum, scan, emitCells, listBricks, measure };
}
