// The parts that all ways of casting share.

import type { GpuTrees } from '../../bvh/gpu/trees.ts';
import type { GpuPairFront } from '../../candidates/gpu/pair-front.ts';
import { isOutOfMemory } from '../../core/errors.ts';
import type { Stopwatch } from '../../gpu/stopwatch.ts';
import type { Raster } from '../raster/raster.ts';
import type { EdgeSource } from './edges/edge-source.ts';
import type { LayingRoom } from './gpu-tiles/laying.ts';
import type { CastRoom } from './lists/list-cast.ts';

export interface RaycastSetup {
  readonly software: boolean;
  readonly room?: CastRoom | undefined;
  readonly layingRoom?: LayingRoom | undefined;
}

export interface CastParts {
  readonly device: GPUDevice;
  readonly trees: GpuTrees;
  readonly front: GpuPairFront;
  readonly raster: Raster;
  readonly edges: EdgeSource;
  readonly stopwatch: Stopwatch;
  readonly setup: RaycastSetup;
}

/** Work that does not fit into the GPU's memory at once may fit part by part. */
export function withoutMemory(error: unknown): undefined {
  if (isOutOfMemory(error)) return undefined;
  throw error;
}
