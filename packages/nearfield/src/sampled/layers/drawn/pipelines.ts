// The pipelines of the published passes. The highest bit of the stencil is the mask SA, the others are the counter SC,
// which clamps: 127 means 127 or more.

import { layout } from '../../../gpu/layout.ts';
import { DrawnBodyLayout } from '../../raycast/drawn/layouts.ts';
import drawSource from './draw-layers.wgsl';

export const LayersPictureLayout = layout('LayersPicture', {
  /** From pixels to clip space: x, y, z are factors; w is the least depth, which is subtracted first. */
  scale: 'vec4f',
});

export const maskBit = 0x80;
export const mostCount = 0x7f;
/** Layers per colour component: the lowest of eight bits is not used, so that halving is exact. */
export const layersPerChannel = 7;
/** The most layers of a line that colours can hold. */
export const mostBlended = 4 * layersPerChannel;

export interface LayerPipelines {
  readonly depthFormat: GPUTextureFormat;
  readonly bodyLayout: GPUBindGroupLayout;
  readonly reachedLayout: GPUBindGroupLayout;
  /** A's last layer, and the mask SA of the pixels that A covers. */
  readonly farA: GPURenderPipeline;
  /** Counts B's layers that pass test (2), at most as deep as A's last. */
  readonly notBehindA: GPURenderPipeline;
  /** A's first layer, and the number of A's layers. */
  readonly nearA: GPURenderPipeline;
  /** Counts B's layers that pass test (3), before A's first. */
  readonly beforeA: GPURenderPipeline;
  /** Counts all layers. */
  readonly countAll: GPURenderPipeline;
  /** The next layer behind the last one. */
  readonly next: GPURenderPipeline;
  /** Blends it into one of four colour components. */
  readonly blend: readonly GPURenderPipeline[];
}

export async function createLayerPipelines(device: GPUDevice): Promise<LayerPipelines> {
  const depthFormat: GPUTextureFormat = device.features.has('depth32float-stencil8')
    ? 'depth32float-stencil8'
    : 'depth24plus-stencil8';
  const { VERTEX, FRAGMENT } = GPUShaderStage;
  const bodyLayout = device.createBindGroupLayout({
    label: 'drawn layers',
    entries: [
      { binding: 0, visibility: VERTEX, buffer: { type: 'uniform' } },
      { binding: 1, visibility: VERTEX, buffer: { type: 'read-only-storage' } },
      { binding: 2, visibility: VERTEX, buffer: { type: 'read-only-storage' } },
    ],
  });
  const reachedLayout = device.createBindGroupLayout({
    label: 'layers reached',
    entries: [
      { binding: 0, visibility: FRAGMENT, texture: { sampleType: 'depth' } },
      { binding: 1, visibility: FRAGMENT, texture: { sampleType: 'uint' } },
    ],
  });
  const code = [DrawnBodyLayout.wgsl, LayersPictureLayout.wgsl, drawSource].join('\n');
  const module = device.createShaderModule({ label: 'draw-layers', code });
  const counting = device.createPipelineLayout({ bindGroupLayouts: [bodyLayout] });
  const blending = device.createPipelineLayout({ bindGroupLayouts: [bodyLayout, reachedLayout] });

  const make = (
    label: string,
    depthCompare: GPUCompareFunction,
    depthWriteEnabled: boolean,
    stencil: GPUStencilFaceState,
    masks: { stencilReadMask?: number; stencilWriteMask?: number },
    fragment?: { entryPoint: string; target: GPUColorTargetState },
  ) =>
    device.createRenderPipelineAsync({
      label,
      layout: fragment === undefined ? counting : blending,
      vertex: { module, entryPoint: 'placeCorner' },
      ...(fragment && {
        fragment: { module, entryPoint: fragment.entryPoint, targets: [fragment.target] },
      }),
      primitive: { topology: 'triangle-list', cullMode: 'none' },
      depthStencil: {
        ...{ format: depthFormat, depthCompare, depthWriteEnabled },
        ...{ stencilFront: stencil, stencilBack: stencil, ...masks },
      },
    });
  // The counter is incremented where the mask is set.
  const counts = { compare: 'equal', passOp: 'increment-clamp' } as const;
  const inMask = { stencilReadMask: maskBit, stencilWriteMask: mostCount };
  const format: GPUTextureFormat = 'rgba8unorm';
  // C = C_object + C / 2 (the paper's formula 4).
  const half: GPUBlendComponent = { operation: 'add', srcFactor: 'one', dstFactor: 'constant' };
  const { RED, GREEN, BLUE, ALPHA } = GPUColorWrite;
  const [farA, notBehindA, nearA, beforeA, countAll, next, ...blend] = await Promise.all([
    make(
      'last layer of A',
      'greater',
      true,
      { compare: 'always', passOp: 'replace', depthFailOp: 'replace' },
      { stencilWriteMask: maskBit },
    ),
    make('test (2)', 'less-equal', false, counts, inMask),
    make('first layer of A', 'less', true, { ...counts, depthFailOp: 'increment-clamp' }, inMask),
    make('test (3)', 'less', false, counts, inMask),
    make('all layers', 'always', false, counts, inMask),
    make(
      'next layer',
      'less',
      true,
      { compare: 'always' },
      {},
      { entryPoint: 'findNext', target: { format, writeMask: 0 } },
    ),
    ...[RED, GREEN, BLUE, ALPHA].map(writeMask =>
      // The reference is the number of layers blended so far: each layer is blended once.
      make(
        'blend layer',
        'equal',
        false,
        { compare: 'equal', passOp: 'increment-clamp' },
        {},
        { entryPoint: 'blendLayer', target: { format, writeMask, blend: { color: half, alpha: half } } },
      ),
    ),
  ]);
  return { depthFormat, bodyLayout, reachedLayout, farA, notBehindA, nearA, beforeA, countAll, next, blend };
}
