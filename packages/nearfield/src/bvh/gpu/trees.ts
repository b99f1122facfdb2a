// The trees of all shapes on the GPU: positions made local, triangles sorted along a Hilbert curve, one reduction per
// level (Greß and Zachmann, section 4.1). A new revision of a large shape is refitted in place: the order is kept and
// only the boxes are reduced again. A small shape is rebuilt (build/small/small.ts). Positions are uploaded unchanged, from
// typed arrays or from an application's buffer. For questions that need no tree, leaves are stored in the order of the
// mesh, and a box per shape.

import type { Shape } from '../../bodies/snapshot/snapshot.ts';
import { hasWelds } from '../../bodies/welds.ts';
import { buffersReplaced, GrowingBuffer, type Keeper } from '../../gpu/buffers/buffers.ts';
import type { Piece } from '../../gpu/buffers/read-back.ts';
import { Staging } from '../../gpu/buffers/staging.ts';
import { Records, Uploads } from '../../gpu/buffers/uploads.ts';
import type { Preparation } from '../../gpu/gpu-query.ts';
import { Resources } from '../../gpu/kernel.ts';
import { Stopwatch } from '../../gpu/stopwatch.ts';
import { submit } from '../../gpu/submit.ts';
import { BatchBuilds, type Described } from './build/batches/batch-builds.ts';
import { type Batch, batches } from './build/batches/batches.ts';
import { isRecorded, writeRecord, writeTreeBuild } from './build/batches/tree-builds.ts';
import type { TreeKernels } from './build/kernels.ts';
import { isSmall, SmallBuilds, smallBatches } from './build/small/small.ts';
import { Entries, type Entry } from './entries.ts';
import { faultWords, ShapeLayout, TreeBuildLayout } from './layouts.ts';
import { keepsOrder, noteBuild, noteRefit, noteStored, noteTests } from './leaf-order.ts';

export { createTreeKernels, type TreeKernels } from './build/kernels.ts';
export type { Entry } from './entries.ts';

const treesLabel = { label: 'trees' };
const unnamed = {};

export class GpuTrees {
  /** Times the last batch while the stopwatch is running. */
  readonly stopwatch: Stopwatch;
  readonly #device: GPUDevice;
  readonly #batches: BatchBuilds;
  readonly #small: SmallBuilds;
  readonly #entries = new Entries();
  readonly #pools: Record<
    'shapes' | 'nodes' | 'leaves' | 'order' | 'positions' | 'corners' | 'welds' | 'faults',
    GrowingBuffer
  >;
  readonly #vertices: GrowingBuffer;
  readonly #uploads: Uploads;
  readonly #records: Records;
  readonly #staging: Staging;
  readonly #resources = new Resources();
  /** The value of `buffersReplaced` when buffers were last bound. */
  #boundAt = -1;
  /** Number of the last preparation. */
  #asked = 0;
  /** Shapes that were all up to date, and the value of `changes` at that time. */
  #upToDate: Iterable<Shape> | undefined;
  #upToDateAt = -1;
  /** Whether their trees were built, too. */
  #upToDateBuilt = false;
  /** How many trees were built or refitted so far. */
  #builds = 0;
  #stores = 0;

