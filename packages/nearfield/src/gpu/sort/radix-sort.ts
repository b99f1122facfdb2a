// Sorts 32-bit keys, each with a 32-bit value, on the GPU: four stable passes of eight bits, of two dispatches each. Few
// keys take one dispatch.

import { GrowingBuffer } from '../buffers/buffers.ts';
import { isSoftware, softwareGroups } from '../device/device.ts';
import { createKernel, type Kernel, Launch, Resources } from '../kernel.ts';
import { layout } from '../layout.ts';
import countSource from './sort-count.wgsl';
import fewSource from './sort-few.wgsl';
import scatterSource from './sort-scatter.wgsl';
import scanModule from './workgroup-scan.wgsl';

/** One pass: how many keys, how they are divided among workgroups, and where its digit begins in a key. */
const SortPassLayout = layout('SortPass', { count: 'u32', perBlock: 'u32', blocks: 'u32', shift: 'u32' });

const passes = 4;
/** Uniform windows start at multiples of this on every device. */
const windowBytes = 256;
/** The number of workgroups that a large GPU runs at once. Counts are summed per row of blocks. */
export const mostBlocks = 1024;
const leastPerBlock = 1024;
/** Up to this many keys are compared with one another. */
export const mostFew = 512;
const blocksPerRow = 32;
const rowsWgsl = `const mostRows = ${mostBlocks / blocksPerRow}u;\nconst blocksPerRow = ${blocksPerRow}u;`;

export interface SortKernels {
  readonly count: Kernel;
  readonly scatter: Kernel;
  readonly few: Kernel;
}

export async function createSortKernels(device: GPUDevice): Promise<SortKernels> {
  const [count, scatter, few] = await Promise.all([
    createKernel(device, 'sort-count', [SortPassLayout.wgsl, rowsWgsl, countSource]),
    createKernel(device, 'sort-scatter', [SortPassLayout.wgsl, rowsWgsl, scanModule, scatterSource]),
    createKernel(device, 'sort-few', [SortPassLayout.wgsl, `const mostFew = ${mostFew}u;`, fewSource]),
  ]);
  return { count, scatter, few };
}

export class RadixSort {
  readonly #device: GPUDevice;
  readonly #mostBlocks: number;
  readonly #pairs: [GrowingBuffer, GrowingBuffer];
  readonly #blockCounts: GrowingBuffer;
  readonly #rowCounts: GrowingBuffer;
  readonly #parameters: GPUBuffer;
  /** One entry per pass. */
  readonly #resources: Resources[] = [];
  readonly #counts: Launch[] = [];
  readonly #scatters: Launch[] = [];
  readonly #few: Launch;
  readonly #words = new Uint32Array((passes * windowBytes) / 4);

  /**
   * `most` limits the blocks. A software GPU takes longer to begin a workgroup than to sort its keys, so it gets as
   * few as it runs at once.
   */
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
      resources.set('sortPass', {
        buffer: this.#parameters,
        offset: i * windowBytes,
        size: SortPassLayout.bytes,
      });
      this.#resources.push(resources);
      this.#counts.push(new Launch(device, kernels.count, resources));
      this.#scatters.push(new Launch(device, kernels.scatter, resources));
    }
    this.#few = new Launch(device, kernels.few, this.#resources[0]);
  }

  /**
   * Returns the buffer for keys and values, two words each. It is filled before `encode`; the number of passes is
   * even, so it holds the sorted pairs afterwards.
   */
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

  /**
   * Records the sort of the first `count` pairs. At most one sort per submission, since the queue writes its
   * parameters.
   */
  encode(pass: GPUComputePassEncoder, count: number): number {
    if (count < 2) return 0;
    const perBlock = 256 * Math.ceil(Math.max(leastPerBlock, count / this.#mostBlocks) / 256);
    const blocks = Math.ceil(count / perBlock);
    const words = this.#words;
    // Mostly there are as many keys as before.
    if (words[0] !== count) {
      for (let i = 0; i < passes; i++) words.set([count, perBlock, blocks, 8 * i], (i * windowBytes) / 4);
      this.#device.queue.writeBuffer(this.#parameters, 0, words);
    }
    if (count <= mostFew) {
      this.#few.encode(pass, 1);
      return 1;
    }
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
