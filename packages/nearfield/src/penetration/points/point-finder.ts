// What tells how deep single points lie in two solids.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import type { SceneCore } from '../../questions/scene-core.ts';
import type { VolumeOptions } from '../../sampled/field/questions.ts';
import type { IntersectionVolume } from '../../sampled/field/volume.ts';
import type { PenetratingPoints } from './points.ts';

export interface PointFinder {
  /** Vertices of a in b, and of b in a. Yields the share done. */
  vertices(engine: CpuEngine, a: SnapshotBody, b: SnapshotBody): Generator<number, PenetratingPoints>;
  /** The same of two that have no common interior. */
  none(): PenetratingPoints;
  /** Samples of what bodies have in common. */
  samples(
    core: SceneCore,
    bodies: readonly SnapshotBody[],
    options: VolumeOptions,
  ): Promise<IntersectionVolume>;
  samplesSync(core: SceneCore, bodies: readonly SnapshotBody[], options: VolumeOptions): IntersectionVolume;
}