  constructor(device: GPUDevice, kernels: TreeKernels) {
    this.#device = device;
    this.stopwatch = new Stopwatch(device);
    this.#uploads = new Uploads(device.queue);
    this.#records = new Records(device.queue);
    this.#staging = new Staging(device);
    const buffer = (label: string) => new GrowingBuffer(device, label);
    this.#pools = {
      shapes: buffer('shapes'),
      nodes: buffer('nodes'),
      leaves: buffer('leaves'),
      order: buffer('order'),
      positions: buffer('positions'),
      corners: buffer('corners'),
      welds: buffer('welds'),
      faults: buffer('faults'),
    };
    this.#vertices = buffer('vertices');
    this.#batches = new BatchBuilds(device, kernels, this.#resources);
    this.#small = new SmallBuilds(device, kernels.buildSmall, this.#resources, this.#staging);
  }

  /** Binds the trees' buffers for their readers. */
  bind(resources: Resources): void {
    for (const [name, pool] of Object.entries(this.#pools)) resources.set(name, pool.buffer);
  }

  /** For tests. */
  get buffers(): { nodes: GPUBuffer; leaves: GPUBuffer; order: GPUBuffer } {
    const { nodes, leaves, order } = this.#pools;
    return { nodes: nodes.buffer, leaves: leaves.buffer, order: order.buffer };
  }

  /** The entry of a shape that was updated before. */
  entryOf(shape: Shape): Entry {
    return this.#entries.get(shape)!;
  }

  /** Grows whenever an entry or its frame changes. Until then cached facts about entries stay valid. */
  get changes(): number {
    return this.#entries.changes;
  }

  /** The maximum number of leaves of any tree so far. */
  get mostLeaves(): number {
    return this.#entries.mostLeaves;
  }

  /** How many trees were built or refitted so far. */
  get builds(): number {
    return this.#builds;
  }

  /** Grows whenever leaves are recorded, which may change their order. */
  get stores(): number {
    return this.#stores;
  }

  /** Compiles the kernels that store shapes without trees. */
  prepareTreeless(): Promise<void> {
    return this.#batches.prepareTreeless();
  }

  /**
   * The work a question about these shapes must do first; undefined if there is none. Shapes may be named repeatedly.
   * With `treeless`, new shapes and new revisions get no tree (call `prepareTreeless` before).
   */
  prepare(shapes: Iterable<Shape>, welded: boolean, treeless = false): Preparation | undefined {
    this.#staging.recycle();
    // Repeated questions about the same shapes reuse their list, which stays valid until one of the shapes is replaced
    // or changes.
    const known = shapes === this.#upToDate && this.changes === this.#upToDateAt;
    if (known && !welded && (treeless || this.#upToDateBuilt)) return undefined;
    const concerned: Entry[] = [];
    const asking = ++this.#asked;
    for (const shape of shapes) {
      const entry = this.#entries.get(shape) ?? this.#entries.add(shape);
      if (entry.asked === asking) continue;
      entry.asked = asking;
      if (entry.revision !== shape.revision) this.#entries.revise(entry);
      // For positions that are only on the GPU, the build also checks whether the mesh's welds hold.
      if (!entry.welded && (welded || (shape.onGpu !== undefined && hasWelds(shape.mesh))))
        this.#entries.weld(entry);
      if (!treeless && !entry.built) entry.stale = true;
      this.#entries.reserveNodes(entry, treeless);
      if (entry.stale || !entry.settled) concerned.push(entry);
    }
    if (concerned.length === 0) {
      this.#upToDate = shapes;
      this.#upToDateAt = this.changes;
      this.#upToDateBuilt = !treeless;
      return undefined;
    }
    const looked = concerned.filter(entry => !entry.settled);
    // Pools may move while they grow, so pieces are created on request.
    const trees = this;
    return {
      encode: encoder => this.#update(concerned, encoder, treeless),
      get pieces() {
        return looked.flatMap(entry => trees.#piecesOf(entry));
      },
      accept: views => {
        let next = 0;
        let accepted = true;
        for (const entry of looked) {
          const root = views[next++];
          const faults = entry.shape.onGpu === undefined ? undefined : views[next++];
          const floats = new Float32Array(root.buffer, root.byteOffset, root.length);
          if (!this.#entries.settle(entry, floats, faults)) accepted = false;
        }
        return accepted;
      },
    };
  }

  /** Builds or refits before any question. Returns the number of dispatches. */
  update(shapes: Iterable<Shape>, welded = false): number {
    const preparation = this.prepare(shapes, welded);
    if (preparation === undefined) return 0;
    const encoder = this.#device.createCommandEncoder(treesLabel);
    const dispatches = preparation.encode(encoder);
    submit(this.#device, encoder);
    return dispatches;
  }

  /**
   * Records the cost of a walk of a shape against itself. If the order has become bad, the next revision is rebuilt.
   */
  noteTests(shape: Shape, boxTests: number): void {
    noteTests(this.entryOf(shape), boxTests);
  }

  forget(shape: Shape): void {
    this.#upToDate = undefined;
    this.#entries.forget(shape);
  }

  destroy(): void {
    this.#entries.clear();
    this.#batches.destroy();
    this.#small.destroy();
    this.#staging.destroy();
    this.stopwatch.destroy();
    this.#vertices.destroy();
    for (const pool of Object.values(this.#pools)) pool.destroy();
  }

  #piecesOf(entry: Entry): Piece[] {
    const root = { buffer: this.#pools.nodes.buffer, offset: 32 * (entry.nodeOffset + 1), bytes: 32 };
    // A shape without triangles has no root. What is read in its place is ignored.
    const first = entry.leafCount > 0 ? root : { ...root, offset: 0 };
    if (entry.shape.onGpu === undefined) return [first];
    const bytes = 4 * faultWords;
    return [first, { buffer: this.#pools.faults.buffer, offset: bytes * entry.index, bytes }];
  }

  /**
   * The queue writes each batch's parameters before the submission that reads them. The last batch, of small and other
   * shapes, is recorded in the encoder, so that a question and its trees are one submission.
   */
  #update(entries: readonly Entry[], encoder: GPUCommandEncoder, treeless: boolean): number {
    const small: Entry[] = [];
    const build: Entry[] = [];
    const refit: Entry[] = [];
    for (const entry of entries) {
      if (!entry.stale) continue;
      if (treeless) build.push(entry);
      else if (isSmall(entry)) small.push(entry);
      else if (keepsOrder(entry)) refit.push(entry);
      else build.push(entry);
    }
    const work: Batch<Entry>[] = [...batches(build)];
    if (refit.length > 0) work.push({ entries: refit, cellBits: undefined });
    const smallWork = [...smallBatches(small)];
    const last = Math.max(work.length, smallWork.length) - 1;
    if (last < 0) return 0;
    this.#reserve();
    let dispatches = 0;
    for (let i = 0; i <= last; i++) {
      const recorder = i < last ? this.#device.createCommandEncoder(treesLabel) : encoder;
      dispatches += this.#run(recorder, work[i], smallWork[i], treeless);
      if (i < last) submit(this.#device, recorder);
    }
    return dispatches;
  }

  /** Makes every pool as long as its ranges need, and keeps its contents. */
  #reserve(): void {
    const device = this.#device;
    let encoder: GPUCommandEncoder | undefined;
    const keeper: Keeper = {
      get encoder() {
        return (encoder ??= device.createCommandEncoder());
      },
      retired: [],
    };
    const { shapes, nodes, leaves, words, welds } = this.#entries;
    const pools = this.#pools;
    try {
      pools.shapes.reserve(ShapeLayout.bytes * shapes.extent, keeper);
      pools.faults.reserve(4 * faultWords * shapes.extent, keeper);
      pools.nodes.reserve(32 * nodes.extent, keeper);
      pools.leaves.reserve(48 * leaves.extent, keeper);
      pools.order.reserve(4 * leaves.extent, keeper);
      pools.positions.reserve(4 * words.extent, keeper);
      pools.corners.reserve(12 * leaves.extent, keeper);
      pools.welds.reserve(4 * welds.extent, keeper);
    } finally {
      // Run this even if one of them cannot grow: those that have grown hold the shapes of other questions.
      if (keeper.retired.length > 0) submit(this.#device, keeper.encoder);
      for (const buffer of keeper.retired) buffer.destroy();
    }
  }

  #upload(entry: Entry, encoder: GPUCommandEncoder): void {
    const { shape } = entry;
    const { mesh, onGpu } = shape;
    const { positions, corners, welds, faults } = this.#pools;
    const uploads = this.#uploads;
    if (onGpu !== undefined) {
      const bytes = 4 * entry.stride * entry.vertexCount;
      const from = onGpu.copy.buffer as GPUBuffer;
      if (entry.uploaded !== onGpu)
        encoder.copyBufferToBuffer(from, 0, positions.buffer, 4 * entry.wordOffset, bytes);
      entry.uploaded = onGpu;
      encoder.clearBuffer(faults.buffer, 4 * faultWords * entry.index, 4 * faultWords);
    } else if (entry.uploaded !== shape.positions) {
      const given = shape.positions as typeof shape.positions & ArrayBufferView<ArrayBuffer>;
      const at = 4 * entry.wordOffset;
      if (!this.#staging.write(encoder, positions.buffer, at, given))
        uploads.add(positions.buffer, at, given, 4 * entry.wordCount);
      entry.uploaded = shape.positions;
    }
    if (!entry.indicesUploaded) {
      const given = mesh.indices instanceof Uint32Array ? mesh.indices : new Uint32Array(mesh.indices);
      const indices = given as Uint32Array<ArrayBuffer>;
      const at = 4 * entry.cornerOffset;
      if (!this.#staging.write(encoder, corners.buffer, at, indices))
        uploads.add(corners.buffer, at, indices);
      entry.indicesUploaded = true;
    }
    if (entry.welded && !entry.weldsUploaded) {
      const { vertexOf } = mesh.welds;
      uploads.add(welds.buffer, 4 * entry.weldOffset, vertexOf as Uint32Array<ArrayBuffer>);
      entry.weldsUploaded = true;
    }
  }

  #record(entry: Entry): void {
    if (isRecorded(entry)) return;
    const at = ShapeLayout.words * entry.index;
    writeRecord(this.#records.claim(at, ShapeLayout.words), at, entry);
  }

  /** The work of one submission: shapes that are built or refitted together, and small ones. */
  #run(
    encoder: GPUCommandEncoder,
    batch: Batch<Entry> | undefined,
    small: readonly Entry[] | undefined,
    treeless: boolean,
  ): number {
    this.#stores++;
    let vertexCount = 0;
    if (small !== undefined) {
      vertexCount = this.#small.write(encoder, small);
      for (const entry of small) {
        this.#record(entry);
        noteBuild(entry);
        this.#builds++;
      }
    }
    const described = batch && this.#describe(encoder, batch, treeless);
    if (described !== undefined) vertexCount = Math.max(vertexCount, described.vertexCount);
    this.#records.flush(this.#pools.shapes.buffer);
    const vertices = this.#vertices.reserve(16 * vertexCount);
    const sorted = this.#batches.reserve(described);
    if (this.#boundAt !== buffersReplaced()) {
      const resources = this.#resources;
      this.bind(resources);
      resources.set('vertices', vertices);
      this.#batches.bind(sorted);
      this.#boundAt = buffersReplaced();
    }
    const pass = encoder.beginComputePass(this.stopwatch.passOf(unnamed));
    if (small !== undefined) this.#small.encode(pass, small.length);
    let dispatches = small === undefined ? 0 : 1;
    if (described !== undefined) dispatches += this.#batches.encode(pass, described);
    pass.end();
    this.stopwatch.encode(encoder);
    return dispatches;
  }

  /** Uploads the new data of a batch, and writes the parameters of its kernels; undefined if there are no triangles. */
  #describe(
    encoder: GPUCommandEncoder,
    { entries, cellBits }: Batch<Entry>,
    treeless: boolean,
  ): Described | undefined {
    const treeBuilds = this.#batches.takeTreeBuilds(entries.length);
    let triangleCount = 0;
    let vertexCount = 0;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i];
      this.#upload(entry, encoder);
      this.#record(entry);
      writeTreeBuild(treeBuilds, TreeBuildLayout.words * i, entry, triangleCount, vertexCount);
      triangleCount += entry.leafCount;
      vertexCount += entry.vertexCount;
      if (treeless) noteStored(entry);
      else if (cellBits === undefined) noteRefit(entry);
      else noteBuild(entry);
      if (!treeless) this.#builds++;
    }
    this.#uploads.flush();
    if (triangleCount === 0) return undefined;
    return this.#batches.describe(treeBuilds, entries, triangleCount, vertexCount, cellBits, treeless);
  }
}
