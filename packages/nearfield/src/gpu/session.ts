// A device and everything that dies with it: trees, kernels, buffers. What only some questions need is made by the first
// of them.

import { createTreeKernels, GpuTrees, type TreeKernels } from '../bvh/gpu/trees.ts';
import { ClosestSearch } from '../distance/gpu/closest-search.ts';
import { createClosestKernel, createDistanceKernels } from '../distance/gpu/kernels.ts';
import type { DistanceRoom } from '../distance/gpu/lists.ts';
import { NearestSearch } from '../distance/gpu/nearest-search.ts';
import { Hierarchy } from '../interferences/hierarchy/gpu/hierarchy.ts';
import { createHierarchyKernels, type HierarchyKernels } from '../interferences/hierarchy/gpu/kernels.ts';
import type { Room } from '../interferences/hierarchy/gpu/lists.ts';
import {
  createVisibility,
  type Visibility,
  type VisibilityRoom,
} from '../interferences/visibility/visibility.ts';
import type { LivesRoom } from '../particles/gpu/gpu-lives.ts';
import { GpuSampler } from '../sampled/gpu-sampler.ts';
import type { OpenedDevice } from './device.ts';
import { HeldCopies } from './held-copies.ts';
import { Stopwatch } from './stopwatch.ts';

/** How much room there is at first, and when which way is taken; for tests of growth and of both ways. */
export interface SessionOptions {
  readonly room?: Room | undefined;
  readonly distanceRoom?: DistanceRoom | undefined;
  readonly visibilityRoom?: VisibilityRoom | undefined;
  readonly livesRoom?: LivesRoom | undefined;
  /** Bodies from which on the broad phase puts them in order. */
  readonly orderFrom?: number | undefined;
}

const usualRoom: Room = {
  candidates: 4096,
  leafPairs: 2 ** 18,
  certain: 2 ** 15,
  unsure: 2 ** 12,
  nodePairs: 2 ** 17,
};

export async function openSession(opened: OpenedDevice, options: SessionOptions): Promise<Session> {
  const kernels = await Promise.all([
    createTreeKernels(opened.device),
    createHierarchyKernels(opened.device),
  ]);
  return new Session(opened, options, ...kernels);
}

export class Session {
  readonly opened: OpenedDevice;
  readonly trees: GpuTrees;
  readonly hierarchy: Hierarchy;
  readonly stopwatch: Stopwatch;
  readonly heldCopies: HeldCopies;
  /** For questions that sample. */
  readonly sampler: GpuSampler;
  readonly #options: SessionOptions;
  readonly #kernels: readonly [TreeKernels, HierarchyKernels];
  #nearest: Promise<NearestSearch> | undefined;
  #closest: Promise<ClosestSearch> | undefined;
  #visibility: Promise<Visibility> | undefined;
  #lost = false;

  /** Use `openSession()`. */
  constructor(
    opened: OpenedDevice,
    options: SessionOptions,
    treeKernels: TreeKernels,
    hierarchyKernels: HierarchyKernels,
    /** Copies of positions and poses that bodies depend on, if an earlier session on the device made them. */
    heldCopies?: HeldCopies,
  ) {
    const { device, software } = opened;
    const { room = usualRoom, orderFrom } = options;
    this.opened = opened;
    this.#options = options;
    this.#kernels = [treeKernels, hierarchyKernels];
    this.trees = new GpuTrees(device, treeKernels);
    this.stopwatch = new Stopwatch(device);
    const { trees, stopwatch } = this;
    this.hierarchy = new Hierarchy(device, hierarchyKernels, trees, stopwatch, { software, room, orderFrom });
    this.heldCopies = heldCopies ?? new HeldCopies(device);
    this.sampler = new GpuSampler(device, trees, this.hierarchy, stopwatch, { software });
    device.lost.then(() => {
      this.#lost = true;
    });
  }

  /** For distances of bodies. */
  nearest(): Promise<NearestSearch> {
    const { opened, trees, stopwatch } = this;
    const options = { software: opened.software, room: this.#options.distanceRoom };
    return (this.#nearest ??= createDistanceKernels(opened.device).then(
      kernels => new NearestSearch(opened.device, kernels, trees, stopwatch, options),
    ));
  }

  /** For distances of points. */
  closest(): Promise<ClosestSearch> {
    const { opened, trees } = this;
    return (this.#closest ??= createClosestKernel(opened.device).then(
      kernel => new ClosestSearch(opened.device, kernel, trees),
    ));
  }

  /** For questions that look at images. */
  visibility(): Promise<Visibility> {
    const { opened, trees, hierarchy } = this;
    const options = { software: opened.software, room: this.#options.visibilityRoom };
    return (this.#visibility ??= createVisibility(opened.device, trees, hierarchy.resources, options));
  }

  /** A failure may come before the news of the loss that caused it: the news is let arrive. */
  async wasLost(): Promise<boolean> {
    await Promise.race([this.opened.device.lost, new Promise(resolve => setTimeout(resolve, 0))]);
    return this.#lost;
  }

  /** A new session on the same device, without any shapes. It keeps only the copies that bodies depend on. */
  renewed(): Session {
    const session = new Session(this.opened, this.#options, ...this.#kernels, this.heldCopies);
    session.stopwatch.running = this.stopwatch.running;
    session.trees.stopwatch.running = this.trees.stopwatch.running;
    return session;
  }

  destroy(): void {
    this.destroyParts();
    this.heldCopies.destroy();
    if (this.opened.owned) this.opened.device.destroy();
  }

  /** Gives back everything that `renewed` does not keep. */
  destroyParts(): void {
    this.sampler.keepAnswers();
    for (const part of [this.trees, this.hierarchy, this.stopwatch]) part.destroy();
    this.sampler.destroy();
    for (const made of [this.#nearest, this.#closest, this.#visibility]) {
      made?.then(
        part => part.destroy(),
        () => {},
      );
    }
  }
}
