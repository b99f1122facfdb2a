// Launches the broad phase for many bodies: Hilbert keys, a sort, boxes around blocks, then the pairs of blocks that
// meet.

import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { Launch, Resources } from '../../../gpu/kernel.ts';
import { RadixSort } from '../../../gpu/sort/radix-sort.ts';
import type { OrderedBroadKernels } from '../kernels.ts';

export class OrderedBroad {
  readonly #sort: RadixSort;
  readonly #blockBoxes: GrowingBuffer;
  readonly #resources: Resources;
  readonly #launches: Record<'keys' | 'blockBoxes' | 'broad', Launch>;

  constructor(device: GPUDevice, kernels: OrderedBroadKernels, resources: Resources) {
    this.#sort = new RadixSort(device, kernels.sort);
    this.#blockBoxes = new GrowingBuffer(device, 'block boxes');
    this.#resources = new Resources(resources);
    this.#launches = {
      keys: new Launch(device, kernels.keys, this.#resources),
      blockBoxes: new Launch(device, kernels.blockBoxes, this.#resources),
      broad: new Launch(device, kernels.broad, this.#resources),
    };
  }

  /** Returns the number of dispatches. */
  encode(pass: GPUComputePassEncoder, bodyCount: number): number {
    const blocks = Math.ceil(bodyCount / 256);
    this.#resources.set('bodyOrder', this.#sort.reserve(bodyCount));
    this.#resources.set('blockBoxes', this.#blockBoxes.reserve(32 * blocks));
    this.#launches.keys.encode(pass, Math.ceil(bodyCount / 64));
    const sorted = this.#sort.encode(pass, bodyCount);
    this.#launches.blockBoxes.encode(pass, blocks);
    this.#launches.broad.encode(pass, 2 * blocks * (blocks + 1));
    return 3 + sorted;
  }

  destroy(): void {
    this.#sort.destroy();
    this.#blockBoxes.destroy();
  }
}
