// The GPU work of the sampling methods. Each question runs in its turn.

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

/** Runs sampling work on a device. With `treeless`, the bodies' triangles are enough for it, without trees. */
export type Sample = <A>(
  bodies: SnapshotSource,
  limits: Limits,
  work: (turn: SamplingTurn) => Promise<A>,
  treeless?: boolean,
) => Promise<A>;

const gpuSamplingDriver: DriverKey<SamplingDriver> = { name: 'sampled' };

/** Runs sampling work on the engine's device; undefined if the engine has none. */
export function samplerOf(engine: Engine): Sample | undefined {
  if (engine.backend === 'cpu') return undefined;
  return async (bodies, limits, work, treeless) =>
    (await (engine as GpuEngine).driver(gpuSamplingDriver)).sample(bodies, limits, work, treeless);
}
