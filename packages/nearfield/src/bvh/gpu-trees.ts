// The trees of all shapes on the GPU: positions made local, triangles sorted along a Hilbert curve, one
// reduction a level (Greß and Zachmann, section 4.1). A new revision of a shape is refitted in place: the order
// is kept and only the boxes are reduced again.

import { NearfieldError } from '../errors.ts';
import { GrowingBuffer, type Keeper, RangeAllocator } from '../gpu/buffers.ts';
import { Binding, createKernel, type Kernel } from '../gpu/kernel.ts';
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
/** An order kept through this many refits is old enough to be sorted again, at about twice a refit's price. */
const mostRefits = 16;

export class GpuTrees {
  /** Times the last batch, while running. */
  readonly stopwatch: Stopwatch;
  readonly #device: GPUDevice;
  readonly #kernels: TreeKernels;
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
  readonly #bindings: { keys: Binding; gatherSorted: Binding; gatherKept: Binding; reduce: Binding[] };
  #scratch = new Int32Array(0);
  #mostLeaves = 0;

  constructor(device: GPUDevice, kernels: TreeKernels) {
    this.#device = device;
    this.#kernels = kernels;
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
    this.#bindings = {
      keys: new Binding(kernels.keys),
      gatherSorted: new Binding(kernels.gatherSorted),
      gatherKept: new Binding(kernels.gatherKept),
      reduce: Array.from({ length: 4 }, () => new Binding(kernels.reduce)),
    };
  }

  get buffers(): { shapes: GPUBuffer; nodes: GPUBuffer; leaves: GPUBuffer; order: GPUBuffer } {
    return {
      shapes: this.#shapes.buffer,
      nodes: this.#nodes.buffer,
      leaves: this.#leaves.buffer,
      order: this.#order.buffer,
    };
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

  /** Builds or refits the trees of shapes that are new or changed. Submits; returns how many dispatches. */
  update(shapes: Iterable<Shape>, welded = false): number {
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
    for (const entry of [...build, ...refit]) this.#upload(entry, fresh.includes(entry));
    let dispatches = 0;
    for (const batch of batches(build)) dispatches += this.#run(batch.entries, batch.cellBits);
    if (refit.length > 0) dispatches += this.#run(refit, undefined);
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
    const record = new ArrayBuffer(ShapeLayout.bytes);
    const [words, floats] = [new Uint32Array(record), new Float32Array(record)];
    const { at } = ShapeLayout;
    floats.set(entry.frame.low, at.low);
    floats.set(entry.frame.high, at.high);
    floats.set(entry.frame.reach, at.reach);
    words[at.nodeOffset] = entry.nodeOffset;
    words[at.leafOffset] = entry.leafOffset;
    words[at.leafCount] = entry.leafCount;
    words[at.depth] = depthOf(entry.leafCount);
    words[at.exponent] = entry.frame.exponent;
    queue.writeBuffer(this.#shapes.buffer, ShapeLayout.bytes * entry.index, record);
    entry.revision = shape.revision;
  }

  /** One batch: a build where `cellBits` is given, a refit otherwise. */
  #run(entries: readonly Entry[], cellBits: number | undefined): number {
    const device = this.#device;
    const words = new Uint32Array(JobLayout.words * entries.length);
    let triangleCount = 0;
    entries.forEach((entry, i) => {
      const record = words.subarray(JobLayout.words * i, JobLayout.words * (i + 1));
      const { at } = JobLayout;
      record[at.first] = triangleCount;
      record[at.nodeOffset] = entry.nodeOffset;
      record[at.leafOffset] = entry.leafOffset;
      record[at.leafCount] = entry.leafCount;
      record[at.depth] = depthOf(entry.leafCount);
      record[at.vertexOffset] = entry.vertexOffset;
      record[at.cornerOffset] = entry.cornerOffset;
      triangleCount += entry.leafCount;
    });
    if (triangleCount === 0) return 0;
    device.queue.writeBuffer(this.#jobs.reserve(words.byteLength), 0, words);
    const rounds = chunkRounds(entries);
    const chunkWords = new Uint32Array(rounds.length === 0 ? 0 : (rounds[rounds.length - 1].end / 4) | 0);
    for (const round of rounds) chunkWords.set(round.words, round.start / 4);
    device.queue.writeBuffer(this.#chunks.reserve(chunkWords.byteLength), 0, chunkWords);
    device.queue.writeBuffer(
      this.#batch,
      0,
      new Uint32Array([triangleCount, entries.length, cellBits ?? 0, 0]),
    );

    const { keys, values } = this.#sort.reserve(cellBits === undefined ? 1 : triangleCount);
    const resources = {
      batch: this.#batch,
      jobs: this.#jobs.buffer,
      vertices: this.#vertices.buffer,
      corners: this.#corners.buffer,
      keys,
      values,
      order: this.#order.buffer,
      leaves: this.#leaves.buffer,
      nodes: this.#nodes.buffer,
    };
    const groups = Math.min(65535, Math.ceil(triangleCount / 256));
    const encoder = device.createCommandEncoder({ label: 'trees' });
    const pass = encoder.beginComputePass({ label: 'trees', ...this.stopwatch.pass });
    let dispatches = 1;
    if (cellBits !== undefined) {
      pass.setPipeline(this.#kernels.keys.pipeline);
      pass.setBindGroup(0, this.#bindings.keys.get(device, resources));
      pass.dispatchWorkgroups(groups);
      dispatches += 1 + this.#sort.encode(pass, triangleCount);
    }
    const gather = cellBits === undefined ? 'gatherKept' : 'gatherSorted';
    pass.setPipeline(this.#kernels[gather].pipeline);
    pass.setBindGroup(0, this.#bindings[gather].get(device, resources));
    pass.dispatchWorkgroups(groups);
    pass.setPipeline(this.#kernels.reduce.pipeline);
    rounds.forEach((round, i) => {
      const chunks = { buffer: this.#chunks.buffer, offset: round.start, size: 4 * round.words.length };
      const binding = this.#bindings.reduce[i];
      pass.setBindGroup(0, binding.get(device, { nodes: this.#nodes.buffer, chunks }));
      pass.dispatchWorkgroups(Math.min(65535, round.words.length / 4));
      dispatches++;
    });
    pass.end();
    this.stopwatch.encode(encoder);
    device.queue.submit([encoder.finish()]);
    for (const entry of entries) if (cellBits !== undefined) entry.refits = 0;
    return dispatches;
  }
}

interface Round {
  /** Where its chunks lie in the chunk list, in bytes. */
  readonly start: number;
  readonly end: number;
  readonly words: number[];
}

/** Chunks of 512 nodes for each nine levels: first those of the lowest levels, then of what is above. */
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
    rounds.push({ start, end, words });
    start = end;
  }
}

function* batches(entries: readonly Entry[]): Generator<{ entries: Entry[]; cellBits: number }> {
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
