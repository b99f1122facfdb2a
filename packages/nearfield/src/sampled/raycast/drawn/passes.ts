// Knott's rendering passes, recorded one after the other.

import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { bindingOf, Resources, type TextureView } from '../../../gpu/kernel.ts';
import type { EdgeSource } from '../edges/edge-source.ts';
import { DrawnState, stencilZero } from './layouts.ts';
import type { DrawnPipelines, NameFormats, NamingPipelines, OfAll } from './pipelines.ts';
import { type PixelKind, pixelsOf } from './pixels.ts';
import type { Participants } from './placings.ts';

/** Textures may have this many times the pixels of a picture. */
const mostSpare = 4;
/** The stencil of a pixel without an edge, until nothing can be counted there (pipelines.ts). */
const withoutEdge = 0;
/** WebGPU's limit per query set. */
const queriesInSet = 4096;

interface Textures {
  readonly formats: NameFormats;
  readonly depth: GPUTexture;
  readonly edges: GPUTexture;
  readonly names: GPUTexture;
  readonly depthView: GPUTextureView;
  readonly edgesSeen: TextureView;
  readonly counts: TextureView;
  readonly named: TextureView;
}

export interface DrawnBuffers {
  readonly view: GPUBuffer;
  readonly bodies: GPUBuffer;
  readonly state: GPUBuffer;
  readonly candidates: GPUBuffer;
  readonly hits: GPUBuffer;
}

/** The colours that a pass draws into, and what it clears. The depth and the stencil are always the same. */
interface Target {
  readonly color?: GPUTextureView | undefined;
  readonly loadColor?: boolean;
  readonly clearDepth?: boolean;
  /** The stencil's new value; undefined if it is loaded. */
  readonly clearStencil?: number;
}

/** Kept from question to question until something is replaced. */
interface Groups {
  readonly generation: number;
  readonly bodies: GPUBindGroup;
  readonly edges: GPUBindGroup;
  readonly reduce: readonly GPUBindGroup[];
}

/** What the passes draw. */
interface Picture {
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
  readonly #resources: Resources;
  #groups: Groups | undefined;
  #picture: Picture | undefined;

  /** @param edges the resources of `EdgeSource` */
  constructor(device: GPUDevice, pipelines: DrawnPipelines, edges: Resources) {
    this.#device = device;
    this.#resources = new Resources(edges);
    this.#pipelines = pipelines;
    this.#passed = new GrowingBuffer(device, 'passed queries', GPUBufferUsage.QUERY_RESOLVE);
    this.#querySet = device.createQuerySet({ label: 'edges', type: 'occlusion', count: queriesInSet });
  }

  /** The results of queries, two words each. */
  get passed(): GPUBuffer {
    return this.#passed.buffer;
  }

  bind({ picture, queries, watched, isRead, naming }: Participants, buffers: DrawnBuffers): void {
    const { columns, rows } = picture.view;
    this.#resize(columns, rows, naming.formats, isRead, watched !== undefined);
    // Each set is resolved at a multiple of 256 bytes.
    this.#passed.reserve(8 * queries + 256);
    const resources = this.#resources;
    for (const [name, buffer] of Object.entries(buffers)) resources.set(name, buffer);
    for (const name of ['edgesSeen', 'counts', 'named'] as const) resources.set(name, this.#textures![name]);
    this.#picture = { state: buffers.state, naming, columns, rows };
    if (this.#groups?.generation === resources.generation) return;
    const { bodyLayout, edgesLayout, reduce } = this.#pipelines;
    const bodies = ['view', 'bodies', 'leaves', 'leafOf', 'edgeRecords'];
    const pixels = ['view', 'candidates', 'state', 'hits', 'edgesSeen', 'counts', 'named'];
    this.#groups = {
      generation: resources.generation,
      bodies: this.#group('drawn bodies', bodyLayout, bodies),
      edges: this.#group('edges seen', edgesLayout, ['edgesSeen']),
      reduce: reduce.map(pipeline => this.#group('reduce-pixels', pipeline.getBindGroupLayout(0), pixels)),
    };
  }

  /** Pass 1 draws the nearest edges. Then pixels without an edge get depth 0. */
  encodeEdges(encoder: GPUCommandEncoder, edges: EdgeSource, drawn: Participants): number {
    const { naming } = this.#picture!;
    let dispatches = 0;
    if (!edges.holds) {
      const inverting = encoder.beginComputePass({ label: 'edges' });
      dispatches = edges.encode(inverting);
      inverting.end();
    }
    const pass = this.#begin(encoder, {
      color: this.#textures!.edgesSeen.view,
      // Faces are drawn on edges alone, so they read nothing else of it. Clearing a picture takes as long as drawing it.
      loadColor: !drawn.edgesRead,
      clearDepth: true,
      clearStencil: withoutEdge,
    });
    const draws = this.#drawAll(pass, naming.edges, drawn.edgeVertices);
    pass.setPipeline(naming.noEdge);
    pass.draw(3);
    pass.end();
    return dispatches + draws + 1;
  }

