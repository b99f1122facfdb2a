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

/** What an inverse was computed from, and how many submissions came before it. */
interface Inverse {
  readonly stores: number;
  readonly generation: number;
  readonly written: Uint32Array;
  readonly submitted: number;
}

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
  /** The inverse that was recorded last, and whether an answer has come of it. */
  #inverse: Inverse | undefined;
  #isAnswered = false;

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
   * calls `noteAnswer` when what it recorded has led to an answer; otherwise the next question computes it again.
   */
  encode(pass: GPUComputePassEncoder): number {
    if (this.holds) return 0;
    this.#isAnswered = false;
    this.#inverse = {
      stores: this.#trees.stores,
      generation: this.resources.generation,
      written: this.#written,
      submitted: submittedSoFar(this.#device),
    };
    this.#launch.encode(pass, Math.ceil(this.#triangles / 256));
    return 1;
  }

  /** To be called when an answer was read back that used what `encode` recorded last. */
  noteAnswer(): void {
    this.#isAnswered = true;
  }

  /** Whether the inverse holds: no leaf was recorded and no buffer replaced since, and the device has refused nothing. */
  get holds(): boolean {
    const inverse = this.#inverse;
    return (
      inverse !== undefined &&
      this.#isAnswered &&
      inverse.stores === this.#trees.stores &&
      inverse.generation === this.resources.generation &&
      inverse.written === this.#written &&
      areTakenSince(this.#device, inverse.submitted)
    );
  }

  destroy(): void {
    this.#pool.destroy();
    this.#leafOf.destroy();
    this.#inverted.destroy();
  }
}
