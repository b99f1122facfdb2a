// The trees of all shapes on the GPU: positions made local, triangles sorted along a Hilbert curve, one
// reduction a level (Greß and Zachmann, section 4.1). A new revision of a shape is refitted in place: the order
// is kept and only the boxes are reduced again.

import { NearfieldError } from '../errors.ts';
import { GrowingBuffer, type Keeper, RangeAllocator } from '../gpu/buffers.ts';
import { createKernel, type Kernel, Launch, Resources } from '../gpu/kernel.ts';
import { createSortKernels, RadixSort, type SortKernels } from '../gpu/sort/radix-sort.ts';
import { Stopwatch } from '../gpu/stopwatch.ts';
import { boundsOf } from '../mesh/facts.ts';
import type { Shape } from '../scene/engine.ts';
import gatherSource from './gather-leaves.wgsl';
import { BatchLayout, depthOf, JobLayout, nodeSlots, ShapeLayout } from './gpu-layouts.ts';
import { keptFrame, type LocalFrame, localFrame, writeLocal } from './gpu-local.ts';
import hilbertModule from './hilbert.wgsl';
import jobsModule from './jobs.wgsl';
import reduceSource from './reduce-levels.wgsl';
import keysSource from './spatial-keys.wgsl';

export interface TreeKernels {
  readonly sort: SortKernels;
  readonly keys: Kernel;
  readonly gatherSorted: Kernel;
  readonly gatherKept: Kernel;
  readonly reduce: Kernel;
}

export async function createTreeKernels(device: GPUDevice): Promise<TreeKernels> {
  const common = [BatchLayout.wgsl, JobLayout.wgsl, jobsModule];
  const [sort, keys, gatherSorted, gatherKept, reduce] = await Promise.all([
    createSortKernels(device),
    createKernel(device, 'spatial-keys', [...common, hilbertModule, keysSource]),
    createKernel(device, 'gather-leaves', [...common, gatherSource], { fromSort: 1 }),
    createKernel(device, 'gather-leaves', [...common, gatherSource], { fromSort: 0 }),
    createKernel(device, 'reduce-levels', [reduceSource]),
  ]);
  return { sort, keys, gatherSorted, gatherKept, reduce };
}

/** What is kept of a shape. */
export interface Entry {
  readonly shape: Shape;
  readonly index: number;
  readonly leafCount: number;
  readonly vertexCount: number;
  readonly nodeOffset: number;
  readonly leafOffset: number;
  readonly vertexOffset: number;
  readonly cornerOffset: number;
  frame: LocalFrame;
  revision: number;
  refits: number;
  /** Whether leaves carry one number for all vertices of equal position. */
  welded: boolean;
  /** Set when the shape is forgotten: whoever still holds the entry must look it up again. */
  forgotten: boolean;
}

/** Shapes up to this size share batches of thousands: 64 cells along an axis tell their triangles apart. */
const smallShape = 4096;
const smallBatch = { jobs: 2 ** 14, cellBits: 6 };
const largeBatch = { jobs: 4, cellBits: 10 };
/** Triangles of one batch: bounds the memory of the sort. */
const batchTriangles = 2 ** 23;
const treesLabel = { label: 'trees' };
/** An order kept through this many refits is old enough to be sorted again, at about twice a refit's price. */
const mostRefits = 16;

