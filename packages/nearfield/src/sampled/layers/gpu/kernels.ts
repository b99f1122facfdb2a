// The kernels of the layers method.

import { createKernel, type Kernel } from '../../../gpu/kernel.ts';
import { coverageModules, rasterDeclarations, sortedModules } from '../../raster/kernels.ts';
import largeSpikesSource from '../spikes/find-large-spikes.wgsl';
import spikesSource from '../spikes/find-spikes.wgsl';
import slicesModule from '../spikes/slices.wgsl';
import solidSource from '../spikes/solid.wgsl';
import unseenModule from '../spikes/unseen.wgsl';
import { layersWgsl } from './layouts.ts';
import classifySource from './wgsl/classify.wgsl';
import stripsSource from './wgsl/draw-strips.wgsl';
import trianglesSource from './wgsl/draw-triangles.wgsl';
import orderSource from './wgsl/order.wgsl';
import takeModule from './wgsl/take.wgsl';

const names = [
  'trianglesA',
  'stripsA',
  'trianglesB',
  'stripsB',
  'classify',
  'order',
  'solid',
  'spikes',
  'largeSpikes',
] as const;
export type LayerKernels = Readonly<Record<(typeof names)[number], Kernel>>;

export async function createLayerKernels(device: GPUDevice): Promise<LayerKernels> {
  const drawing = [...coverageModules, layersWgsl, slicesModule, takeModule];
  const finding = [...coverageModules, layersWgsl, slicesModule, unseenModule];
  const draw = (label: string, source: string, drawn: number) =>
    createKernel(device, label, [...drawing, source], { drawn });
  const kernels = await Promise.all([
    draw('draw-triangles', trianglesSource, 0),
    draw('draw-strips', stripsSource, 0),
    draw('draw-triangles', trianglesSource, 1),
    draw('draw-strips', stripsSource, 1),
    createKernel(device, 'classify', [...rasterDeclarations, layersWgsl, classifySource]),
    createKernel(device, 'order', [...sortedModules, layersWgsl, orderSource]),
    createKernel(device, 'solid', [...rasterDeclarations, layersWgsl, slicesModule, solidSource]),
    createKernel(device, 'find-spikes', [...finding, spikesSource]),
    createKernel(device, 'find-large-spikes', [...finding, largeSpikesSource]),
  ]);
  return Object.fromEntries(names.map((name, i) => [name, kernels[i]])) as LayerKernels;
}
