// The layers method as published (Myszkowski, Okunev and Kunii 1995), on the render pipeline. Pass 1 draws A's last layer
// and counts the layers of B before it in the stencil buffer. Pass 2 does the same with A's first layer, for the pixels
// that this leaves open. Pass 3 draws one layer after the other, in order of depth, and blends one bit per layer into a
// colour. The counters are read back after each pass, and examined on the CPU.
//
// The paper leaves the order of polygons to the application or to drawing in several passes (its section 6, after
// Mammen). Here each layer is a pass: the depth test finds the nearest layer behind the last one.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { worldBox } from '../../../bodies/snapshot/world.ts';
import type { GpuTrees } from '../../../bvh/gpu/trees.ts';
import { NearfieldError } from '../../../core/errors.ts';
import { newStats } from '../../../core/stats.ts';
import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { GpuQuery, Opening, type Preparation } from '../../../gpu/gpu-query.ts';
import { Resources } from '../../../gpu/kernel.ts';
import { submit } from '../../../gpu/submit.ts';
import type { View } from '../../raster/view.ts';
import { writeBodies } from '../../raycast/drawn/placings.ts';
import type { LayersPhase } from '../options.ts';
import type { LayersCounts, LayersPair, RawLayers } from '../sampling.ts';
import { SequenceTable } from '../sequence.ts';
import { type Examined, examineFirst, examineSecond, examineThird } from './examine.ts';
import {
  createLayerPipelines,
  type LayerPipelines,
  LayersPictureLayout,
  layersPerChannel,
  maskBit,
  mostBlended,
  mostCount,
} from './pipelines.ts';

/** Only faces are drawn. */
const noEdges = { offset: 0, count: 0 };

const label = { label: 'drawn layers' };
/** Rows of a copy between buffers and textures begin at multiples of this. */
const alignment = 256;

interface Textures {
  readonly columns: number;
  readonly rows: number;
  readonly depth: GPUTexture;
  readonly reached: GPUTexture;
  readonly colours: GPUTexture;
  readonly marks: GPUTexture;
}

/** The textures and vertex counts of the pair that is being drawn. */
interface Picture extends Textures {
  readonly bodies: GPUBindGroup;
  readonly reachedGroup: GPUBindGroup;
  /** Vertices of A and of B. */
  readonly vertices: readonly [number, number];
}

export class DrawnLayers {
  readonly #device: GPUDevice;
  readonly #pipelines: LayerPipelines;
  readonly #trees: GpuTrees;
  readonly #query: GpuQuery;
  readonly #resources = new Resources();
  readonly #bodies: GrowingBuffer;
  readonly #view: GPUBuffer;
  readonly #mask: GrowingBuffer;
  readonly #read: GrowingBuffer;
  #textures: Textures | undefined;

  static async create(device: GPUDevice, trees: GpuTrees): Promise<DrawnLayers> {
    return new DrawnLayers(device, await createLayerPipelines(device), trees);
  }

  private constructor(device: GPUDevice, pipelines: LayerPipelines, trees: GpuTrees) {
    this.#device = device;
    this.#pipelines = pipelines;
    this.#trees = trees;
    this.#query = new GpuQuery(device);
    this.#bodies = new GrowingBuffer(device, 'drawn bodies');
    this.#mask = new GrowingBuffer(device, 'mask of pixels');
    this.#read = new GrowingBuffer(device, 'pixels read');
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#view = device.createBuffer({ label: 'picture', size: LayersPictureLayout.bytes, usage });
  }

