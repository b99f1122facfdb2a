// Prepares the sweep over surviving triangles (sweep-survivors.wgsl): their boxes and keys, and the sort by these keys.
// Every triangle gets a key, since only the GPU knows how many survive; those that do not sort last.

import { GrowingBuffer } from '../../../../gpu/buffers/buffers.ts';
import { type Kernel, Launch, type Resources } from '../../../../gpu/kernel.ts';
import { createSortKernels, RadixSort, type SortKernels } from '../../../../gpu/sort/radix-sort.ts';
import { createSweepBoxesKernel, createSweepStartsKernel } from '../../kernels.ts';

/** Bytes of a `SweepBox`. */
const boxBytes = 24;

export interface SweepKernels {
  readonly boxes: Kernel;
  readonly starts: Kernel;
  readonly sort: SortKernels;
}

export async function createSweepKernels(device: GPUDevice): Promise<SweepKernels> {
  const [boxes, starts, sort] = await Promise.all([
    createSweepBoxesKernel(device),
    createSweepStartsKernel(device),
    createSortKernels(device),
  ]);
  return { boxes, starts, sort };
}

export class Sweep {
  readonly #resources: Resources;
  readonly #boxes: Launch;
  readonly #starts: Launch;
  readonly #sort: RadixSort;
  readonly #sweepBoxes: GrowingBuffer;

  constructor(device: GPUDevice, kernels: SweepKernels, resources: Resources) {
    this.#resources = resources;
    this.#boxes = new Launch(device, kernels.boxes, resources);
    this.#starts = new Launch(device, kernels.starts, resources);
    this.#sort = new RadixSort(device, kernels.sort);
    this.#sweepBoxes = new GrowingBuffer(device, 'sweep boxes');
  }

  /** Makes room for this many triangles. */
  reserve(triangleCount: number): void {
    this.#resources.set('swept', this.#sort.reserve(Math.max(1, triangleCount)));
    this.#resources.set('sweepBoxes', this.#sweepBoxes.reserve(boxBytes * Math.max(1, triangleCount)));
  }

  /** Sorts the triangles that were listed as survivors. Returns the number of dispatches. */
  encode(pass: GPUComputePassEncoder, triangleCount: number): number {
    const groups = Math.ceil(triangleCount / 256);
    this.#boxes.encode(pass, groups);
    const sorted = this.#sort.encode(pass, triangleCount);
    this.#starts.encode(pass, groups);
    return 2 + sorted;
  }

  destroy(): void {
    this.#sort.destroy();
    this.#sweepBoxes.destroy();
  }
}
