// The sampling methods on one device. The first question of a method creates its kernels and buffers.

import type { GpuTrees } from '../bvh/gpu/trees.ts';
import type { GpuPairFront } from '../candidates/gpu/pair-front.ts';
import type { Preparation } from '../gpu/gpu-query.ts';
import { OnDemand } from '../gpu/on-demand.ts';
import type { Stopwatch } from '../gpu/stopwatch.ts';
import { GpuFields } from './field/gpu/distance/field.ts';
import type { DistanceMeshes } from './field/gpu/meshes/meshes.ts';
import { createSliceKernels } from './field/gpu/slices/kernels.ts';
import { GpuVolumes } from './field/gpu/slices/volume.ts';
import { fitSingles } from './field/singles.ts';
import { GpuLayers } from './layers/gpu/layers.ts';
import { createRasterKernels } from './raster/kernels.ts';
import { GpuLines } from './raster/lines.ts';
import { Raster } from './raster/raster.ts';
import { Raycast } from './raycast/raycast.ts';
import type { SamplingTurn } from './sampling.ts';

export interface SamplerOptions {
  readonly software: boolean;
}

export class GpuSampler {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #front: GpuPairFront;
  readonly #stopwatch: Stopwatch;
  readonly #options: SamplerOptions;
  readonly #fields = new OnDemand(() => this.#createFields());
  /** Its volumes once they are created, since closing cannot wait for the promise. */
  #volumes: GpuVolumes | undefined;
  readonly #raster = new OnDemand(async () => {
    const kernels = await createRasterKernels(this.#device);
    return new Raster(this.#device, kernels, this.#trees, this.#options);
  });
  readonly #lines = new OnDemand(async () =>
    GpuLines.create(this.#device, await this.#raster.get(), this.#stopwatch),
  );
  readonly #raycast = new OnDemand(async () => {
    return new Raycast({
      device: this.#device,
      trees: this.#trees,
      front: this.#front,
      raster: await this.#raster.get(),
      stopwatch: this.#stopwatch,
      setup: this.#options,
    });
  });
  readonly #layers = new OnDemand(async () =>
    GpuLayers.create(this.#device, await this.#raster.get(), this.#stopwatch, this.#options),
  );
  readonly #drawnLayers = new OnDemand(async () => {
    const { DrawnLayers } = await import('./published.ts');
    return DrawnLayers.create(this.#device, this.#trees);
  });

  constructor(
    device: GPUDevice,
    trees: GpuTrees,
    front: GpuPairFront,
    stopwatch: Stopwatch,
    options: SamplerOptions,
  ) {
    this.#device = device;
    this.#trees = trees;
    this.#front = front;
    this.#stopwatch = stopwatch;
    this.#options = options;
  }

  /** The turn of a question: the trees to prepare first, and the checkpoint at which it may be aborted. */
  turn(preparation: Preparation | undefined, checkpoint: (done: number) => void): SamplingTurn {
    const usual = () => GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_SRC;
    return {
      volume: async (bodies, task, windows, depths) => {
        if (depths !== false && !fitSingles(task.grid, bodies)) return undefined;
        const { volumes, meshes } = await this.#fields.get();
        const drawn = depths === 'distance-meshes' ? await meshes.get() : undefined;
        return volumes.find(bodies, task, windows, depths !== false, preparation, checkpoint, drawn);
      },
      field: async (body, task, slab, measurer) => {
        if (!fitSingles(task.grid, [body], task.upTo)) return undefined;
        const { fields } = await this.#fields.get();
        return fields.find(body, task, slab, measurer, preparation, checkpoint);
      },
      textures: async (body, task, measurer, usage = usual(), replace) => {
        if (replace === undefined && !fitSingles(task.grid, [body], task.upTo)) return undefined;
        const { fields } = await this.#fields.get();
        return fields.textures(body, task, measurer, preparation, usage, replace, checkpoint);
      },
      lines: async (a, b, view, surfaces) =>
        (await this.#lines.get()).find(a, b, view, surfaces, preparation, checkpoint),
      castAtEdges: async (bodies, task) =>
        (await this.#raycast.get()).cast(bodies, task, preparation, checkpoint),
      castAmong: async (bodies, task) =>
        (await this.#raycast.get()).castAmong(bodies, task, preparation, checkpoint),
      layers: async pairs => {
        // All pairs of a question have one form.
        const form = pairs[0].task.form === 'drawn' ? this.#drawnLayers : this.#layers;
        return (await form.get()).find(pairs, preparation, checkpoint);
      },
    };
  }

  /** Copies into answers whatever they still need from a device that is about to be destroyed. */
  keepAnswers(): void {
    this.#volumes?.keepAnswers();
  }

  destroy(): void {
    for (const part of [
      this.#fields,
      this.#lines,
      this.#raycast,
      this.#layers,
      this.#drawnLayers,
      this.#raster,
    ])
      part.destroy();
  }

  async #createFields(): Promise<Fields> {
    const kernels = await createSliceKernels(this.#device);
    const volumes = new GpuVolumes(this.#device, kernels, this.#trees, this.#stopwatch, this.#options);
    this.#volumes = volumes;
    const { sweeper } = volumes;
    const meshes = new OnDemand(async () => {
      const { DistanceMeshes } = await import('./published.ts');
      return DistanceMeshes.create(this.#device, sweeper.resources, this.#options.software);
    });
    const fields = await GpuFields.create(this.#device, sweeper, meshes, this.#stopwatch, this.#options);
    const destroy = () => {
      volumes.destroy();
      fields.destroy();
      meshes.destroy();
    };
    return { volumes, fields, meshes, destroy };
  }
}

/** The field method's parts, which share a sweep. */
interface Fields {
  readonly volumes: GpuVolumes;
  readonly fields: GpuFields;
  readonly meshes: OnDemand<DistanceMeshes>;
  destroy(): void;
}
