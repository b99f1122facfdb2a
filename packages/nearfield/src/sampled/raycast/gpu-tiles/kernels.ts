// The kernels that lay out tiles over candidates on the GPU.

import { BodyLayout, frontWgsl, QueryLayout } from '../../../candidates/gpu/layouts.ts';
import { createKernel, type Kernel } from '../../../gpu/kernel.ts';
import scanModule from '../../../gpu/sort/workgroup-scan.wgsl';
import wideModule from '../../../math/gpu/wide.wgsl';
import { tileModules } from '../../raster/kernels.ts';
import { SideLayout, TileLayout } from '../../raster/layouts.ts';
import { castWgsl } from '../lists/layouts.ts';
import collectSource from './collect-found.wgsl';
import latticeModule from './lattice.wgsl';
import { tilingWgsl } from './layouts.ts';
import measureSource from './measure-tiles.wgsl';
import windowsSource from './measure-windows.wgsl';
import placeSource from './place-tiles.wgsl';
import windowsModule from './windows.wgsl';

export interface LayingKernels {
  readonly windows: Kernel;
  readonly measure: Kernel;
  readonly place: Kernel;
  readonly collect: Kernel;
}

export async function createLayingKernels(device: GPUDevice): Promise<LayingKernels> {
  const lattice = [QueryLayout.wgsl, TileLayout.wgsl, wideModule, latticeModule];
  const [windows, measure, place, collect] = await Promise.all([
    createKernel(device, 'measure-windows', [tilingWgsl, frontWgsl, windowsModule, windowsSource]),
    createKernel(device, 'measure-tiles', [tilingWgsl, frontWgsl, ...lattice, windowsModule, measureSource]),
    createKernel(device, 'place-tiles', [
      ...[tilingWgsl, ...lattice, SideLayout.wgsl, BodyLayout.wgsl],
      ...[scanModule, placeSource],
    ]),
    createKernel(device, 'collect-found', [...tileModules, castWgsl, tilingWgsl, collectSource]),
  ]);
  return { windows, measure, place, collect };
}
