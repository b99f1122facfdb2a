// Finds the triangles that meet through the engine's driver: the CPU's or the GPU's, behind one interface.

import type { Engine } from '../bodies/engine.ts';
import type { Placed, SnapshotSource } from '../bodies/snapshot/snapshot.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import type { DriverKey, GpuEngine } from '../gpu/engine.ts';
import { cpuPairs } from './hierarchy/cpu/driver.ts';
import type { InterfereRequest, RawAnswer, SelfRequest } from './request.ts';

export interface PairDriver {
  interfere(bodies: SnapshotSource, request: InterfereRequest): Promise<RawAnswer>;
  /** Records (0, i, j), i < j, of triangles of one body that may share more than their common positions. */
  selfIntersect(body: Placed, request: SelfRequest): Promise<RawAnswer>;
}

/** The driver on a GPU engine. */
export interface GpuPairDriver extends PairDriver {
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
  const driver = driverOf(engine);
  // A driver that has been loaded is asked at once: small questions take microseconds.
  return 'then' in driver
    ? driver.then(loaded => loaded.interfere(bodies, request))
    : driver.interfere(bodies, request);
}

/** The same for triangles of one body. */
export function selfIntersect(engine: Engine, body: Placed, request: SelfRequest): Promise<RawAnswer> {
  const driver = driverOf(engine);
  return 'then' in driver
    ? driver.then(loaded => loaded.selfIntersect(body, request))
    : driver.selfIntersect(body, request);
}

function driverOf(engine: Engine): PairDriver | Promise<PairDriver> {
  return engine.backend === 'cpu'
    ? cpuPairs(engine as CpuEngine)
    : (engine as GpuEngine).driver(gpuPairDriver);
}
