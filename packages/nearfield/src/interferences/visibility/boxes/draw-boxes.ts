// The paper's own way to cull (sections 3.1 and 4.2). The rasteriser draws boxes around triangles. Each body is tested
// against the bodies drawn before it, then drawn, in both orders. There is one occlusion query per body, then one per
// triangle. Alternatively the same fragments are listed, for the passes that need no order.

import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { createKernel, type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import filterModule from '../../../math/gpu/filter.wgsl';
import instanceModule from '../image/instance.wgsl';
import lookModule from '../image/look.wgsl';
import nearModule from '../image/near.wgsl';
import orderedModule from '../image/ordered-bits.wgsl';
import roundsModule from '../image/rounds.wgsl';
import sceneTriangleModule from '../image/scene-triangle.wgsl';
import {
  bodyRound,
  CullingLayout,
  farCornerWgsl,
  Look,
  type LookName,
  PlacingLayout,
  snappingWgsl,
  stateWgsl,
  triangleRounds,
} from '../layouts.ts';
import offsetSource from '../offsets/touched-pixels.wgsl';
import boxSource from './box-triangles.wgsl';
import collectSource from './collect-boxes.wgsl';
import drawSource from './draw-boxes.wgsl';
import lineModule from './line-in-box.wgsl';
import readSource from './read-queries.wgsl';

/** WebGPU's limit of queries per set. */
const queriesInSet = 4096;
const verticesOfBox = 36;
/** Vectors of four numbers that describe a box (box-triangles.wgsl). */
const boxVectors = 7;
const boxVectorsWgsl = `const boxVectors = ${boxVectors}u;`;

export interface BoxKernels {
  readonly boxes: Kernel;
  readonly readBodies: Kernel;
  readonly readTriangles: Kernel;
  readonly layouts: readonly [GPUBindGroupLayout, GPUBindGroupLayout];
  readonly test: GPURenderPipeline;
  readonly render: GPURenderPipeline;
  /** Lists fragments, and counts them as those of a look. */
  readonly collect: Readonly<Record<'only' | 'objects', GPURenderPipeline>>;
}

export async function createBoxKernels(device: GPUDevice): Promise<BoxKernels> {
  const { VERTEX, FRAGMENT } = GPUShaderStage;
  const state = [CullingLayout.wgsl, stateWgsl, roundsModule];
  const visibility = VERTEX | FRAGMENT;
  const shown = device.createBindGroupLayout({
    label: 'boxes',
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
  const drawing = [...state, farCornerWgsl, boxVectorsWgsl, filterModule, lineModule, drawSource].join('\n');
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
    depthCompare: GPUCompareFunction,
    depthWriteEnabled: boolean,
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
      depthStencil: { format: 'depth32float', depthCompare, depthWriteEnabled },
    });
  const [boxes, readBodies, readTriangles, test, render, only, objects] = await Promise.all([
    createKernel(device, 'box-triangles', [
      ...state,
      snappingWgsl,
      farCornerWgsl,
      boxVectorsWgsl,
      instanceModule,
      PlacingLayout.wgsl,
      filterModule,
      orderedModule,
      sceneTriangleModule,
      offsetSource,
      nearModule,
      boxSource,
    ]),
    createKernel(device, 'read-queries', [...state, readSource], { byTriangles: 0 }),
    createKernel(device, 'read-queries', [...state, readSource], { byTriangles: 1 }),
    // Front faces are drawn and back faces are tested. Either covers the box's projection once.
    pipeline('test boxes', module, 'greatestDepth', 'front', 'greater-equal', false),
    pipeline('render boxes', module, 'leastDepth', 'back', 'less', true),
    pipeline('collect boxes', collecting, 'collect', 'back', 'always', false, { look: Look.only }),
    pipeline('collect boxes', collecting, 'collect', 'back', 'always', false, { look: Look.objects }),
  ]);
  const collect = { only, objects };
  return { boxes, readBodies, readTriangles, layouts: [shown, listed], test, render, collect };
}

/** The images to draw. `starts` has each body's first triangle, then the number of triangles. */
export interface Drawn {
  readonly resolution: number;
  readonly views: number;
  readonly starts: Uint32Array;
}

/** Compiles the kernels and creates the drawing when it is first asked for. */
export class BoxDrawings {
  readonly #device: GPUDevice;
  readonly #resources: Resources;
  #made: Promise<BoxDrawing> | undefined;

  constructor(device: GPUDevice, resources: Resources) {
    this.#device = device;
    this.#resources = resources;
  }

  get(): Promise<BoxDrawing> {
    return (this.#made ??= createBoxKernels(this.#device).then(
      kernels => new BoxDrawing(this.#device, kernels, this.#resources),
    ));
  }

  destroy(): void {
    this.#made?.then(
      drawing => drawing.destroy(),
      () => {},
    );
  }
}

