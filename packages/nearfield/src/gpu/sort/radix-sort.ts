// Sorts 32-bit keys with a 32-bit value each on the GPU: four stable passes of eight bits, two dispatches each.

import { GrowingBuffer } from '../buffers/buffers.ts';
import { isSoftware, softwareGroups } from '../device.ts';
import { createKernel, type Kernel, Launch, Resources } from '../kernel.ts';
import countSource from './sort-count.wgsl';
import scatterSource from './sort-scatter.wgsl';
import scanModule from './workgroup-scan.wgsl';

const passes = 4;
/** Uniform windows start at multiples of this on every device. */
const windowBytes = 256;
/** As many workgroups as a large GPU runs at once; one sums up a row of blocks at a time. */
export const mostBlocks = 1024;
const leastPerBlock = 1024;
const blocksPerRow = 32;
const rowsWgsl = `const mostRows = ${mostBlocks / blocksPerRow}u;\nconst blocksPerRow = ${blocksPerRow}u;`;

export interface SortKernels {
  readonly count: Kernel;
  readonly scatter: Kernel;
}

export async function createSortKernels(device: GPUDevice): Promise<SortKernels> {
  const [count, scatter] = await Promise.all([
    createKernel(device, 'sort-count', [rowsWgsl, countSource]),
    createKernel(device, 'sort-scatter', [rowsWgsl, scanModule, scatterSource]),
  ]);
  return { count, scatter };
}

export class RadixSort {
  readonly #device: GPUDevice;
  readonly #mostBlocks: number;
  readonly #pairs: [GrowingBuffer, GrowingBuffer];
  readonly #blockCounts: GrowingBuffer;
  readonly #rowCounts: GrowingBuffer;
  readonly #parameters: GPUBuffer;
  /** Of every pass. */
  readonly #resources: Resources[] = [];
  readonly #counts: Launch[] = [];
  readonly #scatters: Launch[] = [];
  readonly #words = new Uint32Array((passes * windowBytes) / 4);

  /** A software GPU takes longer to begin a workgroup than to sort what one has: it has as few as it works on at once. */
  constructor(
    device: GPUDevice,
    kernels: SortKernels,
    most = isSoftware(device.adapterInfo) ? softwareGroups : mostBlocks,
  ) {
    this.#device = device;
    this.#mostBlocks = most;
    this.#pairs = [new GrowingBuffer(device, 'sort pairs'), new GrowingBuffer(device, 'sort pairs, other')];
    this.#blockCounts = new GrowingBuffer(device, 'sort counts');
    this.#rowCounts = new GrowingBuffer(device, 'sort counts by row');
    this.#parameters = device.createBuffer({
      label: 'sort passes',
      size: passes * windowBytes,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    for (let i = 0; i < passes; i++) {
      const resources = new Resources();
      resources.set('sortPass', { buffer: this.#parameters, offset: i * windowBytes, size: 16 });
      this.#resources.push(resources);
      this.#counts.push(new Launch(device, kernels.count, resources));
      this.#scatters.push(new Launch(device, kernels.scatter, resources));
    }
  }

  /** Where keys and values go before `encode`, two words each, and lie sorted after it: the passes are even in number. */
  reserve(count: number): GPUBuffer {
    const blockCounts = this.#blockCounts.reserve(4 * 256 * mostBlocks);
    const rowCounts = this.#rowCounts.reserve((2 * 4 * 256 * mostBlocks) / blocksPerRow);
    for (const pairs of this.#pairs) pairs.reserve(8 * count);
    for (let i = 0; i < passes; i++) {
      const resources = this.#resources[i];
      resources.set('blockCounts', blockCounts);
      resources.set('rowCounts', rowCounts);
      resources.set('pairsIn', this.#pairs[i % 2].buffer);
      resources.set('pairsOut', this.#pairs[(i + 1) % 2].buffer);
    }
    return this.#pairs[0].buffer;
  }

  /** Records the sort of the first `count` keys. One sort a submission: its parameters are written by the queue. */
  encode(pass: GPUComputePassEncoder, count: number): number {
    if (count < 2) return 0;
    const perBlock = 256 * Math.ceil(Math.max(leastPerBlock, count / this.#mostBlocks) / 256);
    const blocks = Math.ceil(count / perBlock);
    const words = this.#words;
    for (let i = 0; i < passes; i++) words.set([count, perBlock, blocks, 8 * i], (i * windowBytes) / 4);
    this.#device.queue.writeBuffer(this.#parameters, 0, words);
    for (let i = 0; i < passes; i++) {
      this.#counts[i].encode(pass, blocks);
      this.#scatters[i].encode(pass, blocks);
    }
    return 2 * passes;
  }

  destroy(): void {
    for (const list of [...this.#pairs, this.#blockCounts, this.#rowCounts]) list.destroy();
    this.#parameters.destroy();
  }
}
