// Launches the broad phase for many bodies: Hilbert keys, a sort, boxes around tiles, then the pairs of tiles that
// meet.

import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { Launch, Resources } from '../../../gpu/kernel.ts';
import { RadixSort } from '../../../gpu/sort/radix-sort.ts';
import type { OrderedBroadKernels } from '../kernels.ts';

export class OrderedBroad {
  readonly #sort: RadixSort;
  readonly #tileBoxes: GrowingBuffer;
  readonly #resources: Resources;
  readonly #launches: Record<'keys' | 'tileBoxes' | 'broad', Launch>;

  constructor(device: GPUDevice, kernels: OrderedBroadKernels, resources: Resources) {
    this.#sort = new RadixSort(device, kernels.sort);
    this.#tileBoxes = new GrowingBuffer(device, 'tile boxes');
    this.#resources = new Resources(resources);
    this.#launches = {
      keys: new Launch(device, kernels.keys, this.#resources),
      tileBoxes: new Launch(device, kernels.tileBoxes, this.#resources),
      broad: new Launch(device, kernels.broad, this.#resources),
    };
  }

  /** Returns the number of dispatches. */
  encode(pass: GPUComputePassEncoder, bodyCount: number): number {
    const tiles = Math.ceil(bodyCount / 256);
    this.#resources.set('bodyOrder', this.#sort.reserve(bodyCount));
    this.#resources.set('tileBoxes', this.#tileBoxes.reserve(32 * tiles));
    this.#launches.keys.encode(pass, Math.ceil(bodyCount / 64));
    const sorted = this.#sort.encode(pass, bodyCount);
    this.#launches.tileBoxes.encode(pass, tiles);
    this.#launches.broad.encode(pass, 2 * tiles * (tiles + 1));
    return 3 + sorted;
  }

  destroy(): void {
    this.#sort.destroy();
    this.#tileBoxes.destroy();
  }
}
