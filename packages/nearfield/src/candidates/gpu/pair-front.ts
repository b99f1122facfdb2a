// What every question about pairs of bodies does first on the GPU: poses → body table → candidates, found by the broad phase or
// given → a frame per candidate → the work there is for all of them, summed up. What that work is, the question's own modules say
// (`PairWork`); its kernels then go on with the frames, which they find in `resources` beside the question's own lists.

import type { Snapshot } from '../../bodies/snapshot/snapshot.ts';
import { GpuBodyTable } from '../../bvh/gpu/bodies/body-table.ts';
import { sameWords } from '../../bvh/gpu/build/jobs.ts';
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
  /** Workgroups of the kernels that loop over a list whose length only the GPU knows. */
  readonly groups: number;
  /** Candidates there is room for at first. */
  readonly candidates: number;
  /** The most candidates taken in one go; as many as the device can bind frames for where left out. */
  readonly atOnce?: number | undefined;
  /** Bodies from which on the broad phase puts them in order. */
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
  readonly table: GpuBodyTable;
  readonly resources = new Resources();
  readonly lists: CountedLists<keyof typeof recordBytes>;
  /** What the question fills: reserved and bound with the lists here. */
  readonly own: CountedLists<Own>;
  /** How many candidates one go can take, however the lists grow. */
  readonly mostAtOnce: number;
  /** Candidates there is room for. */
  room: number;
  /** Bodies that there is room for, and what `buffersReplaced` said then; −1 where the room has changed since. */
  #reservedBodies = -1;
  #reservedAt = -1;
  /** What `buffersReplaced` said when buffers were last bound. */
  #boundAt = -1;
  /** Candidates that lie in their list because a question gave them, where they are few. */
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

  /** Number of the last submission. */
  get serial(): number {
    return this.#query.serial;
  }
  /** Candidates that there are frames for at most. */
  get mostFrames(): number {
    return Math.min(this.room, this.mostAtOnce);
  }

  /** Candidates that are listed and have frames, as the lists are. */
  get capacity(): number {
    return Math.min(this.lists.capacity('candidates'), this.lists.capacity('frames'));
  }

  /** Whether nothing is left to be compiled for these bodies. */
  isReady(bodies: Snapshot): boolean {
    return this.#broad.isReady(bodies.count) && this.table.isReady(bodies);
  }

  /** Compiles what these bodies are the first to need. */
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

  /** Makes room for a question about so many bodies; its own lists are as long as theirs. */
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
    // Kernels go by the number of frames; what runs beside them must be as long.
    const frames = lists.capacity('frames');
    lists.lengthen('workItems', frames);
    lists.lengthen('results', resultHead + Math.max(frames, lists.capacity('candidates')));
    this.own.reserve();
    this.#reservedBodies = bodyCount;
    this.#reservedAt = buffersReplaced();
  }

  /** Writes the query, and binds what may lie elsewhere since the last one. After `reserve`, before the pass. */
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

  /** Whether one workgroup can place, pair and frame them all. */
  isFew(bodyCount: number, given: Uint32Array | undefined): boolean {
    return this.#broad.isFew(bodyCount, given);
  }

  /** All of it. Returns how many dispatches. */
  encode(pass: GPUComputePassEncoder, bodyCount: number, given: Uint32Array | undefined): number {
    if (this.isFew(bodyCount, given)) return this.#broad.encodeFew(pass);
    return this.encodeCandidates(pass, bodyCount, given) + this.encodeFrames(pass);
  }

  /** Places the bodies and, unless candidates are given, finds them. Returns how many dispatches. */
  encodeCandidates(pass: GPUComputePassEncoder, bodyCount: number, given: Uint32Array | undefined): number {
    return this.#broad.encode(pass, bodyCount, given === undefined);
  }

  /** Makes the frames, by a kernel of the question's where it has one, and sums up the work. Returns how many dispatches. */
  encodeFrames(pass: GPUComputePassEncoder, frames: Launch = this.#frames): number {
    frames.encode(pass, Math.min(this.#groups, Math.ceil(this.mostFrames / 8)));
    this.#scanWork.encode(pass, 1);
    return 2;
  }

  /** The results' head (`FrontResult`), to be read back. */
  get headPiece(): Piece {
    return { buffer: this.lists.buffers.results.buffer, offset: 0, bytes: 4 * resultHead };
  }

  /** Once the head was read: throws where it is no answer to the last submission. */
  checkSubmission(head: Uint32Array): void {
    this.table.accepted();
    throwIfRefused(head[FrontResult.serial], this.serial);
  }

  /** Once the trees were accepted. */
  check(head: Uint32Array): void {
    if (head[FrontResult.misfit] === this.serial) throw new Error('a shape left its local frame unseen');
  }

  /** Makes room for the candidates that were counted; false where there was enough. Candidates alone need no frames. */
  grow(head: Uint32Array, withFrames = true): boolean {
    const count = head[FrontResult.candidates];
    if (count <= (withFrames ? this.capacity : this.lists.capacity('candidates'))) return false;
    this.room = roomFor(this.#device, recordBytes.candidates, count);
    this.#reservedAt = -1;
    return true;
  }

  /** The same for the question's own lists. */
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

  /** Writes the candidates that a question gives, unless they are there: one body asked about itself again and again. */
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
