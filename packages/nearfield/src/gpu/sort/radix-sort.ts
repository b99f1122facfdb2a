// Sorts 32-bit keys with a 32-bit value each on the GPU: four stable passes of eight bits, two dispatches each.

import { GrowingBuffer } from '../buffers.ts';
import { Binding, createKernel, type Kernel } from '../kernel.ts';
import countSource from './sort-count.wgsl';
import scatterSource from './sort-scatter.wgsl';
import scanModule from './workgroup-scan.wgsl';

const passes = 4;
/** Uniform windows start at multiples of this on every device. */
const windowBytes = 256;
const mostBlocks = 512;
const leastPerBlock = 1024;

export interface SortKernels {
  readonly count: Kernel;
  readonly scatter: Kernel;
}

export async function createSortKernels(device: GPUDevice): Promise<SortKernels> {
  const [count, scatter] = await Promise.all([
    createKernel(device, 'sort-count', [countSource]),
    createKernel(device, 'sort-scatter', [scanModule, scatterSource]),
  ]);
  return { count, scatter };
}

export class RadixSort {
  readonly #device: GPUDevice;
  readonly #kernels: SortKernels;
  readonly #keys: [GrowingBuffer, GrowingBuffer];
  readonly #values: [GrowingBuffer, GrowingBuffer];
  readonly #blockCounts: GrowingBuffer;
  readonly #parameters: GPUBuffer;
  readonly #countBindings: Binding[];
  readonly #scatterBindings: Binding[];

  constructor(device: GPUDevice, kernels: SortKernels) {
    this.#device = device;
    this.#kernels = kernels;
    this.#keys = [new GrowingBuffer(device, 'sort keys'), new GrowingBuffer(device, 'sort keys, other')];
    this.#values = [
      new GrowingBuffer(device, 'sort values'),
      new GrowingBuffer(device, 'sort values, other'),
    ];
    this.#blockCounts = new GrowingBuffer(device, 'sort counts');
    this.#parameters = device.createBuffer({
      label: 'sort passes',
      size: passes * windowBytes,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    const everyPass = Array.from({ length: passes });
    this.#countBindings = everyPass.map(() => new Binding(kernels.count));
    this.#scatterBindings = everyPass.map(() => new Binding(kernels.scatter));
  }

  /** Where the keys and values go before `encode`, and lie sorted after it: the passes are even in number. */
  reserve(count: number): { keys: GPUBuffer; values: GPUBuffer } {
    for (const list of [...this.#keys, ...this.#values]) list.reserve(4 * count);
    this.#blockCounts.reserve(4 * 256 * mostBlocks);
    return { keys: this.#keys[0].buffer, values: this.#values[0].buffer };
  }

  /** Records the sort of the first `count` keys. One sort a submission: its parameters are written by the queue. */
  encode(pass: GPUComputePassEncoder, count: number): number {
    if (count < 2) return 0;
    const perBlock = 256 * Math.ceil(Math.max(leastPerBlock, count / mostBlocks) / 256);
    const blocks = Math.ceil(count / perBlock);
    const words = new Uint32Array((passes * windowBytes) / 4);
    for (let i = 0; i < passes; i++) words.set([count, perBlock, blocks, 8 * i], (i * windowBytes) / 4);
    this.#device.queue.writeBuffer(this.#parameters, 0, words);
    for (let i = 0; i < passes; i++) {
      const sortPass = { buffer: this.#parameters, offset: i * windowBytes, size: 16 };
      const [from, to] = [i % 2, (i + 1) % 2];
      const keysIn = this.#keys[from].buffer;
      const blockCounts = this.#blockCounts.buffer;
      pass.setPipeline(this.#kernels.count.pipeline);
      pass.setBindGroup(0, this.#countBindings[i].get(this.#device, { sortPass, keysIn, blockCounts }));
      pass.dispatchWorkgroups(blocks);
      pass.setPipeline(this.#kernels.scatter.pipeline);
      const resources = {
        sortPass,
        keysIn,
        blockCounts,
        valuesIn: this.#values[from].buffer,
        keysOut: this.#keys[to].buffer,
        valuesOut: this.#values[to].buffer,
      };
      pass.setBindGroup(0, this.#scatterBindings[i].get(this.#device, resources));
      pass.dispatchWorkgroups(blocks);
    }
    return 2 * passes;
  }

  destroy(): void {
    for (const list of [...this.#keys, ...this.#values, this.#blockCounts]) list.destroy();
    this.#parameters.destroy();
  }
}