  async find(
    pairs: readonly LayersPair[],
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<RawLayers[]> {
    const opening = new Opening(preparation);
    const stats = newStats();
    if (!opening.isDone) {
      await this.#query.run({ ...{ stats, opening, label }, encode: () => [[]], take: () => true });
    }
    const found: RawLayers[] = [];
    for (const pair of pairs) {
      found.push(await this.#find(pair));
      checkpoint(found.length / pairs.length);
    }
    found[0].stats.dispatches += stats.dispatches;
    return found;
  }

  destroy(): void {
    this.#free();
    this.#query.destroy();
    this.#view.destroy();
    for (const buffer of [this.#bodies, this.#mask, this.#read]) buffer.destroy();
  }

  async #find({ a, b, task }: LayersPair): Promise<RawLayers> {
    const { view, algorithm } = task;
    const stats = newStats();
    const phases: LayersPhase[] = [];
    const picture = this.#prepare(a, b, view);
    stats.triangleTests = (picture.vertices[0] + picture.vertices[1]) / 3;
    const sequences = new SequenceTable();
    const counts: LayersCounts = {
      ...{ overlapped: 0, second: 0, convexA: 0, convexB: 0, general: 0, window: 0 },
      ...{ sortSteps: 0, mostLayers: 0, overflows: 0, reused: false },
    };

    const draws1 = await this.#timed(encoder => this.#first(encoder, picture));
    const [first, read1] = await this.#stencil(picture);
    const began1 = performance.now();
    let examined: Examined = examineFirst(first, algorithm);
    phases.push({ graphics: draws1, software: read1 + performance.now() - began1 });
    counts.overlapped = first.reduce((sum, value) => (value > maskBit ? sum + 1 : sum), 0);
    stats.dispatches += 2;

    if (examined.openCount > 0) {
      if (algorithm === 'general') counts.second = 0;
      else {
        counts.second = examined.openCount;
        examined = await this.#second(picture, examined, first, algorithm, counts, phases);
        stats.dispatches += 2;
      }
      if (examined.openCount > 0) {
        stats.dispatches += await this.#third(picture, examined, counts, phases, sequences);
      }
    }
    return {
      cases: examined.cases,
      sequences,
      rays: new Uint32Array(0),
      spikes: new Uint32Array(0),
      // Vertices are rounded to sixteenths of a pixel or finer, and depths to 2^-16 of their range or finer.
      error: view.pixel + 2 ** -16 * depthRange(a, b, view).extent,
      counts,
      stats,
      phases,
    };
  }

  /** Pass 2: A's first layer with the number of its layers, and test (3). */
  async #second(
    picture: Picture,
    before: Examined,
    first: Uint8Array,
    algorithm: LayersPair['task']['algorithm'],
    counts: LayersCounts,
    phases: LayersPhase[],
  ): Promise<Examined> {
    const began = performance.now();
    this.#writeMask(picture, before.open);
    const spent = performance.now() - began;
    const ofAGraphics = await this.#timed(encoder => {
      this.#copyMask(encoder, picture, picture.depth, 'stencil-only');
      const pass = this.#begin(encoder, picture, { clearDepth: 1 });
      this.#draw(pass, picture, this.#pipelines.nearA, 0);
      pass.end();
    });
    const [ofA, readA] = await this.#stencil(picture);
    const graphics = await this.#timed(encoder => {
      this.#copyMask(encoder, picture, picture.depth, 'stencil-only');
      const pass = this.#begin(encoder, picture, {});
      this.#draw(pass, picture, this.#pipelines.beforeA, 1);
      pass.end();
    });
    const [second, readB] = await this.#stencil(picture);
    const examining = performance.now();
    const after = examineSecond(before, first, ofA, second, algorithm);
    counts.convexA = after.convexA;
    const software = spent + readA + readB + performance.now() - examining;
    phases.push({ graphics: ofAGraphics + graphics, software });
    return after;
  }

  /** Pass 3: layers in order of depth, blended. Returns the number of draws. */
  async #third(
    picture: Picture,
    examined: Examined,
    counts: LayersCounts,
    phases: LayersPhase[],
    sequences: SequenceTable,
  ): Promise<number> {
    const { columns, rows, depth, reached, marks } = picture;
    const began = performance.now();
    this.#writeMask(picture, examined.open);
    let software = performance.now() - began;
    let graphics = await this.#timed(encoder => {
      this.#copyMask(encoder, picture, depth, 'stencil-only');
      this.#copyMask(encoder, picture, marks, 'all');
      const pass = this.#begin(encoder, picture, { clearDepth: 0 });
      for (const side of [0, 1]) this.#draw(pass, picture, this.#pipelines.countAll, side);
      pass.end();
      // Nothing has been reached: all depths are above 0.
      encoder.copyTextureToTexture({ texture: depth }, { texture: reached }, [columns, rows]);
    });
    const [all, readAll] = await this.#stencil(picture);
    software += readAll;
    let most = 0;
    for (let pixel = 0; pixel < all.length; pixel++) {
      if (examined.open[pixel] !== 0) most = Math.max(most, all[pixel] & mostCount);
    }
    const passes = Math.min(most, mostBlended);
    graphics += await this.#timed(encoder => {
      for (let layer = 0; layer < passes; layer++) this.#blend(encoder, picture, layer);
    });
    const [blended, readBlended] = await this.#stencil(picture);
    const [colours, readColours] = await this.#readTexture(picture, picture.colours, 4);
    const examining = performance.now();
    examineThird(examined, all, blended, colours, (pixel, sequence) => sequences.set(pixel, sequence));
    software += readBlended + readColours + performance.now() - examining;
    phases.push({ graphics, software });
    counts.general = examined.openCount;
    counts.window = columns * rows;
    counts.mostLayers = most;
    counts.overflows = most > mostBlended ? 1 : 0;
    return 2 + 4 * passes;
  }

  /** Pass 1: A's last layer with the mask SA, and test (2). */
  #first(encoder: GPUCommandEncoder, picture: Picture): void {
    const pass = this.#begin(encoder, picture, { clearDepth: 0, clearStencil: true });
    this.#draw(pass, picture, this.#pipelines.farA, 0);
    this.#draw(pass, picture, this.#pipelines.notBehindA, 1);
    pass.end();
  }

  /** The nearest layer behind the one before, then its bit. */
  #blend(encoder: GPUCommandEncoder, picture: Picture, layer: number): void {
    const { next, blend } = this.#pipelines;
    const pass = this.#begin(encoder, picture, {
      clearDepth: 1,
      clearStencil: layer === 0,
      colours: layer === 0 ? 'clear' : 'load',
    });
    pass.setBindGroup(1, picture.reachedGroup);
    pass.setBlendConstant([0.5, 0.5, 0.5, 0.5]);
    pass.setStencilReference(layer);
    for (const side of [0, 1]) this.#draw(pass, picture, next, side);
    for (const side of [0, 1]) this.#draw(pass, picture, blend[Math.floor(layer / layersPerChannel)], side);
    pass.end();
    encoder.copyTextureToTexture({ texture: picture.depth }, { texture: picture.reached }, [
      picture.columns,
      picture.rows,
    ]);
  }

  #draw(pass: GPURenderPassEncoder, { vertices }: Picture, pipeline: GPURenderPipeline, side: number): void {
    pass.setPipeline(pipeline);
    pass.draw(vertices[side], 1, 0, side);
  }

  #begin(
    encoder: GPUCommandEncoder,
    { depth, colours, bodies }: Picture,
    given: { clearDepth?: number; clearStencil?: boolean; colours?: GPULoadOp },
  ): GPURenderPassEncoder {
    const pass = encoder.beginRenderPass({
      ...label,
      colorAttachments: given.colours
        ? [{ view: colours.createView(), loadOp: given.colours, storeOp: 'store', clearValue: [0, 0, 0, 0] }]
        : [],
      depthStencilAttachment: {
        view: depth.createView(),
        depthClearValue: given.clearDepth ?? 0,
        depthLoadOp: given.clearDepth === undefined ? 'load' : 'clear',
        depthStoreOp: 'store',
        stencilClearValue: 0,
        stencilLoadOp: given.clearStencil ? 'clear' : 'load',
        stencilStoreOp: 'store',
      },
    });
    pass.setBindGroup(0, bodies);
    pass.setStencilReference(maskBit);
    return pass;
  }

  /** Submits, and waits until it is drawn. Returns milliseconds. */
  async #timed(record: (encoder: GPUCommandEncoder) => void): Promise<number> {
    const began = performance.now();
    const encoder = this.#device.createCommandEncoder(label);
    record(encoder);
    const refused = await submit(this.#device, encoder);
    if (refused !== undefined)
      throw new NearfieldError('out-of-memory', `the GPU refused to draw: ${refused}`);
    await this.#device.queue.onSubmittedWorkDone();
    return performance.now() - began;
  }

  #stencil(picture: Picture): Promise<readonly [Uint8Array, number]> {
    return this.#readTexture(picture, picture.depth, 1, 'stencil-only');
  }

  /** The bytes of a texture, row by row from below, and the milliseconds that reading took. */
  async #readTexture(
    { columns, rows }: Picture,
    texture: GPUTexture,
    bytes: number,
    aspect: GPUTextureAspect = 'all',
  ): Promise<readonly [Uint8Array, number]> {
    const began = performance.now();
    const bytesPerRow = aligned(bytes * columns);
    const buffer = this.#read.reserve(bytesPerRow * rows);
    const encoder = this.#device.createCommandEncoder(label);
    encoder.copyTextureToBuffer({ texture, aspect }, { buffer, bytesPerRow }, [columns, rows]);
    const out = new Uint8Array(bytes * columns * rows);
    await this.#query.read(encoder, [{ buffer, offset: 0, bytes: bytesPerRow * rows }], ([words]) => {
      const all = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
      for (let row = 0; row < rows; row++) {
        // Pictures are stored from the top.
        const from = (rows - 1 - row) * bytesPerRow;
        out.set(all.subarray(from, from + bytes * columns), bytes * columns * row);
      }
    });
    return [out, performance.now() - began];
  }

  #writeMask({ columns, rows }: Picture, mask: Uint8Array): void {
    const bytesPerRow = aligned(columns);
    const bytes = new Uint8Array(bytesPerRow * rows);
    for (let row = 0; row < rows; row++) {
      bytes.set(mask.subarray(columns * row, columns * (row + 1)), bytesPerRow * (rows - 1 - row));
    }
    this.#device.queue.writeBuffer(this.#mask.reserve(bytes.length), 0, bytes);
  }

  #copyMask(
    encoder: GPUCommandEncoder,
    { columns, rows }: Picture,
    texture: GPUTexture,
    aspect: GPUTextureAspect,
  ): void {
    const from = { buffer: this.#mask.buffer, bytesPerRow: aligned(columns) };
    encoder.copyBufferToTexture(from, { texture, aspect }, [columns, rows]);
  }

  #prepare(a: Placed, b: Placed, view: View): Picture {
    const entries = [a, b].map(({ shape }) => this.#trees.entryOf(shape));
    const { near, extent } = depthRange(a, b, view);
    const words = writeBodies(
      [a, b],
      entries,
      { view, offset: 0, near, far: near + extent },
      [noEdges, noEdges],
      `form 'computed'`,
    );
    this.#device.queue.writeBuffer(this.#bodies.reserve(words.byteLength), 0, words);
    const { columns, rows, pixel } = view;
    // A little before and behind everything, so that no depth is 0 or 1.
    const spare = 1 + (2 ** -8 * extent) / pixel;
    const least = near / pixel - spare;
    const scale = Float32Array.of(2 / columns, 2 / rows, 1 / (extent / pixel + 2 * spare), least);
    this.#device.queue.writeBuffer(this.#view, 0, scale);
    this.#trees.bind(this.#resources);
    const { bodyLayout, reachedLayout } = this.#pipelines;
    const textures = this.#resize(columns, rows);
    const group = (layout: GPUBindGroupLayout, resources: GPUBindingResource[]) =>
      this.#device.createBindGroup({
        ...{ ...label, layout },
        entries: resources.map((resource, binding) => ({ binding, resource })),
      });
    return {
      ...textures,
      bodies: group(bodyLayout, [
        { buffer: this.#view },
        { buffer: this.#bodies.buffer },
        { buffer: this.#resources.get('leaves') as GPUBuffer },
      ]),
      reachedGroup: group(reachedLayout, [
        textures.reached.createView({ aspect: 'depth-only' }),
        textures.marks.createView(),
      ]),
      vertices: [3 * entries[0].leafCount, 3 * entries[1].leafCount],
    };
  }

  #resize(columns: number, rows: number): Textures {
    const known = this.#textures;
    if (known?.columns === columns && known.rows === rows) return known;
    this.#free();
    const { RENDER_ATTACHMENT, COPY_SRC, COPY_DST, TEXTURE_BINDING } = GPUTextureUsage;
    const create = (name: string, format: GPUTextureFormat, usage: number) =>
      this.#device.createTexture({ label: name, size: [columns, rows], format, usage });
    const { depthFormat } = this.#pipelines;
    return (this.#textures = {
      ...{ columns, rows },
      depth: create('layers', depthFormat, RENDER_ATTACHMENT | COPY_SRC | COPY_DST),
      reached: create('layers reached', depthFormat, TEXTURE_BINDING | COPY_DST),
      colours: create('order of layers', 'rgba8unorm', RENDER_ATTACHMENT | COPY_SRC),
      marks: create('marked pixels', 'r8uint', TEXTURE_BINDING | COPY_DST),
    });
  }

  #free(): void {
    if (this.#textures === undefined) return;
    const { depth, reached, colours, marks } = this.#textures;
    for (const texture of [depth, reached, colours, marks]) texture.destroy();
    this.#textures = undefined;
  }
}

const aligned = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;

/** The depths of both bodies in a view, in world units. No body is cut, so that lines pass whole bodies. */
function depthRange(a: Placed, b: Placed, view: View): { near: number; extent: number } {
  let [near, far] = [Infinity, -Infinity];
  for (const body of [a, b]) {
    const box = worldBox(body);
    for (let i = 0; i < 8; i++) {
      const [, , depth] = view.toImage([box[i & 1 ? 3 : 0], box[i & 2 ? 4 : 1], box[i & 4 ? 5 : 2]]);
      near = Math.min(near, depth);
      far = Math.max(far, depth);
    }
  }
  return { near, extent: far - near };
}
