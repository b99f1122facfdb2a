// The paper's own way to cull (sections 3.1 and 4.2). The rasteriser draws boxes around triangles. Each body is tested
// against the bodies drawn before it, then drawn, in both orders. There is one occlusion query per body, then one per
// triangle. CULLIDE draws the triangles themselves, in the same way.

import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { Launch, Resources } from '../../../gpu/kernel.ts';
import { bodyRound } from '../layouts.ts';
import type { Shape } from '../shapes/kernels.ts';
import { createDrawKernels, type DrawKernels } from './kernels.ts';

/** WebGPU's limit of queries per set. */
const queriesInSet = 4096;

/** The images to draw. `starts` has each body's first triangle, then the number of triangles. */
export interface Drawn {
  readonly resolution: number;
  readonly views: number;
  readonly starts: Uint32Array;
}

export class Drawing {
  readonly #device: GPUDevice;
  readonly #kernels: DrawKernels;
  readonly #resources: Resources;
  /** Views and rounds in uniform buffers, indexed by both; and what reads their queries. */
  readonly #drawings: readonly (readonly GPUBuffer[])[];
  readonly #reads: readonly (readonly Launch[])[];
  readonly #passed: GrowingBuffer;
  readonly #querySet: GPUQuerySet;
  /** The indices of every draw (`DrawKernels.indices`). */
  readonly #indices: GPUBuffer;
  #depth: GPUTexture | undefined;
  #depthView: GPUTextureView | undefined;
  #groups: { generation: number; shown: GPUBindGroup[][] } | undefined;

  static async create(
    device: GPUDevice,
    shape: Shape,
    resources: Resources,
    drawings: readonly (readonly GPUBuffer[])[],
  ): Promise<Drawing> {
    return new Drawing(device, await createDrawKernels(device, shape), resources, drawings);
  }

  private constructor(
    device: GPUDevice,
    kernels: DrawKernels,
    resources: Resources,
    drawings: readonly (readonly GPUBuffer[])[],
  ) {
    this.#device = device;
    this.#kernels = kernels;
    this.#resources = new Resources(resources);
    this.#drawings = drawings;
    this.#passed = new GrowingBuffer(device, 'passed queries', GPUBufferUsage.QUERY_RESOLVE);
    this.#querySet = device.createQuerySet({ label: 'boxes', type: 'occlusion', count: queriesInSet });
    const indexUsage = GPUBufferUsage.INDEX | GPUBufferUsage.COPY_DST;
    const { indices } = kernels;
    this.#indices = device.createBuffer({ label: 'indices', size: indices.byteLength, usage: indexUsage });
    device.queue.writeBuffer(this.#indices, 0, indices);
    this.#reads = drawings.map(ofView =>
      ofView.map((drawing, round) => {
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
    this.#indices.destroy();
    this.#passed.destroy();
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
    const { test, render, indices } = this.#kernels;
    const group = this.#bind()[view][round];
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
      pass.setIndexBuffer(this.#indices, 'uint32');
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
      drawing.drawIndexed(indices.length, count, 0, 0, first);
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
      pass.drawIndexed(indices.length, end - first, 0, 0, first);
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

  #bind(): GPUBindGroup[][] {
    const { generation } = this.#resources;
    if (this.#groups?.generation === generation) return this.#groups.shown;
    const buffer = (name: string) => ({ buffer: this.#resources.get(name) as GPUBuffer });
    const shown = this.#drawings.map(drawings =>
      drawings.map(drawing =>
        this.#device.createBindGroup({
          label: 'boxes',
          layout: this.#kernels.layout,
          entries: [
            { binding: 0, resource: buffer('culling') },
            { binding: 1, resource: { buffer: drawing } },
            { binding: 2, resource: buffer('drawnShapes') },
            { binding: 3, resource: buffer('instances') },
            { binding: 4, resource: buffer('bodyStates') },
          ],
        }),
      ),
    );
    this.#groups = { generation, shown };
    return shown;
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
