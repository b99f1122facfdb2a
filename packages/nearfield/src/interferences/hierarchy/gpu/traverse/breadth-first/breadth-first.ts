// Launches the breadth-first traversal: one dispatch per step, about as wide as the step's list was last time. The
// kernel takes a list of any length whatever the width, so the guess affects only speed. Indirect dispatches would be
// exact, but each costs a validation pass.
//
// Each pair of trees is entered at a level of its own (entrances.wgsl), so only the GPU knows how many steps lead to
// the leaves. As many steps are recorded as were taken recently; if they turn out too few, all are run again.

import { GrowingBuffer } from '../../../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../../../gpu/buffers/read-back.ts';
import { type Kernel, Launch, Resources } from '../../../../../gpu/kernel.ts';
import { mostSteps } from '../../layouts.ts';

export interface BreadthFirstKernels {
  readonly enter: Kernel;
  readonly step: Kernel;
  readonly remember: Kernel;
}

const windowBytes = 256;
const stateBytes = 4 * mostSteps;
/** Shares of the workgroups: for a step whose length is unknown, and the least for any step. */
const usualShare = 1 / 16;
const leastShare = 1 / 256;
/** The number of traversals in a row that must have taken fewer steps before fewer are recorded. */
const calmTraversals = 8;
/** Words of the table of entrances per candidate of the capacity, so that it is half full at most. */
const wordsPerPair = 2;

/** What a traversal reports. */
export interface Traversed {
  readonly boxTests: number;
  /** The length of the longest list, which may exceed the capacity. */
  readonly nodePairs: number;
  /** Whether every pair reached the leaves. */
  readonly finished: boolean;
}

export class BreadthFirst {
  readonly #steps: GPUBuffer;
  readonly #state: GPUBuffer;
  readonly #lists: readonly [GrowingBuffer, GrowingBuffer];
  readonly #entrances: GrowingBuffer;
  readonly #entered: GrowingBuffer;
  readonly #resources: Resources;
  readonly #stepResources: Resources[] = [];
  readonly #enter: Launch;
  readonly #launches: Launch[] = [];
  readonly #remember: Launch;
  /** The workgroups that the last traversal would have needed per step, and some more. */
  #groups: Uint32Array | undefined;
  /** The steps that the last traversals took, and how many were recorded last. */
  #taken: number[] = [];
  #recorded = 0;
  /** The piece to read back, for `take`. */
  readonly piece: Piece;

  constructor(device: GPUDevice, kernels: BreadthFirstKernels, resources: Resources) {
    this.#steps = device.createBuffer({
      label: 'steps',
      size: windowBytes * mostSteps,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    const numbers = new Uint32Array((windowBytes / 4) * mostSteps);
    for (let step = 0; step < mostSteps; step++) numbers[(windowBytes / 4) * step] = step;
    device.queue.writeBuffer(this.#steps, 0, numbers);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    this.#state = device.createBuffer({ label: 'step counts', size: stateBytes, usage });
    this.piece = { buffer: this.#state, offset: 0, bytes: stateBytes };
    this.#lists = [new GrowingBuffer(device, 'node pairs'), new GrowingBuffer(device, 'node pairs, other')];
    this.#entrances = new GrowingBuffer(device, 'entrances');
    this.#entered = new GrowingBuffer(device, 'entered');
    this.#resources = new Resources(resources);
    this.#resources.set('stepCounts', this.#state);
    this.#enter = new Launch(device, kernels.enter, this.#resources);
    this.#remember = new Launch(device, kernels.remember, this.#resources);
    for (let step = 0; step < mostSteps; step++) {
      const own = new Resources(this.#resources);
      own.set('step', { buffer: this.#steps, offset: windowBytes * step, size: 16 });
      this.#stepResources.push(own);
      this.#launches.push(new Launch(device, kernels.step, own));
    }
  }

  /** Makes room for this many node pairs per list, and for this many candidates. */
  reserve(nodePairs: number, candidates: number): void {
    this.#resources.set('entrances', this.#entrances.reserve(4 * wordsPerPair * candidates));
    this.#resources.set('entered', this.#entered.reserve(8 * candidates));
    const lists = this.#lists.map(list => list.reserve(12 * nodePairs));
    this.#resources.set('nodePairsOut', lists[0]);
    this.#stepResources.forEach((own, step) => {
      own.set('nodePairsIn', lists[step % 2]);
      own.set('nodePairsOut', lists[(step + 1) % 2]);
    });
  }

  /** Empties the lists and, if asked, forgets all entrances. Call it before the pass. */
  encodeReset(encoder: GPUCommandEncoder, fromRoots: boolean): void {
    encoder.clearBuffer(this.#state);
    if (fromRoots) encoder.clearBuffer(this.#entrances.buffer);
  }

  /** Records the steps for trees no deeper than `depth`. Returns the number of dispatches. */
  encode(pass: GPUComputePassEncoder, depth: number, mostGroups: number): number {
    const calm = this.#taken.length === calmTraversals;
    this.#recorded = Math.min(depth + 1, calm ? Math.max(...this.#taken) : depth + 1);
    const least = mostGroups * leastShare;
    const groupsOf = (step: number) => {
      const wanted = this.#groups?.[step] ?? mostGroups * usualShare;
      return Math.ceil(Math.min(mostGroups, Math.max(least, wanted)));
    };
    this.#enter.encode(pass, groupsOf(0));
    for (let step = 0; step < this.#recorded; step++) this.#launches[step].encode(pass, groupsOf(step));
    const candidates = this.#entered.bytes / 8;
    this.#remember.encode(pass, Math.min(mostGroups, Math.ceil(candidates / 64)));
    return 2 + this.#recorded;
  }

  /**
   * Takes what was read back, and notes how long the lists were: half as much again is likely to be enough next time.
   */
  take(state: Uint32Array): Traversed {
    let boxTests = 0;
    let nodePairs = 0;
    let taken = 0;
    const groups = new Uint32Array(mostSteps);
    for (let step = 0; step < mostSteps; step++) {
      const listed = state[step];
      if (listed > 0) taken = step + 1;
      nodePairs = Math.max(nodePairs, listed);
      if (step < this.#recorded) boxTests += listed;
      groups[step] = Math.ceil((1.5 * listed) / 256);
    }
    this.#groups = groups;
    const finished = taken <= this.#recorded;
    if (finished) this.#taken = [...this.#taken, taken].slice(-calmTraversals);
    else this.#taken = [];
    return { boxTests, nodePairs, finished };
  }

  /** The capacity of a list, in node pairs. */
  get room(): number {
    return Math.floor(this.#lists[0].bytes / 12);
  }

  destroy(): void {
    this.#steps.destroy();
    this.#state.destroy();
    for (const list of [...this.#lists, this.#entrances, this.#entered]) list.destroy();
  }
}
