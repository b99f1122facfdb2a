// The raycast method on one device (Knott 2003, chapter 4). Rays parallel to a direction are cast at the edges of
// bodies. Counting the faces before an edge tells whether it lies inside another body. There are four ways, each
// created on first use; question.ts chooses:
//
// - groups/ is used for `counting: 'lists'` if candidates are on the CPU and so many per body that sampling every body
//   once, in a tile that its group shares, is less work than one tile per candidate; not for ask 'any'.
// - lists/ is used for `counting: 'lists'` if there are few tiles (at most 256 bodies, and at most 64 tiles or ask
//   'any'), if positions are on the GPU, if some body of the scene is not a solid, and as the fallback of gpu-tiles/. Every
//   pixel has the list of all its faces, so no face hides another. The CPU lays out one tile per candidate and
//   direction.
// - gpu-tiles/ is used for `counting: 'lists'` otherwise. It fills the same lists, but the GPU finds the candidates (unless
//   a filter or the CPU has found them) and lays out the tiles, and only the pairs found are read back.
// - drawn/ is used for `counting: 'stencil'`, `'queries'` and `'pixels'`, and so for every question with `allowOpen`. It draws on
//   the render pipeline, as published. Its code is loaded by the first such question.

import type { Placed, Snapshot } from '../../bodies/snapshot/snapshot.ts';
import { Opening, type Preparation } from '../../gpu/gpu-query.ts';
import { OnDemand } from '../../gpu/on-demand.ts';
import { createInvertKernel, EdgeSource } from './edges/edge-source.ts';
import { createGpuTileKernels, GpuTileCasting } from './gpu-tiles/gpu-tile-casting.ts';
import { GroupCasting } from './groups/casting.ts';
import { ListCasting } from './lists/casting.ts';
import { createCastKernels, createGroupKernels } from './lists/list-cast.ts';
import { type CastParts, withoutMemory } from './parts.ts';
import type { RawRaycast, RaycastTask, SceneFindings, SceneTask } from './sampling.ts';

export class Raycast {
  readonly #parts: Omit<CastParts, 'edges'>;
  readonly #edges = new OnDemand(async () => {
    const { device, trees } = this.#parts;
    return new EdgeSource(device, trees, await createInvertKernel(device));
  });
  readonly #lists = new OnDemand(async () => new ListCasting(...(await this.#prepare(createCastKernels))));
  readonly #groups = new OnDemand(async () => new GroupCasting(...(await this.#prepare(createGroupKernels))));
  readonly #many = new OnDemand(
    async () => new GpuTileCasting(...(await this.#prepare(createGpuTileKernels))),
  );
  readonly #drawing = new OnDemand(async () => {
    const { device, trees } = this.#parts;
    const [{ Drawing }, edges] = await Promise.all([import('../published.ts'), this.#edges.get()]);
    return Drawing.create(device, trees, edges);
  });

  constructor(parts: Omit<CastParts, 'edges'>) {
    this.#parts = parts;
  }

  /** The kernels of one way, and the parts. */
  async #prepare<K>(create: (device: GPUDevice) => Promise<K>): Promise<[kernels: K, parts: CastParts]> {
    const [kernels, edges] = await Promise.all([create(this.#parts.device), this.#edges.get()]);
    return [kernels, { ...this.#parts, edges }];
  }

  async cast(
    bodies: readonly Placed[],
    task: RaycastTask,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<RawRaycast> {
    if (task.counting !== 'lists') {
      return (await this.#drawing.get()).cast(bodies, task, preparation, checkpoint);
    }
    const opening = new Opening(preparation);
    const { groups } = task;
    const shared =
      groups &&
      (await (await this.#groups.get()).cast(bodies, task, groups, opening, checkpoint).catch(withoutMemory));
    return shared ?? (await this.#lists.get()).cast(bodies, task, opening, checkpoint);
  }

  /** The way of gpu-tiles/. Undefined if it cannot answer: then `cast` has to. */
  async castAmong(
    bodies: Snapshot,
    task: SceneTask,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<SceneFindings | 'dense' | undefined> {
    return (await this.#many.get()).cast(bodies, task, preparation, checkpoint);
  }

  destroy(): void {
    for (const part of [this.#lists, this.#groups, this.#many, this.#drawing, this.#edges]) part.destroy();
  }
}
