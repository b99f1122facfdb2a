// The kernels of the raster, and the modules for kernels that read its lists.

import frameModule from '../../bvh/gpu/units/in-units.wgsl';
import { createKernel, type Kernel } from '../../gpu/kernel.ts';
import { RasterLayout, rasterWgsl, SideLayout, TileLayout } from './layouts.ts';
import coverageModule from './wgsl/coverage.wgsl';
import fragmentsModule from './wgsl/fragments.wgsl';
import listsModule from './wgsl/lists.wgsl';
import stripsSource from './wgsl/raster-strips.wgsl';
import trianglesSource from './wgsl/raster-triangles.wgsl';
import sortModule from './wgsl/sort-lists.wgsl';
import tileModule from './wgsl/tile-of-pixel.wgsl';

export interface RasterKernels {
  readonly triangles: Kernel;
  readonly strips: Kernel;
}

export const rasterDeclarations = [RasterLayout.wgsl, TileLayout.wgsl, SideLayout.wgsl, rasterWgsl];
/** For kernels that place vertices or sample triangles themselves. They declare raster, tiles, sides and leaves. */
export const coverageModules = [...rasterDeclarations, frameModule, coverageModule];
/** For kernels that read lists. They declare raster, heads and fragments. */
const lineModules = [...rasterDeclarations, listsModule];
/** For kernels that sort the lists they read, one thread per pixel. They declare heads and fragments for writing. */
export const sortedModules = [...lineModules, sortModule];
/** For kernels that also distinguish tiles. They also declare tiles. */
export const sortedTileModules = [...sortedModules, tileModule];
/** For kernels that only distinguish tiles. They declare raster and tiles. */
export const tileModules = [...rasterDeclarations, tileModule];
/** For kernels that read lists and sample triangles. */
export const listAndCoverageModules = [...coverageModules, listsModule];
/** For kernels that also sort the lists. */
export const sortedAndCoverageModules = [...listAndCoverageModules, sortModule];

export async function createRasterKernels(device: GPUDevice): Promise<RasterKernels> {
  const make = (label: string, source: string) =>
    createKernel(device, label, [...coverageModules, fragmentsModule, source]);
  const [triangles, strips] = await Promise.all([
    make('raster-triangles', trianglesSource),
    make('raster-strips', stripsSource),
  ]);
  return { triangles, strips };
}
