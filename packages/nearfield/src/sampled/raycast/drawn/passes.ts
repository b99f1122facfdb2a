// Knott's rendering passes, recorded one after the other.

import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import type { Resources } from '../../../gpu/kernel.ts';
import type { EdgeSource } from '../edges/edge-source.ts';
import { DrawnState, stencilZero } from './layouts.ts';
import type { DrawnPipelines, NameFormats, NamingPipelines, OfAll } from './pipelines.ts';
import type { PixelCopy, PixelKind } from './pixels.ts';
import type { Participants } from './placings.ts';

/** Textures may have this many times the pixels of a picture. */
const mostSpare = 4;
/** WebGPU's limit per query set. */
const queriesInSet = 4096;

interface Textures {
  readonly formats: NameFormats;
  readonly depth: GPUTexture;
  readonly edges: GPUTexture;
  readonly named: GPUTexture;
  readonly depthView: GPUTextureView;
  readonly stencilView: GPUTextureView;
  readonly edgesView: GPUTextureView;
  readonly namedView: GPUTextureView;
}

export interface DrawnBuffers {
  readonly view: GPUBuffer;
  readonly bodies: GPUBuffer;
  readonly state: GPUBuffer;
  readonly candidates: GPUBuffer;
  readonly hits: GPUBuffer;
}

interface Groups {
  readonly bodies: GPUBindGroup;
  readonly edges: GPUBindGroup;
  readonly reduce: readonly GPUBindGroup[];
  readonly state: GPUBuffer;
  readonly naming: NamingPipelines;
  readonly columns: number;
  readonly rows: number;
}

export class Passes {
  readonly #device: GPUDevice;
  readonly #pipelines: DrawnPipelines;
  readonly #passed: GrowingBuffer;
  readonly #querySet: GPUQuerySet;
  #textures: Textures | undefined;
  #groups: Groups | undefined;

  constructor(device: GPUDevice, pipelines: DrawnPipelines) {
    this.#device = device;
    this.#pipelines = pipelines;
    this.#passed = new GrowingBuffer(device, 'passed queries', GPUBufferUsage.QUERY_RESOLVE);
    this.#querySet = device.createQuerySet({ label: 'edges', type: 'occlusion', count: queriesInSet });
  }

  /** The results of queries, two words each. */
  get passed(): GPUBuffer {
    return this.#passed.buffer;
  }

