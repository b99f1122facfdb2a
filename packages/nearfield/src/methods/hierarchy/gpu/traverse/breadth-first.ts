// Launches the breadth-first traversal: one dispatch a level, about as wide as the level's list was last time. The
// kernel takes a list of any length whatever the width, so nothing hangs on the guess; indirect dispatches would be
// exact, and cost a validation pass each.

import { GrowingBuffer } from '../../../../gpu/buffers.ts';
import { type Kernel, Launch, Resources } from '../../../../gpu/kernel.ts';
import type { Piece } from '../../../../gpu/read-back.ts';
import { levelWords, mostLevels } from '../layouts.ts';

export interface BreadthFirstKernels {
  readonly enter: Kernel;
  readonly level: Kernel;
}

const windowBytes = 256;
const stateBytes = 4 * levelWords * mostLevels;
/** Workgroups for a level of which nothing is known. */
const usualGroups = 256;

/** Node pairs tested on each level, and how many of them overlapped. */
export interface LevelCount {
  readonly tested: number;
  readonly overlapped: number;
}

export class BreadthFirst {
  readonly #steps: GPUBuffer;
  readonly #state: GPUBuffer;
  readonly #lists: readonly [GrowingBuffer, GrowingBuffer];
  /** Of even and odd levels as entrances, and of every level. */
  readonly #enterResources: readonly [Resources, Resources];
  readonly #levelResources: Resources[] = [];
  readonly #enters: readonly [Launch, Launch];
  readonly #levels: Launch[] = [];
  readonly #groups = new Uint32Array(mostLevels).fill(usualGroups);
  /** What to read back, for `levelCounts`. */
  readonly piece: Piece;

  constructor(device: GPUDevice, kernels: BreadthFirstKernels, resources: Resources) {
    this.#steps = device.createBuffer({
      label: 'steps',
      size: windowBytes * mostLevels,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    const numbers = new Uint32Array((windowBytes / 4) * mostLevels);
    for (let level = 0; level < mostLevels; level++) numbers[(windowBytes / 4) * level] = level;
    device.queue.writeBuffer(this.#steps, 0, numbers);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    this.#state = device.createBuffer({ label: 'levels', size: stateBytes, usage });
    this.piece = { buffer: this.#state, offset: 0, bytes: stateBytes };
    this.#lists = [new GrowingBuffer(device, 'node pairs'), new GrowingBuffer(device, 'node pairs, other')];
    this.#enterResources = [new Resources(resources), new Resources(resources)];
    this.#enters = [
      new Launch(device, kernels.enter, this.#enterResources[0]),
      new Launch(device, kernels.enter, this.#enterResources[1]),
    ];
    for (let level = 0; level < mostLevels; level++) {
      const own = new Resources(resources);
      own.set('step', { buffer: this.#steps, offset: windowBytes * level, size: 16 });
      this.#levelResources.push(own);
      this.#levels.push(new Launch(device, kernels.level, own));
    }
    for (const own of [...this.#enterResources, ...this.#levelResources]) own.set('levels', this.#state);
  }

  /** Node pairs a level's list has room for. */
  get room(): number {
    return Math.floor(this.#lists[0].bytes / 12);
  }

  reserve(nodePairs: number): void {
    if (this.room >= nodePairs && this.room > 0) return;
    const lists = [this.#lists[0].reserve(12 * nodePairs), this.#lists[1].reserve(12 * nodePairs)];
    this.#enterResources.forEach((own, parity) => {
      own.set('nodePairsOut', lists[parity]);
    });
    this.#levelResources.forEach((own, level) => {
      own.set('nodePairsIn', lists[level % 2]);
      own.set('nodePairsOut', lists[(level + 1) % 2]);
    });
  }

  /** Empties the levels; before the pass. */
  encodeReset(encoder: GPUCommandEncoder): void {
    encoder.clearBuffer(this.#state);
  }

  /** Levels `entrance` to `depth`. Returns how many dispatches. */
  encode(pass: GPUComputePassEncoder, entrance: number, depth: number, mostGroups: number): number {
    this.#enters[entrance % 2].encode(pass, mostGroups);
    for (let level = entrance; level <= depth; level++) {
      this.#levels[level].encode(pass, Math.min(mostGroups, this.#groups[level]));
    }
    return 2 + depth - entrance;
  }

  /** Takes in how long the lists were: half as much again is likely enough for the next query. */
  expect(counts: readonly LevelCount[]): void {
    for (let level = 0; level < counts.length; level++) {
      this.#groups[level] = Math.max(16, Math.ceil((1.5 * counts[level].tested) / 256));
    }
  }

  destroy(): void {
    this.#steps.destroy();
    this.#state.destroy();
    for (const list of this.#lists) list.destroy();
  }
}

export function levelCounts(state: Uint32Array): LevelCount[] {
  const counts: LevelCount[] = [];
  for (let level = 0; level < mostLevels - 1; level++) {
    counts.push({ tested: state[levelWords * level], overlapped: state[levelWords * (level + 1) + 1] });
  }
  return counts;
}

/**
 * The level to enter at next time (section 5 of the paper). Entering a level at which most pairs overlap saves
 * the tests above it; with few overlaps the tests above would have paid. One level a query, as motion is smooth.
 */
export function nextEntrance(entrance: number, counts: readonly LevelCount[], deepest: number): number {
  const { tested, overlapped } = counts[entrance];
  if (tested === 0) return Math.max(0, entrance - 1);
  const share = overlapped / tested;
  if (share > 0.5) return Math.min(deepest, entrance + 1);
  return share < 0.25 ? Math.max(0, entrance - 1) : entrance;
}