export class BoxDrawing {
  readonly #device: GPUDevice;
  readonly #kernels: BoxKernels;
  readonly #resources: Resources;
  readonly #boxes: Launch;
  /** Indexed by view, then by round. */
  readonly #reads: readonly (readonly Launch[])[];
  readonly #drawings: readonly (readonly GPUBuffer[])[];
  readonly #triangleBoxes: GrowingBuffer;
  readonly #passed: GrowingBuffer;
  readonly #querySet: GPUQuerySet;
  #depth: GPUTexture | undefined;
  #depthView: GPUTextureView | undefined;
  #groups: { generation: number; shown: GPUBindGroup[][]; listed: GPUBindGroup } | undefined;

  constructor(device: GPUDevice, kernels: BoxKernels, resources: Resources) {
    this.#device = device;
    this.#kernels = kernels;
    this.#resources = new Resources(resources);
    this.#boxes = new Launch(device, kernels.boxes, this.#resources);
    this.#triangleBoxes = new GrowingBuffer(device, 'triangle boxes');
    this.#passed = new GrowingBuffer(device, 'passed queries', GPUBufferUsage.QUERY_RESOLVE);
    this.#querySet = device.createQuerySet({ label: 'boxes', type: 'occlusion', count: queriesInSet });
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    const rounds = [bodyRound, ...triangleRounds];
    this.#drawings = [0, 1, 2].map(view =>
      rounds.map(round => {
        const buffer = device.createBuffer({ label: 'drawing', size: 16, usage });
        device.queue.writeBuffer(buffer, 0, new Uint32Array([view, round]));
        return buffer;
      }),
    );
    this.#reads = this.#drawings.map(drawings =>
      drawings.map((drawing, round) => {
        const own = new Resources(this.#resources);
        own.set('drawing', drawing);
        const [kernel, flagged] =
          round === bodyRound ? [kernels.readBodies, 'bodyStates'] : [kernels.readTriangles, 'instances'];
        return new Launch(device, kernel, new Alias(own, 'flagged', flagged));
      }),
    );
  }

  reserve({ resolution, starts }: Drawn): void {
    const instanceCount = starts[starts.length - 1];
    this.#resources.set('triangleBoxes', this.#triangleBoxes.reserve(16 * boxVectors * instanceCount));
    // The extra 256 bytes are for alignment: each set is resolved at a multiple of 256 bytes.
    this.#resources.set('passed', this.#passed.reserve(8 * Math.max(instanceCount, starts.length) + 256));
    if (this.#depth?.width === resolution) return;
    this.#depth?.destroy();
    this.#depth = this.#device.createTexture({
      label: 'box depths',
      size: [resolution, resolution],
      format: 'depth32float',
      usage: GPUTextureUsage.RENDER_ATTACHMENT,
    });
    this.#depthView = this.#depth.createView();
  }

  /** Computes the boxes. This dispatch replaces the raster's first one. */
  encodeBoxes(pass: GPUComputePassEncoder, groups: number): number {
    this.#boxes.encode(pass, groups);
    return 1;
  }

  /** Lists the fragments, in all views, of the boxes that take part in a look's first round. */
  encodeFragments(encoder: GPUCommandEncoder, { views, starts }: Drawn, look: LookName): number {
    const round = look === 'parts' ? triangleRounds[0] : bodyRound;
    const { shown, listed } = this.#bind();
    for (let view = 0; view < views; view++) {
      const pass = encoder.beginRenderPass(this.#passOf(true));
      pass.setPipeline(this.#kernels.collect[look === 'objects' ? 'objects' : 'only']);
      pass.setBindGroup(0, shown[view][round]);
      pass.setBindGroup(1, listed);
      pass.draw(verticesOfBox, starts[starts.length - 1]);
      pass.end();
    }
    return views;
  }

  /** Encodes one round of occlusion queries: both orders in every view, then the flags of those that passed. */
  encodeRound(encoder: GPUCommandEncoder, drawn: Drawn, round: number, groups: number): number {
    let dispatches = 0;
    for (let view = 0; view < drawn.views; view++) {
      for (const backward of [false, true]) {
        dispatches += this.#encodeOrder(encoder, drawn, view, round, backward);
        const pass = encoder.beginComputePass({ label: 'read queries' });
        this.#reads[view][round].encode(pass, groups);
        pass.end();
        dispatches++;
      }
    }
    return dispatches;
  }

  destroy(): void {
    this.#depth?.destroy();
    this.#querySet.destroy();
    this.#triangleBoxes.destroy();
    this.#passed.destroy();
    for (const buffer of this.#drawings.flat()) buffer.destroy();
  }

  /** Tests and then draws the bodies in order. A new render pass begins whenever the query set is full. */
  #encodeOrder(
    encoder: GPUCommandEncoder,
    { starts }: Drawn,
    view: number,
    round: number,
    backward: boolean,
  ): number {
    const byTriangles = round !== bodyRound;
    const bodyCount = starts.length - 1;
    const subjects = byTriangles ? starts[bodyCount] : bodyCount;
    const { test, render } = this.#kernels;
    const group = this.#bind().shown[view][round];
    let draws = 0;
    let pass: GPURenderPassEncoder | undefined;
    /**
     * Queries have consecutive numbers. A stretch is the range of numbers that one query set holds, in either order.
     */
    let stretch = -1;
    const close = () => {
      if (pass === undefined) return;
      pass.end();
      const first = stretch * queriesInSet;
      const count = Math.min(queriesInSet, subjects - first);
      encoder.resolveQuerySet(this.#querySet, 0, count, this.#passed.buffer, 8 * first);
    };
    const enter = (subject: number): GPURenderPassEncoder => {
      const wanted = Math.floor(subject / queriesInSet);
      if (pass !== undefined && wanted === stretch) return pass;
      close();
      pass = encoder.beginRenderPass(this.#passOf(stretch === -1));
      pass.setBindGroup(0, group);
      used = undefined;
      stretch = wanted;
      return pass;
    };
    /** The pass's pipeline. There may be millions of queries, so it is set only if it changes. */
    let used: GPURenderPipeline | undefined;
    const use = (drawing: GPURenderPassEncoder, pipeline: GPURenderPipeline) => {
      if (used !== pipeline) drawing.setPipeline(pipeline);
      used = pipeline;
    };
    const query = (subject: number, first: number, count: number) => {
      const drawing = enter(subject);
      use(drawing, test);
      drawing.beginOcclusionQuery(subject % queriesInSet);
      drawing.draw(verticesOfBox, count, 0, first);
      drawing.endOcclusionQuery();
      draws++;
    };
    for (let i = 0; i < bodyCount; i++) {
      const body = backward ? bodyCount - 1 - i : i;
      const [first, end] = [starts[body], starts[body + 1]];
      if (byTriangles) {
        for (let k = first; k < end; k++) {
          const triangle = backward ? first + end - 1 - k : k;
          query(triangle, triangle, 1);
        }
      } else query(body, first, end - first);
      if (pass === undefined || first === end) continue;
      use(pass, render);
      pass.draw(verticesOfBox, end - first, 0, first);
      draws++;
    }
    close();
    return draws;
  }

  #passOf(clear: boolean): GPURenderPassDescriptor {
    return {
      label: 'boxes',
      colorAttachments: [],
      depthStencilAttachment: {
        view: this.#depthView!,
        depthClearValue: 1,
        depthLoadOp: clear ? 'clear' : 'load',
        depthStoreOp: 'store',
      },
      occlusionQuerySet: this.#querySet,
    };
  }

  #bind(): { shown: GPUBindGroup[][]; listed: GPUBindGroup } {
    const { generation } = this.#resources;
    if (this.#groups?.generation === generation) return this.#groups;
    const buffer = (name: string) => ({ buffer: this.#resources.get(name) as GPUBuffer });
    const [shownLayout, listedLayout] = this.#kernels.layouts;
    const shown = this.#drawings.map(drawings =>
      drawings.map(drawing =>
        this.#device.createBindGroup({
          label: 'boxes',
          layout: shownLayout,
          entries: [
            { binding: 0, resource: buffer('culling') },
            { binding: 1, resource: { buffer: drawing } },
            { binding: 2, resource: buffer('triangleBoxes') },
            { binding: 3, resource: buffer('instances') },
            { binding: 4, resource: buffer('bodyStates') },
          ],
        }),
      ),
    );
    const listed = this.#device.createBindGroup({
      label: 'fragments of boxes',
      layout: listedLayout,
      entries: [
        { binding: 0, resource: buffer('imageState') },
        { binding: 1, resource: buffer('fragments') },
      ],
    });
    this.#groups = { generation, shown, listed };
    return this.#groups;
  }
}

/** Resources in which one name is an alias of another. */
class Alias extends Resources {
  readonly #name: string;
  readonly #meaning: string;

  constructor(parent: Resources, name: string, meaning: string) {
    super(parent);
    this.#name = name;
    this.#meaning = meaning;
  }
  override get(name: string) {
    return super.get(name === this.#name ? this.#meaning : name);
  }
}
