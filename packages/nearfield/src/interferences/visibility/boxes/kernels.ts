// The compiled kernels and pipelines of drawing: of the boxes around triangles, or of the triangles themselves.

import { createKernel, type Kernel } from '../../../gpu/kernel.ts';
import filterModule from '../../../math/gpu/filter.wgsl';
import instanceModule from '../image/instance.wgsl';
import lookModule from '../image/look.wgsl';
import nearModule from '../image/near.wgsl';
import orderedModule from '../image/ordered-bits.wgsl';
import roundsModule from '../image/rounds.wgsl';
import sceneTriangleModule from '../image/scene-triangle.wgsl';
import { CullingLayout, farCornerWgsl, Look, PlacingLayout, snappingWgsl, stateWgsl } from '../layouts.ts';
import offsetSource from '../offsets/touched-pixels.wgsl';
import boxModule from './box-triangles.wgsl';
import collectSource from './collect-boxes.wgsl';
import drawBoxesSource from './draw-boxes.wgsl';
import drawTrianglesSource from './draw-triangles.wgsl';
import drawnModule from './drawn.wgsl';
import eachSource from './each-triangle.wgsl';
import lineModule from './line-in-box.wgsl';
import placeModule from './place-triangles.wgsl';
import readSource from './read-queries.wgsl';

/** Vectors of four numbers per triangle, whatever is drawn (box-triangles.wgsl). */
export const boxVectors = 7;
const boxVectorsWgsl = `const boxVectors = ${boxVectors}u;`;

/** 'boxes': around the triangles, with proven depths. 'triangles': themselves, which may miss pairs (CULLIDE). */
export type DrawnShape = 'boxes' | 'triangles';

export interface DrawKernels {
  /** Computes what is drawn. */
  readonly shapes: Kernel;
  readonly readBodies: Kernel;
  readonly readTriangles: Kernel;
  readonly layouts: readonly [GPUBindGroupLayout, GPUBindGroupLayout];
  /**
   * The indices that are drawn per triangle of the scene, three per drawn triangle. So each vertex is computed once,
   * however often it is used.
   */
  readonly indices: Uint32Array<ArrayBuffer>;
  readonly test: GPURenderPipeline;
  readonly render: GPURenderPipeline;
  /** Lists the fragments of boxes, and counts them as those of a look. */
  readonly collect: Readonly<Record<'only' | 'objects', GPURenderPipeline>> | undefined;
}

const state = [CullingLayout.wgsl, stateWgsl, roundsModule];

export async function createDrawKernels(device: GPUDevice, shape: DrawnShape): Promise<DrawKernels> {
  const layouts = createLayouts(device);
  const [shapes, readBodies, readTriangles, pipelines] = await Promise.all([
    createKernel(device, shape === 'boxes' ? 'box-triangles' : 'place-triangles', [
      ...state,
      boxVectorsWgsl,
      instanceModule,
      PlacingLayout.wgsl,
      filterModule,
      orderedModule,
      sceneTriangleModule,
      offsetSource,
      nearModule,
      ...(shape === 'boxes' ? [snappingWgsl, farCornerWgsl, boxModule] : [placeModule]),
      eachSource,
    ]),
    createKernel(device, 'read-queries', [...state, readSource], { byTriangles: 0 }),
    createKernel(device, 'read-queries', [...state, readSource], { byTriangles: 1 }),
    shape === 'boxes' ? createBoxPipelines(device, layouts) : createTrianglePipelines(device, layouts),
  ]);
  return { shapes, readBodies, readTriangles, layouts, ...pipelines };
}

type Layouts = DrawKernels['layouts'];
type Pipelines = Pick<DrawKernels, 'indices' | 'test' | 'render' | 'collect'>;

/** What is drawn, and the list of fragments. */
function createLayouts(device: GPUDevice): Layouts {
  const { VERTEX, FRAGMENT } = GPUShaderStage;
  const visibility = VERTEX | FRAGMENT;
  const shown = device.createBindGroupLayout({
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
  const listed = device.createBindGroupLayout({
    label: 'fragments of boxes',
    entries: [0, 1].map(binding => ({ binding, visibility: FRAGMENT, buffer: { type: 'storage' } as const })),
  });
  return [shown, listed];
}

const testing = { depthCompare: 'greater-equal', depthWriteEnabled: false } as const;
const rendering = { depthCompare: 'less', depthWriteEnabled: true } as const;
const format = 'depth32float';

async function createBoxPipelines(device: GPUDevice, [shown, listed]: Layouts): Promise<Pipelines> {
  const modules = [
    ...state,
    farCornerWgsl,
    boxVectorsWgsl,
    filterModule,
    lineModule,
    drawnModule,
    drawBoxesSource,
  ];
  const drawing = modules.join('\n');
  const module = device.createShaderModule({ label: 'draw-boxes', code: drawing });
  const collecting = device.createShaderModule({
    label: 'collect-boxes',
    code: `${drawing}\n${lookModule}\n${collectSource}`,
  });
  const pipeline = (
    label: string,
    shaders: GPUShaderModule,
    entryPoint: string,
    cullMode: GPUCullMode,
    depth: Omit<GPUDepthStencilState, 'format'>,
    constants: Record<string, number> = {},
  ) =>
    device.createRenderPipelineAsync({
      label,
      layout: device.createPipelineLayout({
        bindGroupLayouts: shaders === collecting ? [shown, listed] : [shown],
      }),
      vertex: {
        module: shaders,
        entryPoint: 'placeBox',
        constants: { testing: entryPoint === 'greatestDepth' ? 1 : 0 },
      },
      fragment: { module: shaders, entryPoint, targets: [], constants },
      primitive: { topology: 'triangle-list', cullMode },
      depthStencil: { format, ...depth },
    });
  const listing = { depthCompare: 'always', depthWriteEnabled: false } as const;
  const [test, render, only, objects] = await Promise.all([
    // Front faces are drawn and back faces are tested. Either covers the box's projection once.
    pipeline('test boxes', module, 'greatestDepth', 'front', testing),
    pipeline('render boxes', module, 'leastDepth', 'back', rendering),
    pipeline('collect boxes', collecting, 'collect', 'back', listing, { look: Look.only }),
    pipeline('collect boxes', collecting, 'collect', 'back', listing, { look: Look.objects }),
  ]);
  return { indices: boxIndices(), test, render, collect: { only, objects } };
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

async function createTrianglePipelines(device: GPUDevice, [shown]: Layouts): Promise<Pipelines> {
  const code = [...state, boxVectorsWgsl, drawnModule, drawTrianglesSource].join('\n');
  const module = device.createShaderModule({ label: 'draw-triangles', code });
  const pipeline = (label: string, isTest: boolean) =>
    device.createRenderPipelineAsync({
      label,
      layout: device.createPipelineLayout({ bindGroupLayouts: [shown] }),
      vertex: { module, entryPoint: 'placeTriangle', constants: { testing: isTest ? 1 : 0 } },
      primitive: { topology: 'triangle-list' },
      depthStencil: { format, ...(isTest ? testing : rendering) },
    });
  const [test, render] = await Promise.all([
    pipeline('test triangles', true),
    pipeline('render triangles', false),
  ]);
  return { indices: Uint32Array.of(0, 1, 2), test, render, collect: undefined };
}
