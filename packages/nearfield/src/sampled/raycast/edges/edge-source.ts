// Edges for kernels and pipelines: their records, and the current places of their triangles' positions.

import type { Entry, GpuTrees } from '../../../bvh/gpu/trees.ts';
import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { createKernel, type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { areTakenSince, submittedSoFar } from '../../../gpu/submit.ts';
import type { Mesh } from '../../../mesh/mesh.ts';
import { EdgePool } from './edge-records.ts';
import invertSource from './invert-order.wgsl';

export const createInvertKernel = (device: GPUDevice): Promise<Kernel> =>
  createKernel(device, 'invert-order', [invertSource]);

export class EdgeSource {
  /** `edgeRecords`, `leafOf`, and all resources of the trees. */
  readonly resources = new Resources();
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #pool: EdgePool;
  readonly #leafOf: GrowingBuffer;
  readonly #inverted: GrowingBuffer;
  readonly #launch: Launch;
  #triangles = 0;
  /** The current contents of `inverted`. */
  #written = new Uint32Array(0);
  #window: GPUBufferBinding | undefined;
  /** How often `inverted` was written. */
  #writes = 0;
  /** The age of the inverse that was recorded last, and of the last one that an answer has come of. */
  #recordedAt = -1;
  #answeredAt = -1;
  /** The number of submissions before it was recorded. */
  #submitted = 0;

  constructor(device: GPUDevice, trees: GpuTrees, invert: Kernel) {
    this.#device = device;
    this.#trees = trees;
    this.#pool = new EdgePool(device);
    this.#leafOf = new GrowingBuffer(device, 'leaf of triangle');
    this.#inverted = new GrowingBuffer(device, 'inverted orders');
    this.#launch = new Launch(device, invert, this.resources);
  }

  /** The index of a mesh's first record, and the number of its records. */
  recordsOf(mesh: Mesh): { readonly offset: number; readonly count: number } {
    return this.#pool.reserve(mesh);
  }

  /** To be called after `recordsOf` for every mesh, and after the trees were encoded, which may move them. */
  bind(entries: ReadonlySet<Entry>): void {
    const { resources } = this;
    const words = new Uint32Array(2 * entries.size + 2);
    let [at, extent] = [0, 0];
    this.#triangles = 0;
    for (const { leafOffset, leafCount } of entries) {
      words[at] = leafOffset;
      words[at + 1] = this.#triangles;
      at += 2;
      this.#triangles += leafCount;
      extent = Math.max(extent, leafOffset + leafCount);
    }
    words[at + 1] = this.#triangles;
    const held = this.#inverted.buffer;
    const inverted = this.#inverted.reserve(words.byteLength);
    const known = this.#written;
    if (inverted !== held || known.length !== words.length || words.some((word, i) => word !== known[i])) {
      this.#device.queue.writeBuffer(inverted, 0, words);
      this.#written = words;
      this.#writes++;
    }
    this.#trees.bind(resources);
    if (this.#window?.buffer !== inverted || this.#window.size !== words.byteLength) {
      this.#window = { buffer: inverted, offset: 0, size: words.byteLength };
    }
    resources.set('inverted', this.#window);
    resources.set('leafOf', this.#leafOf.reserve(4 * extent));
    resources.set('edgeRecords', this.#pool.buffer);
  }

  /**
   * Computes the inverse, unless that of the last answer still holds. Returns the number of dispatches. The caller
   * keeps `recordedAt`, and gives it to `noteAnswer` when an answer has come of this inverse; otherwise the next question
   * computes it again.
   */
  encode(pass: GPUComputePassEncoder): number {
    if (this.holds) return 0;
    this.#answeredAt = -1;
    this.#recordedAt = this.#age;
    this.#submitted = submittedSoFar(this.#device);
    this.#launch.encode(pass, Math.ceil(this.#triangles / 256));
    return 1;
  }

  /** The age of the inverse that `encode` recorded last. */
  get recordedAt(): number {
    return this.#recordedAt;
  }

  /**
   * To be called when an answer was read back that used the inverse of this age. By then a younger one may have been
   * recorded and never submitted.
   */
  noteAnswer(recordedAt: number): void {
    this.#answeredAt = recordedAt;
  }

  /** Whether the inverse holds: no leaf was recorded and no buffer replaced since, and the device has refused nothing. */
  get holds(): boolean {
    return this.#answeredAt === this.#age && areTakenSince(this.#device, this.#submitted);
  }

  /** What the inverse depends on. Each of the three only grows, so the sum is the same only if each of them is. */
  get #age(): number {
    return this.#trees.stores + this.resources.generation + this.#writes;
  }

  destroy(): void {
    this.#pool.destroy();
    this.#leafOf.destroy();
    this.#inverted.destroy();
  }
}
