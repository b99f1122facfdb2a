// Launches what finds and tests leaf pairs of the candidates: a traversal, the triangle tests. Kernels are
// compiled by the first question of their kind.

import { depthOf } from '../../../bvh/gpu/layouts.ts';
import type { GpuPairFront } from '../../../candidates/gpu/pair-front.ts';
import { roomFor } from '../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import { type Kernel, Launch, type Resources } from '../../../gpu/kernel.ts';
import { createBreadthFirstKernels, createCornersKernel, createNarrowKernels } from './kernels.ts';
import type { PairListName } from './lists.ts';
import type { HierarchyOptions } from './options.ts';
import { BreadthFirst } from './traverse/breadth-first/breadth-first.ts';

export class NarrowPhase {
  readonly #device: GPUDevice;
  readonly #resources: Resources;
  readonly #front: GpuPairFront<PairListName>;
  readonly #groups: number;
  readonly #waysOut: Launch;
  /** By `kindOf` a question. */
  readonly #launches: (readonly Launch[] | undefined)[] = [];
  #corners: Launch | undefined;
  #breadthFirst: BreadthFirst | undefined;

  /** Node pairs that a breadth-first traversal has room for. */
  #nodePairs: number;

  constructor(
    device: GPUDevice,
    waysOut: Kernel,
    front: GpuPairFront<PairListName>,
    groups: number,
    nodePairs: number,
  ) {
    this.#device = device;
    this.#resources = front.resources;
    this.#front = front;
    this.#groups = groups;
    this.#nodePairs = nodePairs;
    this.#waysOut = new Launch(device, waysOut, front.resources);
  }

  /** Whether nothing is left to be compiled for a question. */
  isReady(options: HierarchyOptions): boolean {
    if (options.held && this.#corners === undefined) return false;
    return options.culling !== undefined || this.#launches[kindOf(options)] !== undefined;
  }

  /** Compiles what a question is the first to need. */
  async prepare(options: HierarchyOptions): Promise<void> {
    const { detail, traversal, self = false, held } = options;
    const device = this.#device;
    if (held && this.#corners === undefined) {
      this.#corners = new Launch(device, await createCornersKernel(device), this.#resources);
    }
    if (this.isReady(options)) return;
    const kernels = await createNarrowKernels(device, traversal, detail, self);
    if (traversal === 'breadth-first' && this.#breadthFirst === undefined) {
      this.#breadthFirst = new BreadthFirst(device, await createBreadthFirstKernels(device), this.#resources);
    }
    this.#launches[kindOf(options)] = kernels.map(kernel => new Launch(device, kernel, this.#resources));
  }

  /** After the lists; before the pass. */
  reserve(encoder: GPUCommandEncoder, options: HierarchyOptions): void {
    const { own, lists } = this.#front;
    if (options.held) own.lengthen('unsureCorners', own.capacity('unsurePairs'));
    const breadthFirst = this.#levelByLevel(options);
    if (breadthFirst === undefined) return;
    breadthFirst.reserve(this.#nodePairs, lists.capacity('workItems'));
    breadthFirst.encodeReset(encoder);
  }

  /** Returns how many dispatches. No tree has more leaves than `mostLeaves`. */
  encode(pass: GPUComputePassEncoder, options: HierarchyOptions, few: boolean, mostLeaves: number): number {
    const { culling, held } = options;
    let dispatches = 0;
    const breadthFirst = this.#levelByLevel(options);
    if (breadthFirst !== undefined) {
      dispatches += breadthFirst.encode(pass, depthOf(mostLeaves), this.#groups);
    }
    const launches = culling?.narrow ?? this.#launches[kindOf(options)]!;
    for (const launch of launches) launch.encode(pass, this.#groups);
    // Few bodies are soon looked at one by one where the CPU has trees of them, and of one there is nothing to ask.
    const looked = few && options.preparation === undefined;
    if (!looked && !options.self && launches.length > 0) {
      this.#waysOut.encode(pass, Math.min(this.#groups, Math.ceil((12 * this.#front.mostFrames) / 64)));
      dispatches++;
    }
    if (held) this.#corners!.encode(pass, 16);
    return dispatches + launches.length + (held ? 1 : 0);
  }

  /** To be read back, for `accept`. */
  pieceOf(options: HierarchyOptions): Piece | undefined {
    return this.#levelByLevel(options)?.piece;
  }

  /** How many boxes a traversal in steps tested; undefined where it must be run again. */
  accept(options: HierarchyOptions, steps: Uint32Array | undefined): number | undefined {
    const breadthFirst = this.#levelByLevel(options);
    if (breadthFirst === undefined || steps === undefined) return 0;
    const { boxTests, nodePairs, finished } = breadthFirst.take(steps);
    if (nodePairs > breadthFirst.room) {
      this.#nodePairs = roomFor(this.#device, 12, nodePairs);
      return undefined;
    }
    return finished ? boxTests : undefined;
  }

  destroy(): void {
    this.#breadthFirst?.destroy();
  }

  #levelByLevel({ traversal, culling }: HierarchyOptions): BreadthFirst | undefined {
    return traversal === 'breadth-first' && culling === undefined ? this.#breadthFirst : undefined;
  }
}

/** A number for each kind of question: what is asked again and again is found without making a string of it. */
function kindOf({ traversal, detail, self }: HierarchyOptions): number {
  const way = traversal === 'walk' ? 0 : traversal === 'breadth-first' ? 1 : 2;
  const much = detail === 'list' ? 0 : detail === 'count' ? 1 : 2;
  return 6 * way + 2 * much + (self ? 1 : 0);
}
