// Launches the kernels that find and test leaf pairs of the candidates: a traversal, then the triangle tests. Kernels
// are compiled by the first question of their kind.

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
  /** Launches by kind of question (`kindOf`). */
  readonly #launches: (readonly Launch[] | undefined)[] = [];
  #corners: Launch | undefined;
  #breadthFirst: BreadthFirst | undefined;

  /** The capacity for node pairs of a breadth-first traversal. */
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

  /** Whether all kernels for a question are compiled. */
  isReady(options: HierarchyOptions): boolean {
    if (options.onGpu && this.#corners === undefined) return false;
    return options.culling !== undefined || this.#launches[kindOf(options)] !== undefined;
  }

  /** Compiles the kernels that a question needs. */
  async prepare(options: HierarchyOptions): Promise<void> {
    const { detail, traversal, self = false, onGpu } = options;
    const device = this.#device;
    if (onGpu && this.#corners === undefined) {
      this.#corners = new Launch(device, await createCornersKernel(device), this.#resources);
    }
    if (this.isReady(options)) return;
    const kernels = await createNarrowKernels(device, traversal, detail, self);
    if (traversal === 'breadth-first' && this.#breadthFirst === undefined) {
      this.#breadthFirst = new BreadthFirst(device, await createBreadthFirstKernels(device), this.#resources);
    }
    this.#launches[kindOf(options)] = kernels.map(kernel => new Launch(device, kernel, this.#resources));
  }

  /** Makes room for the traversal. Call it after the front's lists are reserved, before the pass. */
  reserve(encoder: GPUCommandEncoder, options: HierarchyOptions): void {
    const { own, lists } = this.#front;
    if (options.onGpu) own.lengthen('unsureCorners', own.capacity('unsurePairs'));
    const breadthFirst = this.#levelByLevel(options);
    if (breadthFirst === undefined) return;
    breadthFirst.reserve(this.#nodePairs, lists.capacity('workItems'));
    breadthFirst.encodeReset(encoder, options.fromRoots === true);
  }

  /** Returns the number of dispatches. No tree has more leaves than `mostLeaves`. */
  encode(pass: GPUComputePassEncoder, options: HierarchyOptions, few: boolean, mostLeaves: number): number {
    const { culling, onGpu } = options;
    let dispatches = 0;
    const breadthFirst = this.#levelByLevel(options);
    if (breadthFirst !== undefined) {
      dispatches += breadthFirst.encode(pass, depthOf(mostLeaves), this.#groups);
    }
    const launches = culling?.narrow ?? this.#launches[kindOf(options)]!;
    for (const launch of launches) launch.encode(pass, this.#groups);
    // For few bodies whose trees are up to date, the CPU checks containment one by one soon enough. A body alone has
    // nothing to check.
    const looked = few && options.preparation === undefined;
    // Ways out are found in trees.
    if (!looked && !options.self && launches.length > 0 && culling?.treeless !== true) {
      this.#waysOut.encode(pass, Math.min(this.#groups, Math.ceil((12 * this.#front.mostFrames) / 64)));
      dispatches++;
    }
    if (onGpu) this.#corners!.encode(pass, 16);
    return dispatches + launches.length + (onGpu ? 1 : 0);
  }

  /** The piece to read back, for `accept`. */
  pieceOf(options: HierarchyOptions): Piece | undefined {
    return this.#levelByLevel(options)?.piece;
  }

  /** The number of boxes that a breadth-first traversal tested. Undefined if it must be run again. */
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

/** A number per kind of question. As an index it finds the launches without making a string per question. */
function kindOf({ traversal, detail, self }: HierarchyOptions): number {
  const way = traversal === 'walk' ? 0 : traversal === 'breadth-first' ? 1 : 2;
  const much = detail === 'list' ? 0 : detail === 'count' ? 1 : 2;
  return 6 * way + 2 * much + (self ? 1 : 0);
}
