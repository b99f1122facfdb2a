// The field method on one device: what its questions share, made when the first of them is asked.

import type { GpuTrees, Preparation } from '../../../bvh/gpu-trees.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import type { SamplingTurn } from '../sampling.ts';
import { GpuFields } from './distance/field.ts';
import { createSliceKernels } from './slices/kernels.ts';
import { GpuVolumes } from './slices/volume.ts';

export interface GpuSampler {
  readonly volumes: GpuVolumes;
  readonly fields: GpuFields;
}

/** A turn of questions: the trees they need first, and where they may be stopped. */
export function turnOf(
  { volumes, fields }: GpuSampler,
  preparation: Preparation | undefined,
  checkpoint: (done: number) => void,
): SamplingTurn {
  const usual = () => GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_SRC;
  return {
    volume: (bodies, task, windows, depths) =>
      volumes.find(bodies, task, windows, depths, preparation, checkpoint),
    field: (body, task, slab) => fields.find(body, task, slab, preparation, checkpoint),
    textures: (body, task, usage = usual(), replace) =>
      fields.textures(body, task, preparation, usage, replace, checkpoint),
  };
}

export async function createSampler(
  device: GPUDevice,
  trees: GpuTrees,
  stopwatch: Stopwatch,
  options: { software: boolean },
): Promise<GpuSampler> {
  const volumes = new GpuVolumes(device, await createSliceKernels(device), trees, stopwatch, options);
  return { volumes, fields: await GpuFields.create(device, volumes.sweeper, stopwatch, options) };
}

/** Has answers keep what they need of a device that is about to go. */
export const keepAnswers = ({ volumes }: GpuSampler): void => volumes.keepAnswers();

export function destroySampler({ volumes, fields }: GpuSampler): void {
  volumes.destroy();
  fields.destroy();
}
