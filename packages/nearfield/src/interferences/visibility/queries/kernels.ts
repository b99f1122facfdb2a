// The compiled kernels and pipelines of drawing: of the boxes around triangles, or of the triangles themselves.

import { createKernel, type Kernel } from '../../../gpu/kernel.ts';
import filterModule from '../../../math/gpu/filter.wgsl';
import roundsModule from '../image/rounds.wgsl';
import { CullingLayout, farCornerWgsl, stateWgsl } from '../layouts.ts';
import { type Shape, shapeVectorsWgsl } from '../shapes/kernels.ts';
import lineModule from '../shapes/line-in-box.wgsl';
import takesPartModule from '../shapes/takes-part.wgsl';
import drawBoxesSource from './draw-boxes.wgsl';
import drawTrianglesSource from './draw-triangles.wgsl';
import drawnModule from './drawn.wgsl';
import readSource from './read-queries.wgsl';

export interface DrawKernels {
  readonly readBodies: Kernel;
  readonly readTriangles: Kernel;
  readonly layout: GPUBindGroupLayout;
  /**
   * The indices that are drawn per triangle of the scene, three per drawn triangle. So each vertex is computed once,
   * however often it is used.
   */
  readonly indices: Uint32Array<ArrayBuffer>;
  readonly test: GPURenderPipeline;
  readonly render: GPURenderPipeline;
}

const state = [CullingLayout.wgsl, stateWgsl, roundsModule];

export async function createDrawKernels(device: GPUDevice, shape: Shape): Promise<DrawKernels> {
  const layout = createLayout(device);
  const reading = [...state, takesPartModule, readSource];
  const [readBodies, readTriangles, pipelines] = await Promise.all([
    createKernel(device, 'read-queries', reading, { byTriangles: 0 }),
    createKernel(device, 'read-queries', reading, { byTriangles: 1 }),
    shape === 'boxes' ? createBoxPipelines(device, layout) : createTrianglePipelines(device, layout),
  ]);
  return { readBodies, readTriangles, layout, ...pipelines };
}

type Pipelines = Pick<DrawKernels, 'indices' | 'test' | 'render'>;

function createLayout(device: GPUDevice): GPUBindGroupLayout {
  const { VERTEX, FRAGMENT } = GPUShaderStage;
  const visibility = VERTEX | FRAGMENT;
  return device.createBindGroupLayout({
    label: 'drawn shapes',
    entries: [
      { binding: 0, visibility, buffer: { type: 'uniform' } },
      { binding: 1, visibility, buffer: { type: 'uniform' } },
      { binding: 2, visibility, buffer: { type: 'read-only-storage' } },
      ...[3, 4].map(binding => ({
        binding,
        visibility: VERTEX,
        buffer: { type: 'read-only-storage' } as const,
      })),
    ],
  });
}

const testing = { depthCompare: 'greater-equal', depthWriteEnabled: false } as const;
const rendering = { depthCompare: 'less', depthWriteEnabled: true } as const;
const format = 'depth32float';

async function createBoxPipelines(device: GPUDevice, layout: GPUBindGroupLayout): Promise<Pipelines> {
  const modules = [
    ...state,
    farCornerWgsl,
    shapeVectorsWgsl,
    filterModule,
    lineModule,
    takesPartModule,
    drawnModule,
    drawBoxesSource,
  ];
  const module = device.createShaderModule({ label: 'draw-boxes', code: modules.join('\n') });
  const pipeline = (
    label: string,
    entryPoint: string,
    cullMode: GPUCullMode,
    depth: Omit<GPUDepthStencilState, 'format'>,
  ) =>
    device.createRenderPipelineAsync({
      label,
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      vertex: {
        module,
        entryPoint: 'placeBox',
        constants: { testing: entryPoint === 'greatestDepth' ? 1 : 0 },
      },
      fragment: { module, entryPoint, targets: [] },
      primitive: { topology: 'triangle-list', cullMode },
      depthStencil: { format, ...depth },
    });
  const [test, render] = await Promise.all([
    // Front faces are drawn and back faces are tested. Either covers the box's projection once.
    pipeline('test boxes', 'greatestDepth', 'front', testing),
    pipeline('render boxes', 'leastDepth', 'back', rendering),
  ]);
  return { indices: boxIndices(), test, render };
}

/** The twelve triangles of a box, counterclockwise seen from outside, by its corners (draw-boxes.wgsl). */
function boxIndices(): Uint32Array<ArrayBuffer> {
  const indices: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const [next, last] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
    for (const upper of [false, true]) {
      const first = upper ? 1 << axis : 0;
      // On the lower side, the order is reversed.
      const [u, v] = upper ? [next, last] : [last, next];
      indices.push(first, first + u, first + u + v, first, first + u + v, first + v);
    }
  }
  return Uint32Array.from(indices);
}

async function createTrianglePipelines(device: GPUDevice, layout: GPUBindGroupLayout): Promise<Pipelines> {
  const code = [...state, shapeVectorsWgsl, takesPartModule, drawnModule, drawTrianglesSource].join('\n');
  const module = device.createShaderModule({ label: 'draw-triangles', code });
  const pipeline = (label: string, isTest: boolean) =>
    device.createRenderPipelineAsync({
      label,
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      vertex: { module, entryPoint: 'placeTriangle', constants: { testing: isTest ? 1 : 0 } },
      primitive: { topology: 'triangle-list' },
      depthStencil: { format, ...(isTest ? testing : rendering) },
    });
  const [test, render] = await Promise.all([
    pipeline('test triangles', true),
    pipeline('render triangles', false),
  ]);
  return { indices: Uint32Array.of(0, 1, 2), test, render };
}
