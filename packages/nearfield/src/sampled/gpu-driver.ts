// Runs the sampling methods on the GPU. Their questions take turns with all others.

import type { SnapshotSource } from '../bodies/snapshot/snapshot.ts';
import { askWithTrees, treesIn } from '../bvh/gpu/ask.ts';
import { shapesOf } from '../bvh/gpu/asked-shapes.ts';
import type { GpuEngine } from '../gpu/engine.ts';
import type { Session } from '../gpu/session.ts';
import { hierarchyIn } from '../interferences/gpu-driver.ts';
import { GpuSampler } from './gpu-sampler.ts';
import type { SamplingDriver } from './sampling.ts';

async function createSampler(session: Session): Promise<GpuSampler> {
  const { opened, stopwatch } = session;
  const [trees, { front }] = [await treesIn(session), await hierarchyIn(session)];
  return new GpuSampler(opened.device, trees, front, stopwatch, { software: opened.software });
}

export const createDriver = (engine: GpuEngine): SamplingDriver => ({
  sample: (bodies: SnapshotSource, limits, work, treeless) =>
    askWithTrees(
      engine,
      'table' in bodies ? shapesOf(bodies) : bodies.map(({ shape }) => shape),
      limits,
      session => session.part(createSampler),
      (sampler, { preparation, checkpoint }) => work(sampler.turn(preparation, checkpoint)),
      { treeless },
    ),
});
