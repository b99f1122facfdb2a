// Launches the broad phase of many bodies: Hilbert keys, a sort, boxes around tiles, then the tiles that meet.

import { GrowingBuffer } from '../../../../gpu/buffers.ts';
import { Binding, type Kernel, type Resource } from '../../../../gpu/kernel.ts';
import { RadixSort } from '../../../../gpu/sort/radix-sort.ts';
import type { OrderedBroadKernels } from '../kernels.ts';

export class OrderedBroad {
  readonly #device: GPUDevice;
  readonly #kernels: OrderedBroadKernels;
  readonly #sort: RadixSort;
  readonly #tileBoxes: GrowingBuffer;
  readonly #bindings: Record<'keys' | 'tileBoxes' | 'broad', Binding>;

  constructor(device: GPUDevice, kernels: OrderedBroadKernels) {
    this.#device = device;
    this.#kernels = kernels;
    this.#sort = new RadixSort(device, kernels.sort);
    this.#tileBoxes = new GrowingBuffer(device, 'tile boxes');
    this.#bindings = {
      keys: new Binding(kernels.keys),
      tileBoxes: new Binding(kernels.tileBoxes),
      broad: new Binding(kernels.broad),
    };
  }

  /** Returns how many dispatches. */
  encode(
    pass: GPUComputePassEncoder,
    resources: Readonly<Record<string, Resource>>,
    bodyCount: number,
  ): number {
    const tiles = Math.ceil(bodyCount / 256);
    const { keys, values } = this.#sort.reserve(bodyCount);
    const tileBoxes = this.#tileBoxes.reserve(32 * tiles);
    const all = { ...resources, keys, bodyOrder: values, tileBoxes };
    const dispatch = (kernel: Kernel, binding: Binding, groups: number) => {
      pass.setPipeline(kernel.pipeline);
      pass.setBindGroup(0, binding.get(this.#device, all));
      pass.dispatchWorkgroups(Math.min(65535, groups));
    };
    dispatch(this.#kernels.keys, this.#bindings.keys, Math.ceil(bodyCount / 64));
    const sorted = this.#sort.encode(pass, bodyCount);
    dispatch(this.#kernels.tileBoxes, this.#bindings.tileBoxes, tiles);
    dispatch(this.#kernels.broad, this.#bindings.broad, (tiles * (tiles + 1)) / 2);
    return 3 + sorted;
  }

  destroy(): void {
    this.#sort.destroy();
    this.#tileBoxes.destroy();
  }
}
