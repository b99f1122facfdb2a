// Launches the breadth-first traversal: one dispatch a level, as wide as the level's list turned out to be.

import { GrowingBuffer } from '../../../../gpu/buffers.ts';
import { Binding, type Kernel, type Resource } from '../../../../gpu/kernel.ts';
import type { Piece } from '../../../../gpu/read-back.ts';
import { levelWords, mostLevels } from '../layouts.ts';

export interface BreadthFirstKernels {
  readonly enter: Kernel;
  readonly level: Kernel;
}

const windowBytes = 256;
const stateBytes = 4 * levelWords * mostLevels;

/** Node pairs tested on each level, and how many of them overlapped. */
export interface LevelCount {
  readonly tested: number;
  readonly overlapped: number;
}

export class BreadthFirst {
  readonly #device: GPUDevice;
  readonly #kernels: BreadthFirstKernels;
  readonly #steps: GPUBuffer;
  readonly #template: GPUBuffer;
  /**
   * State of even and of odd levels. A level's dispatch takes its size from the one while it writes the next
   * level's into the other: one buffer cannot be both at once.
   */
  readonly #states: readonly [GPUBuffer, GPUBuffer];
  readonly #lists: readonly [GrowingBuffer, GrowingBuffer];
  readonly #enterBindings: readonly [Binding, Binding];
  readonly #levelBindings: Binding[];

  constructor(device: GPUDevice, kernels: BreadthFirstKernels) {
    this.#device = device;
    this.#kernels = kernels;
    this.#steps = device.createBuffer({
      label: 'steps',
      size: windowBytes * mostLevels,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    const numbers = new Uint32Array((windowBytes / 4) * mostLevels);
    const empty = new Uint32Array(levelWords * mostLevels);
    for (let level = 0; level < mostLevels; level++) {
      numbers[(windowBytes / 4) * level] = level;
      empty.set([0, 1, 1], levelWords * level);
    }
    device.queue.writeBuffer(this.#steps, 0, numbers);
    const copies = GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    this.#template = device.createBuffer({ label: 'empty levels', size: stateBytes, usage: copies });
    device.queue.writeBuffer(this.#template, 0, empty);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.INDIRECT | copies;
    const state = (label: string) => device.createBuffer({ label, size: stateBytes, usage });
    this.#states = [state('even levels'), state('odd levels')];
    this.#lists = [new GrowingBuffer(device, 'node pairs'), new GrowingBuffer(device, 'node pairs, other')];
    this.#enterBindings = [new Binding(kernels.enter), new Binding(kernels.enter)];
    this.#levelBindings = Array.from({ length: mostLevels }, () => new Binding(kernels.level));
  }

  /** Node pairs a level's list has room for. */
  get room(): number {
    return Math.floor(this.#lists[0].bytes / 12);
  }

  reserve(nodePairs: number): void {
    for (const list of this.#lists) list.reserve(12 * nodePairs);
  }

  /** Empties the levels; before the pass. */
  encodeReset(encoder: GPUCommandEncoder): void {
    for (const state of this.#states) encoder.copyBufferToBuffer(this.#template, 0, state, 0, stateBytes);
  }

  /** Levels `entrance` to `depth`. Returns how many dispatches. */
  encode(
    pass: GPUComputePassEncoder,
    resources: Readonly<Record<string, Resource>>,
    entrance: number,
    depth: number,
    enterGroups: number,
  ): number {
    const parity = entrance % 2;
    const first = { nodePairsOut: this.#lists[parity].buffer, levelOut: this.#states[parity] };
    pass.setPipeline(this.#kernels.enter.pipeline);
    pass.setBindGroup(0, this.#enterBindings[parity].get(this.#device, { ...resources, ...first }));
    pass.dispatchWorkgroups(enterGroups);
    pass.setPipeline(this.#kernels.level.pipeline);
    for (let level = entrance; level <= depth; level++) {
      const [from, to] = [level % 2, (level + 1) % 2];
      const group = this.#levelBindings[level].get(this.#device, {
        ...resources,
        step: { buffer: this.#steps, offset: windowBytes * level, size: 16 },
        nodePairsIn: this.#lists[from].buffer,
        levelIn: this.#states[from],
        nodePairsOut: this.#lists[to].buffer,
        levelOut: this.#states[to],
      });
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroupsIndirect(this.#states[from], 4 * levelWords * level);
    }
    return 2 + depth - entrance;
  }

  /** What to read back, for `levelCounts`. */
  get pieces(): Piece[] {
    return this.#states.map(buffer => ({ buffer, offset: 0, bytes: stateBytes }));
  }

  destroy(): void {
    for (const buffer of [this.#steps, this.#template, ...this.#states]) buffer.destroy();
    for (const list of this.#lists) list.destroy();
  }
}

export function levelCounts(states: readonly Uint32Array[]): LevelCount[] {
  const counts: LevelCount[] = [];
  for (let level = 0; level < mostLevels - 1; level++) {
    counts.push({
      tested: states[level % 2][levelWords * level + 3],
      overlapped: states[(level + 1) % 2][levelWords * (level + 1) + 4],
    });
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
