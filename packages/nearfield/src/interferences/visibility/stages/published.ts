// The stages in the paper's order (section 4.2): images of all bodies leave whole bodies out, sweep and prune pairs those
// that are left, and images of these leave triangles out. Usually boxes are compared first, so that images show only
// what lies where boxes meet.

import { createKernel, type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { createSortKernels, RadixSort, type SortKernels } from '../../../gpu/sort/radix-sort.ts';
import { resultWgsl } from '../../hierarchy/gpu/layouts.ts';
import orderedModule from '../image/ordered-bits.wgsl';
import roundsModule from '../image/rounds.wgsl';
import { CullingLayout, stateWgsl } from '../layouts.ts';
import markSource from './mark-bodies.wgsl';
import sweepSource from './sweep-bodies.wgsl';
import keysSource from './sweep-keys.wgsl';

interface StageKernels {
  readonly mark: Kernel;
  readonly keys: Kernel;
  readonly sweep: Kernel;
  readonly sort: SortKernels;
}

async function createStageKernels(device: GPUDevice): Promise<StageKernels> {
  const state = [CullingLayout.wgsl, stateWgsl];
  const [mark, keys, sweep, sort] = await Promise.all([
    createKernel(device, 'mark-bodies', [...state, orderedModule, markSource]),
    createKernel(device, 'sweep-keys', [...state, roundsModule, orderedModule, keysSource]),
    createKernel(device, 'sweep-bodies', [...state, resultWgsl, sweepSource]),
    createSortKernels(device),
  ]);
  return { mark, keys, sweep, sort };
}

export class PublishedStages {
  readonly #resources: Resources;
  readonly #mark: Launch;
  readonly #keys: Launch;
  readonly #sweep: Launch;
  readonly #sort: RadixSort;

  static async create(device: GPUDevice, resources: Resources): Promise<PublishedStages> {
    return new PublishedStages(device, await createStageKernels(device), resources);
  }

  private constructor(device: GPUDevice, kernels: StageKernels, resources: Resources) {
    this.#resources = new Resources(resources);
    this.#mark = new Launch(device, kernels.mark, this.#resources);
    this.#keys = new Launch(device, kernels.keys, this.#resources);
    this.#sweep = new Launch(device, kernels.sweep, this.#resources);
    this.#sort = new RadixSort(device, kernels.sort);
  }

  /** Makes room for this many bodies. */
  reserve(bodyCount: number): void {
    this.#resources.set('bodySweep', this.#sort.reserve(Math.max(1, bodyCount)));
  }

  /** Lets all bodies take part. Returns the number of dispatches. */
  encodeMark(pass: GPUComputePassEncoder, bodyCount: number): number {
    this.#mark.encode(pass, Math.ceil(bodyCount / 64));
    return 1;
  }

  /** Lists the pairs of bodies that images left and whose boxes meet. Returns the number of dispatches. */
  encodeSweep(pass: GPUComputePassEncoder, bodyCount: number): number {
    const groups = Math.ceil(bodyCount / 64);
    this.#keys.encode(pass, groups);
    const sorted = this.#sort.encode(pass, bodyCount);
    this.#sweep.encode(pass, groups);
    return 2 + sorted;
  }

  destroy(): void {
    this.#sort.destroy();
  }
}
