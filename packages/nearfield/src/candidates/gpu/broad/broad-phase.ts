// Launches the kernels that place the bodies and find the candidates: in one workgroup for few bodies, as all pairs
// in blocks for more, and in order along a Hilbert curve for very many.

import { type Kernel, Launch, type Resources } from '../../../gpu/kernel.ts';
import { createOrderedBroadKernels, type FrontKernels } from '../kernels.ts';
import { OrderedBroad } from './ordered-broad.ts';

/** From this many bodies on, they are sorted first: ten dispatches, instead of comparing all pairs. */
const usualOrderFrom = 16384;

/** Up to this many bodies, and as many given candidates, one workgroup does it all: placing, pairing and frames. */
const fewBodies = 24;
const fewCandidates = 256;

export class BroadPhase {
  readonly #device: GPUDevice;
  readonly #resources: Resources;
  readonly #place: Launch;
  readonly #allPairs: Launch;
  readonly #few: Launch | undefined;
  readonly #orderFrom: number;
  #ordered: OrderedBroad | undefined;

  constructor(
    device: GPUDevice,
    { place, broad, few }: FrontKernels,
    resources: Resources,
    orderFrom = usualOrderFrom,
  ) {
    const launch = (kernel: Kernel) => new Launch(device, kernel, resources);
    this.#device = device;
    this.#resources = resources;
    this.#place = launch(place);
    this.#allPairs = launch(broad);
    this.#few = few && launch(few);
    this.#orderFrom = orderFrom;
  }

  /** Whether all kernels for this many bodies are compiled. */
  isReady(bodyCount: number): boolean {
    return bodyCount < this.#orderFrom || this.#ordered !== undefined;
  }

  /** Compiles the kernels that this many bodies need. */
  async prepare(bodyCount: number): Promise<void> {
    if (this.isReady(bodyCount)) return;
    const kernels = await createOrderedBroadKernels(this.#device);
    this.#ordered = new OrderedBroad(this.#device, kernels, this.#resources);
  }

  /** Whether `encodeFew` can take the question. */
  isFew(bodyCount: number, given: Uint32Array | undefined): boolean {
    if (this.#few === undefined || bodyCount > fewBodies) return false;
    return given === undefined || given.length / 2 <= fewCandidates;
  }

  /** Places the bodies, pairs them and makes their frames. Returns the number of dispatches. */
  encodeFew(pass: GPUComputePassEncoder): number {
    this.#few!.encode(pass, 1);
    return 1;
  }

  /** Places the bodies and, unless candidates are given, finds them. Returns the number of dispatches. */
  encode(pass: GPUComputePassEncoder, bodyCount: number, find: boolean): number {
    this.#place.encode(pass, Math.ceil(bodyCount / 16));
    if (!find) return 1;
    if (this.#ordered !== undefined && bodyCount >= this.#orderFrom) {
      return 1 + this.#ordered.encode(pass, bodyCount);
    }
    const blocks = Math.ceil(bodyCount / 256);
    this.#allPairs.encode(pass, 2 * blocks * (blocks + 1));
    return 2;
  }

  destroy(): void {
    this.#ordered?.destroy();
  }
}
