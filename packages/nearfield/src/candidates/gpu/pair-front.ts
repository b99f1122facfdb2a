// The first stages of every question about pairs of bodies on the GPU: poses → body table → candidates, given or found by
// the broad phase → one frame per candidate → prefix sums of the work per candidate. How much work a candidate is depends on
// the question, whose WGSL modules define it (`PairWork`). The question's kernels continue with the frames; they find them
// in `resources`, next to the question's own lists.

import type { Snapshot } from '../../bodies/snapshot/snapshot.ts';
import { GpuBodyTable } from '../../bvh/gpu/bodies/body-table.ts';
import { sameWords } from '../../bvh/gpu/build/batches/tree-builds.ts';
import type { GpuTrees } from '../../bvh/gpu/trees.ts';
import { buffersReplaced, largestBinding, roomFor } from '../../gpu/buffers/buffers.ts';
import { CountedLists } from '../../gpu/buffers/counted-lists.ts';
import type { Piece } from '../../gpu/buffers/read-back.ts';
import { Launch, Resources } from '../../gpu/kernel.ts';
import { throwIfRefused } from '../../gpu/submit.ts';
import { BroadPhase } from './broad/broad-phase.ts';
import type { FrontKernels } from './kernels.ts';
import { BodyLayout, FrameLayout, FrontResult, resultHead } from './layouts.ts';
import { type FrontQuery, QueryBuffer, type QueryWords } from './query.ts';

export interface FrontOptions {
  /** The workgroups of kernels that loop over a list whose length only the GPU knows. */
  readonly groups: number;
  /** Initial capacity for candidates. */
  readonly candidates: number;
  /** The most candidates per submission. By default as many as the device can bind frames for. */
  readonly atOnce?: number | undefined;
  /** The number of bodies from which on the broad phase sorts them. */
  readonly orderFrom?: number | undefined;
}

const recordBytes = {
  bodies: BodyLayout.bytes,
  boxes: 32,
  candidates: 8,
  frames: FrameLayout.bytes,
  workItems: 4,
  results: 4,
};

export class GpuPairFront<Own extends string = string> {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #groups: number;
  readonly #query: QueryBuffer;
  readonly #broad: BroadPhase;
  readonly #frames: Launch;
  readonly #scanWork: Launch;
  /**
   * Interferences and distances have a table each, because a table holds one list of bodies. If they shared one, a program that
   * asks for the interferences of a whole scene and for the distances of a few of its bodies, in turns, would write all poses
   * again every time. A table per list would have to be bound again whenever the list changes, and dropped by a rule of its own.
   */
  readonly table: GpuBodyTable;
  readonly resources = new Resources();
  readonly lists: CountedLists<keyof typeof recordBytes>;
  /** The question's own lists. They are reserved and bound together with `lists`. */
  readonly own: CountedLists<Own>;
  /** The most candidates per submission, however long the lists are. */
  readonly mostAtOnce: number;
  /** The capacity for candidates. */
  room: number;
  /** The bodies of the last `reserve`, and the value of `buffersReplaced` then; −1 if a capacity has changed since. */
  #reservedBodies = -1;
  #reservedAt = -1;
  /** The value of `buffersReplaced` when buffers were last bound. */
  #boundAt = -1;
  /** The candidates that the last question gave and that are still in their list; kept only if they are few. */
  #given: { readonly words: Uint32Array; readonly buffer: GPUBuffer } | undefined;

  constructor(
    device: GPUDevice,
    kernels: FrontKernels,
    trees: GpuTrees,
    own: CountedLists<Own>,
    options: FrontOptions,
  ) {
    this.#device = device;
    this.#trees = trees;
    this.#groups = options.groups;
    this.table = new GpuBodyTable(device);
    this.#query = new QueryBuffer(device, this.resources);
    this.#broad = new BroadPhase(device, kernels, this.resources, options.orderFrom);
    this.#frames = new Launch(device, kernels.frames, this.resources);
    this.#scanWork = new Launch(device, kernels.scanWork, this.resources);
    this.lists = new CountedLists(device, 'pairs', recordBytes);
    this.own = own;
    this.room = options.candidates;
    const bindable = Math.floor(largestBinding(device) / FrameLayout.bytes);
    this.mostAtOnce = Math.min(bindable, options.atOnce ?? bindable);
  }

  /** The serial number of the last submission. */
  get serial(): number {
    return this.#query.serial;
  }
  /** The capacity for frames. */
  get mostFrames(): number {
    return Math.min(this.room, this.mostAtOnce);
  }

  /** The most candidates that fit the lists as they are, with a frame each. */
  get capacity(): number {
    return Math.min(this.lists.capacity('candidates'), this.lists.capacity('frames'));
  }

  /** Whether all kernels that these bodies need are compiled. */
  isReady(bodies: Snapshot): boolean {
    return this.#broad.isReady(bodies.count) && this.table.isReady(bodies);
  }

  /** Compiles the kernels that these bodies need. */
  async prepare(bodies: Snapshot): Promise<void> {
    await this.#broad.prepare(bodies.count);
    await this.table.prepare(bodies);
  }