  bind(
    { picture, queries, watched, isRead, naming }: Participants,
    buffers: DrawnBuffers,
    resources: Resources,
  ): void {
    const { columns, rows } = picture.view;
    this.#resize(columns, rows, naming.formats, isRead, watched !== undefined);
    // Each set is resolved at a multiple of 256 bytes.
    this.#passed.reserve(8 * queries + 256);
    const { bodyLayout, edgesLayout, reduce } = this.#pipelines;
    const { edgesView, stencilView, namedView } = this.#textures!;
    const shared = (name: string) => ({ buffer: resources.get(name) as GPUBuffer });
    this.#groups = {
      bodies: this.#group('drawn bodies', bodyLayout, [
        { buffer: buffers.view },
        { buffer: buffers.bodies },
        shared('leaves'),
        shared('leafOf'),
        shared('edgeRecords'),
      ]),
      edges: this.#group('edges seen', edgesLayout, [edgesView]),
      reduce: reduce.map(pipeline =>
        this.#group('reduce-pixels', pipeline.getBindGroupLayout(0), [
          { buffer: buffers.view },
          { buffer: buffers.candidates },
          { buffer: buffers.state },
          { buffer: buffers.hits },
          edgesView,
          stencilView,
          namedView,
        ]),
      ),
      state: buffers.state,
      naming,
      columns,
      rows,
    };
  }

  /**
   * Pass 1 draws the nearest edges, passes 2 and 3 the faces before them, without the faces of an edge's own body. If
   * `sumsOwn`, all faces are counted first and summed up on the GPU, and then a body's own are subtracted.
   */
  encodeEdges(encoder: GPUCommandEncoder, edges: EdgeSource, drawn: Participants): number {
    const { state, naming } = this.#groups!;
    encoder.clearBuffer(state, 0, 4 * drawn.stateWords);
    const inverting = encoder.beginComputePass({ label: 'edges' });
    const dispatches = edges.encode(inverting);
    inverting.end();
    const { edgesView, depth, edges: edgesTexture } = this.#textures!;
    const drawing = this.#begin(encoder, { color: edgesView, clearDepth: true, clearStencil: true });
    let calls = dispatches + this.#drawAll(drawing, naming.edges, drawn.edgeVertices);
    drawing.end();
    const { watched, sumsOwn } = drawn;
    const { faces, ownFaces, othersFaces } = this.#pipelines;
    if (sumsOwn) {
      const counting = this.#begin(encoder, {});
      calls += this.#drawAll(counting, faces, drawn.faceVertices);
      counting.end();
      watched?.encodeCounts(encoder, depth, 0);
      this.#reduce(encoder, 0);
      calls++;
    }
    const rest = this.#begin(encoder, {});
    rest.setBindGroup(1, this.#groups!.edges);
    calls += this.#drawAll(rest, sumsOwn ? ownFaces : othersFaces, drawn.faceVertices);
    rest.end();
    watched?.encodeCounts(encoder, depth, 1);
    watched?.encodeEdges(encoder, edgesTexture);
    return calls;
  }

  /**
   * Pass 4 of Algorithms 3 and 4: colours the pixels of enclosed edges, and with `withNames` those of the bodies that
   * enclose them.
   */
  encodeColours(encoder: GPUCommandEncoder, drawn: Participants, withNames: boolean): number {
    const { namedView } = this.#textures!;
    const pass = this.#begin(encoder, { color: namedView });
    const draws = this.#drawAll(pass, this.#groups!.naming.identify, drawn.edgeVertices);
    pass.end();
    return draws + (withNames ? this.#encodeAlone(encoder, drawn, { keepColour: true }) : 0);
  }

  /** Copies a buffer that the CPU is to read: the stencil, or the colours. */
  encodeCopy(encoder: GPUCommandEncoder, copy: PixelCopy, kind: PixelKind): void {
    const { depth, named } = this.#textures!;
    const { columns, rows } = this.#groups!;
    copy.encode(encoder, kind === 'stencil' ? depth : named, kind, [columns, rows]);
  }

  /** Finds whose edges the faces of others enclose, by reading every pixel (Algorithm 2). */
  encodeCounts(encoder: GPUCommandEncoder): number {
    this.#reduce(encoder, 1);
    return 1;
  }

  /** Finds the same by drawing the edges again, with one query per body or one for all (pass 4 of Algorithm 5). */
  encodeQueries(
    encoder: GPUCommandEncoder,
    { edgeVertices, queries }: Participants,
    together: boolean,
  ): number {
    return this.#inSets(encoder, queries, undefined, (pass, query) => {
      const { again } = this.#pipelines;
      pass.beginOcclusionQuery(query % queriesInSet);
      if (together) this.#drawAll(pass, again, edgeVertices);
      else {
        pass.setPipeline(again.instanced);
        pass.draw(edgeVertices[query], 1, 0, query);
      }
      pass.endOcclusionQuery();
      return 1;
    });
  }

  /**
   * Passes 5 to 7 (Algorithm 4): counts each body alone before the edges of others, and names it if it encloses one, by
   * a query if those are used. `open` also names bodies that are left more often than entered.
   */
  encodeNames(encoder: GPUCommandEncoder, drawn: Participants, open: boolean, byQueries: boolean): number {
    encoder.clearBuffer(this.#groups!.state, 4 * DrawnState.hits, 4);
    const draws = this.#encodeAlone(encoder, drawn, { open, byQueries });
    // Queries tell who encloses an edge, and pixels who is not closed.
    if (byQueries && !open) return draws;
    this.#reduce(encoder, 2);
    return draws + 1;
  }

  #encodeAlone(
    encoder: GPUCommandEncoder,
    drawn: Participants,
    given: { open?: boolean; byQueries?: boolean; keepColour?: boolean },
  ): number {
    const { open = false, byQueries = false, keepColour = false } = given;
    const { alone, name, nameOpen } = this.#groups!.naming;
    const target = { color: this.#textures!.namedView, keepColour };
    return this.#inSets(encoder, drawn.bodies, target, (pass, body) => {
      const vertices = drawn.faceVertices[body];
      pass.setPipeline(alone);
      pass.draw(vertices, 1, 0, body);
      pass.setPipeline(name);
      if (byQueries) pass.beginOcclusionQuery(body % queriesInSet);
      pass.draw(vertices, 1, 0, body);
      if (byQueries) pass.endOcclusionQuery();
      if (!open) return 2;
      pass.setPipeline(nameOpen);
      pass.draw(vertices, 1, 0, body);
      return 3;
    });
  }

  destroy(): void {
    this.#free();
    this.#passed.destroy();
    this.#querySet.destroy();
  }

  /** Draws for each number up to `count`, with one pass per query set. */
  #inSets(
    encoder: GPUCommandEncoder,
    count: number,
    target: { readonly color: GPUTextureView; readonly keepColour: boolean } | undefined,
    draw: (pass: GPURenderPassEncoder, i: number) => number,
  ): number {
    let draws = 0;
    for (let first = 0; first < count; first += queriesInSet) {
      const clear = target !== undefined && first === 0;
      const pass = this.#begin(encoder, {
        color: target?.color,
        loadColor: !clear || target.keepColour,
        clearStencil: clear,
        queries: true,
      });
      pass.setBindGroup(1, this.#groups!.edges);
      const end = Math.min(count, first + queriesInSet);
      for (let i = first; i < end; i++) draws += draw(pass, i);
      pass.end();
      encoder.resolveQuerySet(this.#querySet, 0, end - first, this.#passed.buffer, 8 * first);
    }
    return draws;
  }

  #begin(
    encoder: GPUCommandEncoder,
    given: {
      color?: GPUTextureView | undefined;
      loadColor?: boolean;
      clearDepth?: boolean;
      clearStencil?: boolean;
      queries?: boolean;
    },
  ): GPURenderPassEncoder {
    const { color, loadColor = false, clearDepth = false, clearStencil = false, queries = false } = given;
    const pass = encoder.beginRenderPass({
      label: 'raycast',
      colorAttachments:
        color === undefined
          ? []
          : [
              {
                view: color,
                loadOp: loadColor ? 'load' : 'clear',
                storeOp: 'store',
                clearValue: [0, 0, 0, 0],
              },
            ],
      depthStencilAttachment: {
        view: this.#textures!.depthView,
        depthClearValue: 1,
        depthLoadOp: clearDepth ? 'clear' : 'load',
        depthStoreOp: 'store',
        stencilClearValue: stencilZero,
        stencilLoadOp: clearStencil ? 'clear' : 'load',
        stencilStoreOp: 'store',
      },
      ...(queries ? { occlusionQuerySet: this.#querySet } : {}),
    });
    const { columns, rows } = this.#groups!;
    pass.setViewport(0, 0, columns, rows, 0, 1);
    pass.setStencilReference(stencilZero);
    pass.setBindGroup(0, this.#groups!.bodies);
    return pass;
  }

  /** Draws all bodies in one draw: as instances if all have as many vertices, else with their vertices in a row. */
  #drawAll(pass: GPURenderPassEncoder, { instanced, together }: OfAll, vertices: readonly number[]): number {
    const areEqual = vertices.every(count => count === vertices[0]);
    pass.setPipeline(areEqual ? instanced : together);
    if (areEqual) pass.draw(vertices[0], vertices.length);
    else pass.draw(vertices.reduce((sum, count) => sum + count, 0));
    return 1;
  }

  #reduce(encoder: GPUCommandEncoder, stage: number): void {
    const { reduce, columns, rows } = this.#groups!;
    const pass = encoder.beginComputePass({ label: 'reduce-pixels' });
    pass.setPipeline(this.#pipelines.reduce[stage]);
    pass.setBindGroup(0, reduce[stage]);
    pass.dispatchWorkgroups(Math.ceil(columns / 16), Math.ceil(rows / 16));
    pass.end();
  }

  #group(label: string, layout: GPUBindGroupLayout, resources: readonly GPUBindingResource[]): GPUBindGroup {
    const entries = resources.map((resource, binding) => ({ binding, resource }));
    return this.#device.createBindGroup({ label, layout, entries });
  }

  #resize(columns: number, rows: number, formats: NameFormats, isRead: boolean, isWatched: boolean): void {
    const known = this.#textures?.depth;
    const copied = isRead || isWatched;
    const canCopy = ((known?.usage ?? 0) & GPUTextureUsage.COPY_SRC) !== 0;
    const suits = this.#textures?.formats === formats && (canCopy || !copied);
    // Pictures of bodies that move differ a little in size. Making textures takes longer than drawing does.
    let size = [Math.max(columns, known?.width ?? 0), Math.max(rows, known?.height ?? 0)];
    // A watched picture is copied with its stencil, which WebGPU copies only whole.
    if (isWatched || size[0] * size[1] > mostSpare * columns * rows) size = [columns, rows];
    if (suits && known?.width === size[0] && known.height === size[1]) return;
    this.#free();
    const usage =
      GPUTextureUsage.RENDER_ATTACHMENT |
      GPUTextureUsage.TEXTURE_BINDING |
      (copied ? GPUTextureUsage.COPY_SRC : 0);
    const create = (label: string, format: GPUTextureFormat) =>
      this.#device.createTexture({ label, size, format, usage });
    const depth = create('depths of edges', this.#pipelines.depthFormat);
    const edges = create('edges seen', formats.edges);
    const named = create('named bodies', formats.named);
    this.#textures = {
      formats,
      depth,
      edges,
      named,
      depthView: depth.createView(),
      stencilView: depth.createView({ aspect: 'stencil-only' }),
      edgesView: edges.createView(),
      namedView: named.createView(),
    };
  }

  #free(): void {
    const textures = this.#textures;
    if (textures === undefined) return;
    for (const texture of [textures.depth, textures.edges, textures.named]) texture.destroy();
    this.#textures = undefined;
  }
}