  /**
   * Passes 2 and 3 draw the faces before the edges; every pixel is then read by the GPU (Algorithm 2). All faces are
   * counted first, and then those of an edge's own body are subtracted.
   */
  encodeCounts(encoder: GPUCommandEncoder, { faceVertices, watched, stateWords }: Participants): number {
    const { faces, ownFaces } = this.#pipelines;
    const { depth, edges } = this.#textures!;
    encoder.clearBuffer(this.#picture!.state, 0, 4 * stateWords);
    for (const [stage, pipelines] of [faces, ownFaces].entries()) {
      const pass = this.#begin(encoder, {});
      this.#drawAll(pass, pipelines, faceVertices);
      pass.end();
      watched?.encodeCounts(encoder, depth, stage as 0 | 1);
      this.#reduce(encoder, stage);
    }
    watched?.encodeEdges(encoder, edges);
    return 4;
  }

  /** Passes 2 and 3 without the faces of an edge's own body, for a stencil that is read back (Algorithm 1). */
  encodeStencil(encoder: GPUCommandEncoder, { faceVertices }: Participants): number {
    const pass = this.#begin(encoder, {});
    const draws = this.#drawAll(pass, this.#pipelines.othersFaces, faceVertices);
    pass.end();
    return draws;
  }

  /**
   * The same, and pass 4 of Algorithms 3 and 4, which colours the pixels of enclosed edges; with `withNames` also those
   * of the bodies that enclose them.
   */
  encodeColours(encoder: GPUCommandEncoder, drawn: Participants, withNames: boolean): number {
    const { others, identify } = this.#picture!.naming;
    const color = this.#textures!.named.view;
    const pass = this.#begin(encoder, { color });
    const draws =
      this.#drawAll(pass, others, drawn.faceVertices) + this.#drawAll(pass, identify, drawn.edgeVertices);
    pass.end();
    if (!withNames) return draws;
    return draws + this.#encodeAlone(encoder, drawn, { color, loadColor: true }, false, false);
  }

  /** What the CPU is to read: the stencil, or the colours. */
  pixels(kind: PixelKind): ReturnType<typeof pixelsOf> {
    const { depth, names } = this.#textures!;
    const { columns, rows } = this.#picture!;
    return pixelsOf(kind === 'stencil' ? depth : names, kind, [columns, rows]);
  }

  /**
   * Passes 2 and 3, and pass 4 of Algorithm 5: draws the edges again, with one query per body or one for all of them
   * together.
   */
  encodeQueries(
    encoder: GPUCommandEncoder,
    { faceVertices, edgeVertices, queries }: Participants,
    together: boolean,
  ): number {
    const { again, othersFaces } = this.#pipelines;
    const count = (pass: GPURenderPassEncoder) => this.#drawAll(pass, othersFaces, faceVertices);
    return this.#inSets(encoder, queries, {}, count, (pass, query) => {
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
    const { state } = this.#picture!;
    if (!byQueries) encoder.clearBuffer(state, 4 * DrawnState.hits, 4);
    else if (open) encoder.clearBuffer(state, 0, 4 * drawn.stateWords);
    // Queries tell who encloses an edge, and pixels who is not closed. Without pixels no colour is drawn.
    const isSummed = open || !byQueries;
    const color = isSummed ? this.#textures!.named.view : undefined;
    const draws = this.#encodeAlone(encoder, drawn, { color }, open, byQueries);
    if (!isSummed) return draws;
    this.#reduce(encoder, 2);
    return draws + 1;
  }

  #encodeAlone(
    encoder: GPUCommandEncoder,
    { bodies, faceVertices }: Participants,
    target: Target,
    open: boolean,
    byQueries: boolean,
  ): number {
    const { naming } = this.#picture!;
    const { othersFaces, enclosing } = this.#pipelines;
    const [others, name] = target.color ? [naming.others, naming.name] : [othersFaces, enclosing];
    const cleared = { ...target, clearStencil: stencilZero };
    const draw = (pass: GPURenderPassEncoder, body: number) => {
      const vertices = faceVertices[body];
      pass.setPipeline(others.instanced);
      pass.draw(vertices, 1, 0, body);
      pass.setPipeline(name);
      if (byQueries) pass.beginOcclusionQuery(body % queriesInSet);
      pass.draw(vertices, 1, 0, body);
      if (byQueries) pass.endOcclusionQuery();
      if (!open) return 2;
      pass.setPipeline(naming.nameOpen);
      pass.draw(vertices, 1, 0, body);
      return 3;
    };
    if (byQueries) return this.#inSets(encoder, bodies, cleared, undefined, draw);
    const pass = this.#begin(encoder, cleared);
    let draws = 0;
    for (let body = 0; body < bodies; body++) draws += draw(pass, body);
    pass.end();
    return draws;
  }

