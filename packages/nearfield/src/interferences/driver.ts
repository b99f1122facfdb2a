// Has an engine find the triangles that meet, by the CPU's drivers or the GPU's.

import type { Engine } from '../bodies/engine.ts';
import type { Placed, SnapshotSource } from '../bodies/snapshot/snapshot.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import type { DriverKey, GpuEngine } from '../gpu/engine.ts';
import { cpuPairs } from './hierarchy/cpu/driver.ts';
import { selfIntersectInSlices } from './hierarchy/cpu/self/driver.ts';
import type { InterfereRequest, RawAnswer, SelfRequest } from './request.ts';

/** The driver on a GPU engine. */
export interface GpuPairDriver {
  interfere(bodies: SnapshotSource, request: InterfereRequest): Promise<RawAnswer>;
  /** Records (0, i, j), i < j, of triangles of one body that may share more than their common positions. */
  selfIntersect(body: Placed, request: SelfRequest): Promise<RawAnswer>;
  /** Compiles the kernels that every question needs. */
  compile(): Promise<void>;
}

export const gpuPairDriver: DriverKey<GpuPairDriver> = { name: 'interferences' };

/** Every pair of triangles of different bodies that meet or may meet. */
export function interfere(
  engine: Engine,
  bodies: SnapshotSource,
  request: InterfereRequest,
): Promise<RawAnswer> {
  const driver = isCpu(engine) ? cpuPairs(engine) : gpuDriver(engine);
  // A driver that has been loaded is asked at once: small questions take microseconds.
  return 'then' in driver
    ? driver.then(loaded => loaded.interfere(bodies, request))
    : driver.interfere(bodies, request);
}

/** The same for triangles of one body. */
export function selfIntersect(engine: Engine, body: Placed, request: SelfRequest): Promise<RawAnswer> {
  if (isCpu(engine)) return selfIntersectInSlices(engine, body, request);
  const driver = gpuDriver(engine);
  return 'then' in driver
    ? driver.then(loaded => loaded.selfIntersect(body, request))
    : driver.selfIntersect(body, request);
}

const isCpu = (engine: Engine): engine is CpuEngine => engine.backend === 'cpu';

const gpuDriver = (engine: Engine): GpuPairDriver | Promise<GpuPairDriver> =>
  (engine as GpuEngine).driver(gpuPairDriver);