  /**
   * Brings the table up to date, then calls `record`: at once, unless poses must be read back first. Call it after trees were
   * encoded, because the table uses their frames.
   */
  updateThen<R>(bodies: Snapshot, encoder: GPUCommandEncoder, record: () => R): R | Promise<R> {
    // Poses that the GPU did not accept as plain poses must be read back: placing them again would not change that.
    if (!this.table.lacksPoses) this.table.update(bodies, this.#trees, encoder);
    return this.table.lacksPoses ? this.#readThen(bodies, encoder, record) : record();
  }

  async #readThen<R>(bodies: Snapshot, encoder: GPUCommandEncoder, record: () => R): Promise<R> {
    await bodies.onGpu?.read();
    this.table.update(bodies, this.#trees, encoder);
    return record();
  }

  /** Makes every list long enough for a question about this many bodies, the question's own lists included. */
  reserve(bodyCount: number, given: Uint32Array | undefined): void {
    if (given !== undefined && given.length / 2 > this.room) {
      this.room = given.length / 2;
      this.#reservedAt = -1;
    }
    if (bodyCount <= this.#reservedBodies && this.#reservedAt === buffersReplaced()) return;
    const { lists } = this;
    lists.lengthen('bodies', bodyCount);
    lists.lengthen('boxes', bodyCount);
    lists.lengthen('candidates', this.room);
    lists.lengthen('frames', this.mostFrames);
    // Kernels bound their loops by the number of frames, so lists with one item per frame must be as long.
    const frames = lists.capacity('frames');
    lists.lengthen('workItems', frames);
    lists.lengthen('results', resultHead + Math.max(frames, lists.capacity('candidates')));
    this.own.reserve();
    this.#reservedBodies = bodyCount;
    this.#reservedAt = buffersReplaced();
  }

  /** Writes the query, and binds buffers that were replaced since the last one. Call it after `reserve`, before the pass. */
  write(bodyCount: number, query: FrontQuery, own: QueryWords): void {
    this.#query.write(bodyCount, this.table.scene, query, own);
    this.#writeGiven(query.candidates);
    if (this.#boundAt === buffersReplaced()) return;
    const { resources, lists } = this;
    this.#trees.bind(resources);
    this.table.bind(resources);
    lists.bind(resources);
    this.own.bind(resources);
    resources.set('scanState', lists.buffers.results.buffer);
    resources.set('scanValues', lists.buffers.workItems.buffer);
    this.#boundAt = buffersReplaced();
  }

  /** Whether there are so few bodies that one workgroup does all stages. */
  isFew(bodyCount: number, given: Uint32Array | undefined): boolean {
    return this.#broad.isFew(bodyCount, given);
  }

  /** Records all stages. Returns the number of dispatches. */
  encode(pass: GPUComputePassEncoder, bodyCount: number, given: Uint32Array | undefined): number {
    if (this.isFew(bodyCount, given)) return this.#broad.encodeFew(pass);
    return this.encodeCandidates(pass, bodyCount, given) + this.encodeFrames(pass);
  }

  /** Places the bodies and, unless candidates are given, finds candidates. Returns the number of dispatches. */
  encodeCandidates(pass: GPUComputePassEncoder, bodyCount: number, given: Uint32Array | undefined): number {
    return this.#broad.encode(pass, bodyCount, given === undefined);
  }

  /** Places the bodies, for a question that finds candidates itself. Returns the number of dispatches. */
  encodePlaces(pass: GPUComputePassEncoder, bodyCount: number): number {
    return this.#broad.encode(pass, bodyCount, false);
  }

  /**
   * Makes the frames, by the question's own kernel if it has one, and sums up the work. Returns the number of
   * dispatches.
   */
  encodeFrames(pass: GPUComputePassEncoder, frames: Launch = this.#frames): number {
    frames.encode(pass, Math.min(this.#groups, Math.ceil(this.mostFrames / 8)));
    this.#scanWork.encode(pass, 1);
    return 2;
  }

  /** The head of the results (`FrontResult`), to read back. */
  get headPiece(): Piece {
    return { buffer: this.lists.buffers.results.buffer, offset: 0, bytes: 4 * resultHead };
  }

  /** Call it with the head that was read back. Throws if the device refused the last submission. */
  checkSubmission(head: Uint32Array): void {
    this.table.accepted();
    throwIfRefused(head[FrontResult.serial], this.serial);
  }

  /** Call it after the trees were accepted. Throws if a shape does not fit its local frame. */
  check(head: Uint32Array): void {
    if (head[FrontResult.misfit] === this.serial)
      throw new Error('a shape does not fit its local frame, and its tree did not report it');
  }

  /** Increases the capacity if more candidates were counted; returns whether it did. Without frames, the list alone counts. */
  grow(head: Uint32Array, withFrames = true): boolean {
    const count = head[FrontResult.candidates];
    if (count <= (withFrames ? this.capacity : this.lists.capacity('candidates'))) return false;
    this.room = roomFor(this.#device, recordBytes.candidates, count);
    this.#reservedAt = -1;
    return true;
  }

  /** Does the same for the question's own lists. */
  growOwn(counts: Partial<Record<Own, number>>): boolean {
    const isGrown = this.own.grow(counts);
    if (isGrown) this.#reservedAt = -1;
    return isGrown;
  }

  destroy(): void {
    this.table.destroy();
    this.#broad.destroy();
    this.#query.destroy();
    this.lists.destroy();
    this.own.destroy();
  }

  /** Writes the candidates that a question gives, unless the last one gave the same, as repeated questions about one body do. */
  #writeGiven(given: Uint32Array | undefined): void {
    const { buffer } = this.lists.buffers.candidates;
    const last = this.#given;
    if (given !== undefined && last?.buffer === buffer && sameWords(last.words, given)) return;
    this.#given = undefined;
    if (given === undefined) return;
    this.#device.queue.writeBuffer(buffer, 0, given as Uint32Array<ArrayBuffer>);
    if (given.length <= 4) this.#given = { words: given.slice(), buffer };
  }
}