  destroy(): void {
    this.#free();
    this.#passed.destroy();
    this.#querySet.destroy();
  }

  /** Draws what comes first, and then for each number up to `count`, with one pass per query set. */
  #inSets(
    encoder: GPUCommandEncoder,
    count: number,
    target: Target,
    drawFirst: ((pass: GPURenderPassEncoder) => number) | undefined,
    draw: (pass: GPURenderPassEncoder, i: number) => number,
  ): number {
    let draws = 0;
    for (let first = 0; first < count; first += queriesInSet) {
      const again = { color: target.color, loadColor: true };
      const pass = this.#begin(encoder, first === 0 ? target : again, this.#querySet);
      if (first === 0) draws += drawFirst?.(pass) ?? 0;
      const end = Math.min(count, first + queriesInSet);
      for (let i = first; i < end; i++) draws += draw(pass, i);
      pass.end();
      encoder.resolveQuerySet(this.#querySet, 0, end - first, this.#passed.buffer, 8 * first);
    }
    return draws;
  }

  #begin(
    encoder: GPUCommandEncoder,
    { color, loadColor = false, clearDepth = false, clearStencil }: Target,
    occlusionQuerySet?: GPUQuerySet,
  ): GPURenderPassEncoder {
    const { depthView, edgesSeen } = this.#textures!;
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
        view: depthView,
        depthClearValue: 1,
        depthLoadOp: clearDepth ? 'clear' : 'load',
        depthStoreOp: 'store',
        stencilClearValue: clearStencil ?? 0,
        stencilLoadOp: clearStencil === undefined ? 'load' : 'clear',
        stencilStoreOp: 'store',
      },
      ...(occlusionQuerySet ? { occlusionQuerySet } : {}),
    });
    const { columns, rows } = this.#picture!;
    const { bodies, edges } = this.#groups!;
    pass.setViewport(0, 0, columns, rows, 0, 1);
    pass.setStencilReference(stencilZero);
    pass.setBindGroup(0, bodies);
    // The pass that draws the names of edges cannot read them.
    if (color !== edgesSeen.view) pass.setBindGroup(1, edges);
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
    const { columns, rows } = this.#picture!;
    const pass = encoder.beginComputePass({ label: 'reduce-pixels' });
    pass.setPipeline(this.#pipelines.reduce[stage]);
    pass.setBindGroup(0, this.#groups!.reduce[stage]);
    pass.dispatchWorkgroups(Math.ceil(columns / 16), Math.ceil(rows / 16));
    pass.end();
  }

  #group(label: string, layout: GPUBindGroupLayout, names: readonly string[]): GPUBindGroup {
    const entries = names.map((name, binding) => ({
      binding,
      resource: bindingOf(this.#resources.get(name)!),
    }));
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
    const names = create('named bodies', formats.named);
    this.#textures = {
      formats,
      depth,
      edges,
      names,
      depthView: depth.createView(),
      edgesSeen: { view: edges.createView() },
      counts: { view: depth.createView({ aspect: 'stencil-only' }) },
      named: { view: names.createView() },
    };
  }

  #free(): void {
    const textures = this.#textures;
    if (textures === undefined) return;
    for (const texture of [textures.depth, textures.edges, textures.names]) texture.destroy();
    this.#textures = undefined;
  }
}
