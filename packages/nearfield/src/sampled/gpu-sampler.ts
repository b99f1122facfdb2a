// The sampling methods on one device. Kernels and buffers that their questions share are created by the first question.

import type { GpuTrees } from '../bvh/gpu/trees.ts';
import type { GpuPairFront } from '../candidates/gpu/pair-front.ts';
import type { Preparation } from '../gpu/gpu-query.ts';
import type { Stopwatch } from '../gpu/stopwatch.ts';
import { GpuFields } from './field/gpu/distance/field.ts';
import { createSliceKernels } from './field/gpu/slices/kernels.ts';
import { GpuVolumes } from './field/gpu/slices/volume.ts';
import { DrawnLayers } from './layers/drawn/drawn-layers.ts';
import { createLayerPipelines } from './layers/drawn/pipelines.ts';
import { createLayerKernels } from './layers/gpu/kernels.ts';
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
  #fields: Promise<{ volumes: GpuVolumes; fields: GpuFields }> | undefined;
  /** The same once they are created, since closing cannot wait for the promise. */
  #volumes: GpuVolumes | undefined;
  #raster: Promise<Raster> | undefined;
  #lines: Promise<GpuLines> | undefined;
  #raycast: Promise<Raycast> | undefined;
  #layers: Promise<GpuLayers> | undefined;
  #drawnLayers: Promise<DrawnLayers> | undefined;

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
      volume: async (bodies, task, windows, depths) =>
        (await this.#fieldsMade()).volumes.find(bodies, task, windows, depths, preparation, checkpoint),
      field: async (body, task, slab, measurer) =>
        (await this.#fieldsMade()).fields.find(body, task, slab, measurer, preparation, checkpoint),
      textures: async (body, task, measurer, usage = usual(), replace) =>
        (await this.#fieldsMade()).fields.textures(
          body,
          task,
          measurer,
          preparation,
          usage,
          replace,
          checkpoint,
        ),
      lines: async (a, b, view, surfaces) =>
        (await this.#linesMade()).find(a, b, view, surfaces, preparation, checkpoint),
      castAtEdges: async (bodies, task) =>
        (await this.#raycastMade()).cast(bodies, task, preparation, checkpoint),
      castAmong: async (bodies, task) =>
        (await this.#raycastMade()).castAmong(bodies, task, preparation, checkpoint),
      layers: async pairs => {
        // All pairs of a question have one form.
        const made = pairs[0].task.form === 'drawn' ? this.#drawnLayersMade() : this.#layersMade();
        return (await made).find(pairs, preparation, checkpoint);
      },
    };
  }

  /** Copies into answers whatever they still need from a device that is about to be destroyed. */
  keepAnswers(): void {
    this.#volumes?.keepAnswers();
  }

  destroy(): void {
    const destroyed = (part: { destroy(): void }) => part.destroy();
    const ignored = () => {};
    this.#fields?.then(({ volumes, fields }) => {
      volumes.destroy();
      fields.destroy();
    }, ignored);
    this.#lines?.then(destroyed, ignored);
    this.#raycast?.then(destroyed, ignored);
    this.#layers?.then(destroyed, ignored);
    this.#drawnLayers?.then(destroyed, ignored);
    this.#raster?.then(destroyed, ignored);
  }

  #fieldsMade(): Promise<{ volumes: GpuVolumes; fields: GpuFields }> {
    return (this.#fields ??= this.#makeFields());
  }

  async #makeFields(): Promise<{ volumes: GpuVolumes; fields: GpuFields }> {
    const kernels = await createSliceKernels(this.#device);
    const volumes = new GpuVolumes(this.#device, kernels, this.#trees, this.#stopwatch, this.#options);
    this.#volumes = volumes;
    const fields = await GpuFields.create(this.#device, volumes.sweeper, this.#stopwatch, this.#options);
    return { volumes, fields };
  }

  #rasterMade(): Promise<Raster> {
    return (this.#raster ??= createRasterKernels(this.#device).then(
      kernels => new Raster(this.#device, kernels, this.#trees, this.#options),
    ));
  }

  #linesMade(): Promise<GpuLines> {
    return (this.#lines ??= this.#rasterMade().then(raster =>
      GpuLines.create(this.#device, raster, this.#stopwatch),
    ));
  }

  #raycastMade(): Promise<Raycast> {
    return (this.#raycast ??= this.#rasterMade().then(
      raster => new Raycast(this.#device, this.#trees, this.#front, raster, this.#stopwatch, this.#options),
    ));
  }

  #layersMade(): Promise<GpuLayers> {
    return (this.#layers ??= Promise.all([this.#rasterMade(), createLayerKernels(this.#device)]).then(
      ([raster, kernels]) => new GpuLayers(this.#device, kernels, raster, this.#stopwatch, this.#options),
    ));
  }

  #drawnLayersMade(): Promise<DrawnLayers> {
    return (this.#drawnLayers ??= createLayerPipelines(this.#device).then(
      pipelines => new DrawnLayers(this.#device, pipelines, this.#trees),
    ));
  }
}