export class GpuTrees {
  /** Times the last batch, while running. */
  readonly stopwatch: Stopwatch;
  readonly #device: GPUDevice;
  readonly #sort: RadixSort;
  readonly #entries = new Map<Shape, Entry>();
  readonly #ranges = {
    shapes: new RangeAllocator(),
    nodes: new RangeAllocator(),
    leaves: new RangeAllocator(),
    vertices: new RangeAllocator(),
    corners: new RangeAllocator(),
  };
  readonly #shapes: GrowingBuffer;
  readonly #nodes: GrowingBuffer;
  readonly #leaves: GrowingBuffer;
  readonly #order: GrowingBuffer;
  readonly #vertices: GrowingBuffer;
  readonly #corners: GrowingBuffer;
  readonly #jobs: GrowingBuffer;
  readonly #chunks: GrowingBuffer;
  readonly #batch: GPUBuffer;
  readonly #recordWords = new Uint32Array(ShapeLayout.words);
  readonly #recordFloats = new Float32Array(this.#recordWords.buffer);
  readonly #batchWords = new Uint32Array(4);
  readonly #resources = new Resources();
  readonly #roundResources: Resources[] = [];
  readonly #launches: { keys: Launch; gatherSorted: Launch; gatherKept: Launch; reduce: Launch[] };
  readonly #rounds = new WeakMap<Entry, readonly Round[]>();
  #scratch = new Int32Array(0);
  #mostLeaves = 0;

  constructor(device: GPUDevice, kernels: TreeKernels) {
    this.#device = device;
    this.stopwatch = new Stopwatch(device);
    this.#sort = new RadixSort(device, kernels.sort);
    this.#shapes = new GrowingBuffer(device, 'shapes');
    this.#nodes = new GrowingBuffer(device, 'nodes');
    this.#leaves = new GrowingBuffer(device, 'leaves');
    this.#order = new GrowingBuffer(device, 'order');
    this.#vertices = new GrowingBuffer(device, 'vertices');
    this.#corners = new GrowingBuffer(device, 'corners');
    this.#jobs = new GrowingBuffer(device, 'tree jobs');
    this.#chunks = new GrowingBuffer(device, 'tree chunks');
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#batch = device.createBuffer({ label: 'tree batch', size: 64, usage });
    const resources = this.#resources;
    resources.set('batch', this.#batch);
    const reduce: Launch[] = [];
    for (let round = 0; round < 4; round++) {
      this.#roundResources.push(new Resources(resources));
      reduce.push(new Launch(device, kernels.reduce, this.#roundResources[round]));
    }
    this.#launches = {
      keys: new Launch(device, kernels.keys, resources),
      gatherSorted: new Launch(device, kernels.gatherSorted, resources),
      gatherKept: new Launch(device, kernels.gatherKept, resources),
      reduce,
    };
  }

  /** Tells whoever reads the trees where they lie. */
  bind(resources: Resources): void {
    resources.set('shapes', this.#shapes.buffer);
    resources.set('nodes', this.#nodes.buffer);
    resources.set('leaves', this.#leaves.buffer);
    resources.set('order', this.#order.buffer);
  }

  /** For tests. */
  get buffers(): { nodes: GPUBuffer; leaves: GPUBuffer; order: GPUBuffer } {
    return { nodes: this.#nodes.buffer, leaves: this.#leaves.buffer, order: this.#order.buffer };
  }

  /** The entry of a shape that was updated before. */
  entryOf(shape: Shape): Entry {
    return this.#entries.get(shape)!;
  }

  /** No tree has had more leaves than this. */
  get mostLeaves(): number {
    return this.#mostLeaves;
  }

  /** Whether `update` would have anything to do. */
  isStale(shapes: Iterable<Shape>, welded: boolean): boolean {
    for (const shape of shapes) {
      const entry = this.#entries.get(shape);
      if (entry === undefined || entry.revision !== shape.revision || (welded && !entry.welded)) return true;
    }
    return false;
  }

  /**
   * Builds or refits the trees of shapes that are new or changed; returns how many dispatches. The last batch is
   * recorded in the encoder where one is given, so that a question and what it needs are one submission.
   */
  update(shapes: Iterable<Shape>, welded = false, encoder?: GPUCommandEncoder): number {
    const build: Entry[] = [];
    const refit: Entry[] = [];
    const fresh: Entry[] = [];
    for (const shape of shapes) {
      let entry = this.#entries.get(shape);
      if (entry === undefined) {
        entry = this.#add(shape);
        fresh.push(entry);
      }
      const stale = entry.revision !== shape.revision;
      if (!stale && (entry.welded || !welded)) continue;
      entry.welded ||= welded;
      if (stale && (entry.revision < 0 || ++entry.refits >= mostRefits)) build.push(entry);
      else refit.push(entry);
    }
    if (build.length + refit.length === 0) return 0;
    this.#reserve();
    for (const entry of build) this.#upload(entry, fresh.includes(entry));
    for (const entry of refit) this.#upload(entry, fresh.includes(entry));
    const work: Batch[] = [...batches(build)];
    if (refit.length > 0) work.push({ entries: refit, cellBits: undefined });
    let dispatches = 0;
    for (let i = 0; i < work.length; i++) {
      // Each batch has its parameters written by the queue, before the submission that reads them.
      const own = i < work.length - 1 || encoder === undefined;
      const recorder = own ? this.#device.createCommandEncoder(treesLabel) : encoder;
      dispatches += this.#run(recorder, work[i]);
      if (own) this.#device.queue.submit([recorder.finish()]);
    }
    return dispatches;
  }

  forget(shape: Shape): void {
    const entry = this.#entries.get(shape);
    if (entry === undefined) return;
    this.#entries.delete(shape);
    entry.forgotten = true;
    this.#ranges.shapes.give(entry.index, 1);
    this.#ranges.nodes.give(entry.nodeOffset, nodeSlots(entry.leafCount));
    this.#ranges.leaves.give(entry.leafOffset, entry.leafCount);
    this.#ranges.vertices.give(entry.vertexOffset, entry.vertexCount);
    this.#ranges.corners.give(entry.cornerOffset, 3 * entry.leafCount);
  }

  destroy(): void {
    this.#entries.clear();
    this.#sort.destroy();
    this.stopwatch.destroy();
    this.#batch.destroy();
    const lists = [this.#shapes, this.#nodes, this.#leaves, this.#order, this.#vertices, this.#corners];
    for (const list of [...lists, this.#jobs, this.#chunks]) list.destroy();
  }

  #add(shape: Shape): Entry {
    const leafCount = shape.mesh.triangleCount;
    const vertexCount = shape.mesh.vertexCount;
    const entry: Entry = {
      shape,
      index: this.#ranges.shapes.take(1),
      leafCount,
      vertexCount,
      nodeOffset: this.#ranges.nodes.take(nodeSlots(leafCount)),
      leafOffset: this.#ranges.leaves.take(leafCount),
      vertexOffset: this.#ranges.vertices.take(vertexCount),
      cornerOffset: this.#ranges.corners.take(3 * leafCount),
      frame: localFrame(boundsOf(shape.positions, shape.mesh.indices)),
      revision: -1,
      refits: 0,
      welded: false,
      forgotten: false,
    };
    this.#mostLeaves = Math.max(this.#mostLeaves, leafCount);
    this.#entries.set(shape, entry);
    return entry;
  }

  /** Makes every pool as long as its ranges need, keeping what it holds. */
  #reserve(): void {
    const keeper: Keeper = { encoder: this.#device.createCommandEncoder(), retired: [] };
    this.#shapes.reserve(ShapeLayout.bytes * this.#ranges.shapes.extent, keeper);
    this.#nodes.reserve(32 * this.#ranges.nodes.extent, keeper);
    this.#leaves.reserve(48 * this.#ranges.leaves.extent, keeper);
    this.#order.reserve(4 * this.#ranges.leaves.extent, keeper);
    this.#vertices.reserve(16 * this.#ranges.vertices.extent, keeper);
    this.#corners.reserve(4 * this.#ranges.corners.extent, keeper);
    if (keeper.retired.length === 0) return;
    this.#device.queue.submit([keeper.encoder.finish()]);
    for (const buffer of keeper.retired) buffer.destroy();
  }

  #upload(entry: Entry, first: boolean): void {
    const { shape, vertexCount } = entry;
    const { positions, mesh } = shape;
    if (this.#scratch.length < 4 * vertexCount) this.#scratch = new Int32Array(4 * vertexCount);
    const welds = entry.welded ? mesh.welds.vertexOf : undefined;
    const stored = writeLocal(entry.frame, positions, welds, this.#scratch);
    if (!first) {
      const kept = keptFrame(entry.frame, stored);
      entry.frame = kept ?? localFrame(boundsOf(positions, mesh.indices));
      // Vertices that no triangle uses may still not fit; nothing reads them.
      if (kept === undefined) writeLocal(entry.frame, positions, welds, this.#scratch);
    }
    const queue = this.#device.queue;
    queue.writeBuffer(this.#vertices.buffer, 16 * entry.vertexOffset, this.#scratch, 0, 4 * vertexCount);
    if (first) {
      const corners = mesh.indices instanceof Uint32Array ? mesh.indices : new Uint32Array(mesh.indices);
      queue.writeBuffer(this.#corners.buffer, 4 * entry.cornerOffset, corners as Uint32Array<ArrayBuffer>);
    }
    const words = this.#recordWords;
    const floats = this.#recordFloats;
    const { at } = ShapeLayout;
    floats.set(entry.frame.low, at.low);
    floats.set(entry.frame.high, at.high);
    floats.set(entry.frame.reach, at.reach);
    words[at.nodeOffset] = entry.nodeOffset;
    words[at.leafOffset] = entry.leafOffset;
    words[at.leafCount] = entry.leafCount;
    words[at.depth] = depthOf(entry.leafCount);
    words[at.exponent] = entry.frame.exponent;
    queue.writeBuffer(this.#shapes.buffer, ShapeLayout.bytes * entry.index, words);
    entry.revision = shape.revision;
  }

  #run(encoder: GPUCommandEncoder, { entries, cellBits }: Batch): number {
    const queue = this.#device.queue;
    const words = new Uint32Array(JobLayout.words * entries.length);
    const { at } = JobLayout;
    let triangleCount = 0;
    for (let i = 0, record = 0; i < entries.length; i++, record += JobLayout.words) {
      const entry = entries[i];
      words[record + at.first] = triangleCount;
      words[record + at.nodeOffset] = entry.nodeOffset;
      words[record + at.leafOffset] = entry.leafOffset;
      words[record + at.leafCount] = entry.leafCount;
      words[record + at.depth] = depthOf(entry.leafCount);
      words[record + at.vertexOffset] = entry.vertexOffset;
      words[record + at.cornerOffset] = entry.cornerOffset;
      triangleCount += entry.leafCount;
    }
    if (triangleCount === 0) return 0;
    queue.writeBuffer(this.#jobs.reserve(words.byteLength), 0, words);
    const rounds = this.#roundsOf(entries);
    const chunkBytes = rounds.length === 0 ? 0 : rounds[rounds.length - 1].end;
    const chunks = this.#chunks.reserve(chunkBytes);
    for (const round of rounds) queue.writeBuffer(chunks, round.start, round.words);
    this.#batchWords[0] = triangleCount;
    this.#batchWords[1] = entries.length;
    this.#batchWords[2] = cellBits ?? 0;
    queue.writeBuffer(this.#batch, 0, this.#batchWords);

    const { keys, values } = this.#sort.reserve(cellBits === undefined ? 1 : triangleCount);
    const resources = this.#resources;
    this.bind(resources);
    resources.set('jobs', this.#jobs.buffer);
    resources.set('vertices', this.#vertices.buffer);
    resources.set('corners', this.#corners.buffer);
    resources.set('keys', keys);
    resources.set('values', values);
    const groups = Math.ceil(triangleCount / 256);
    const pass = encoder.beginComputePass(this.stopwatch.passOf(treesLabel));
    let dispatches = 1;
    if (cellBits !== undefined) {
      this.#launches.keys.encode(pass, groups);
      dispatches += 1 + this.#sort.encode(pass, triangleCount);
    }
    const gather = cellBits === undefined ? this.#launches.gatherKept : this.#launches.gatherSorted;
    gather.encode(pass, groups);
    for (let i = 0; i < rounds.length; i++) {
      rounds[i].bind(this.#roundResources[i], chunks);
      this.#launches.reduce[i].encode(pass, rounds[i].words.length / 4);
      dispatches++;
    }
    pass.end();
    this.stopwatch.encode(encoder);
    if (cellBits !== undefined) for (const entry of entries) entry.refits = 0;
    return dispatches;
  }

  /** Those of one entry alone, which deforms again and again, are kept. */
  #roundsOf(entries: readonly Entry[]): readonly Round[] {
    if (entries.length > 1) return chunkRounds(entries);
    let rounds = this.#rounds.get(entries[0]);
    if (rounds === undefined) {
      rounds = chunkRounds(entries);
      this.#rounds.set(entries[0], rounds);
    }
    return rounds;
  }
}

/** What is built, or refitted where there are no cells, in one pass. */
interface Batch {
  readonly entries: readonly Entry[];
  readonly cellBits: number | undefined;
}

/** Chunks of 512 nodes that one dispatch reduces. */
class Round {
  #window: GPUBufferBinding | undefined;

  constructor(
    /** Where its chunks lie in the chunk list, in bytes. */
    readonly start: number,
    readonly end: number,
    readonly words: Uint32Array<ArrayBuffer>,
  ) {}

  bind(resources: Resources, buffer: GPUBuffer): void {
    if (this.#window?.buffer !== buffer) {
      this.#window = { buffer, offset: this.start, size: this.words.byteLength };
    }
    resources.set('chunks', this.#window);
  }
}

/** A round for each nine levels: first the chunks of the lowest levels, then of what is above. */
function chunkRounds(entries: readonly Entry[]): Round[] {
  const rounds: Round[] = [];
  let start = 0;
  for (let climbed = 0; ; climbed += 9) {
    const words: number[] = [];
    for (const { leafCount, nodeOffset } of entries) {
      const level = depthOf(leafCount) - climbed;
      if (level <= 0) continue;
      const count = Math.ceil(leafCount / 2 ** climbed);
      for (let chunk = 0; 512 * chunk < count; chunk++) words.push(nodeOffset, level, count, chunk);
    }
    if (words.length === 0) return rounds;
    const end = start + 256 * Math.ceil((4 * words.length) / 256);
    rounds.push(new Round(start, end, Uint32Array.from(words)));
    start = end;
  }
}

function* batches(entries: readonly Entry[]): Generator<Batch> {
  const small = entries.filter(entry => entry.leafCount <= smallShape);
  const large = entries.filter(entry => entry.leafCount > smallShape);
  for (const [list, { jobs, cellBits }] of [[small, smallBatch] as const, [large, largeBatch] as const]) {
    let batch: Entry[] = [];
    let triangles = 0;
    for (const entry of list) {
      if (entry.leafCount > 2 ** 26) {
        throw new NearfieldError(
          'out-of-memory',
          `a mesh of ${entry.leafCount} triangles is too large for the GPU`,
        );
      }
      if (batch.length > 0 && (batch.length === jobs || triangles + entry.leafCount > batchTriangles)) {
        yield { entries: batch, cellBits };
        batch = [];
        triangles = 0;
      }
      batch.push(entry);
      triangles += entry.leafCount;
    }
    if (batch.length > 0) yield { entries: batch, cellBits };
  }
}
