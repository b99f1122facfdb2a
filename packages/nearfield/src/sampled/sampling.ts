// The GPU work that the sampling methods ask for, each in its turn.

import type { Engine } from '../bodies/engine.ts';
import type { SnapshotSource } from '../bodies/snapshot/snapshot.ts';
import type { Limits } from '../core/limits.ts';
import type { DriverKey, GpuEngine } from '../gpu/engine.ts';
import type { FieldTurn } from './field/sampling.ts';
import type { LayersTurn } from './layers/sampling.ts';
import type { LinesTurn } from './raster/sampling.ts';
import type { RaycastTurn } from './raycast/sampling.ts';

/** A GPU during a question's turn. */
export interface SamplingTurn extends FieldTurn, LinesTurn, RaycastTurn, LayersTurn {}

export interface SamplingDriver {
  sample: Sample;
}

/** Runs sampling work on a device. */
export type Sample = <A>(
  bodies: SnapshotSource,
  limits: Limits,
  work: (turn: SamplingTurn) => Promise<A>,
) => Promise<A>;

const gpuSamplingDriver: DriverKey<SamplingDriver> = { name: 'sampled' };

/** Runs sampling work on the engine's device; undefined if the engine has none. */
export function samplerOf(engine: Engine): Sample | undefined {
  if (engine.backend === 'cpu') return undefined;
  return async (bodies, limits, work) =>
    (await (engine as GpuEngine).driver(gpuSamplingDriver)).sample(bodies, limits, work);
}
