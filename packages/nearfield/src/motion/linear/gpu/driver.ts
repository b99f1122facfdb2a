// The GPU driver of linear motion: gives the search for moving triangles that may meet (swept-search.ts) its turn on
// the device.

import { askWithTrees, treesIn } from '../../../bvh/gpu/ask.ts';
import type { Limits } from '../../../core/limits.ts';
import { softwareGroups } from '../../../gpu/device/device.ts';
import type { GpuEngine } from '../../../gpu/engine.ts';
import type { Session } from '../../../gpu/session.ts';
import type { MotionStats } from '../../answer.ts';
import type { GpuMotionDriver, SweptBody } from '../driver.ts';
import { createSweptKernels, type SweptRoom, SweptSearch } from './swept-search.ts';

/** The workgroups of kernels that loop over a list whose length only the GPU knows. */
const hardwareGroups = 4096;

async function createSearch(session: Session): Promise<SweptSearch> {
  const { device, software } = session.opened;
  const groups = software ? softwareGroups : hardwareGroups;
  const room = session.settings.sweptRoom as SweptRoom | undefined;
  const kernels = await session.program(createSweptKernels);
  return new SweptSearch(device, kernels, await treesIn(session), { groups, room });
}

export const createDriver = (engine: GpuEngine): GpuMotionDriver => new GpuMotions(engine);

class GpuMotions implements GpuMotionDriver {
  readonly #engine: GpuEngine;

  constructor(engine: GpuEngine) {
    this.#engine = engine;
  }

  mayMeet(a: SweptBody, b: SweptBody, stats: MotionStats, limits: Limits): Promise<Uint32Array | undefined> {
    const isSelf = a === b;
    return askWithTrees(
      this.#engine,
      isSelf ? [a.shape] : [a.shape, b.shape],
      limits,
      session => session.part(createSearch),
      async (search, { preparation, checkpoint }) => {
        const found = await search.run(a, b, stats, preparation, checkpoint);
        checkpoint(1);
        return found;
      },
      { welded: isSelf },
    );
  }
}
