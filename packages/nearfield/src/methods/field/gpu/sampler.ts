// The field method on one device: what its questions share, made when the first of them is asked.

import type { GpuTrees, Preparation } from '../../../bvh/gpu-trees.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import { GpuFields } from './distance/field.ts';
import { createSliceKernels } from './slices/kernels.ts';
import { GpuVolumes } from './slices/volume.ts';

export interface GpuSampler {
  readonly volumes: GpuVolumes;
  readonly fields: GpuFields;
}

/** A sampling question in its turn: the trees it needs first, and where it may be stopped. */
export interface SamplingTurn {
  readonly sampler: GpuSampler;
  readonly preparation: Preparation | undefined;
  readonly checkpoint: (done: number) => void;
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

export function destroySampler({ volumes, fields }: GpuSampler): void {
  volumes.destroy();
  fields.destroy();
}
