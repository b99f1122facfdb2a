// The seam between the questions of this method and an engine that samples by itself: tasks in, what was found out.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import type { FieldTask, Slab } from './distance/sample-field.ts';
import type { RawField } from './field.ts';
import type { Window } from './grid.ts';
import type { VolumeTask } from './slices/slices.ts';
import type { RawVolume } from './volume.ts';

/** A GPUTexture, where the compiler knows WebGPU; projects without its types can still compile against these. */
export type DeviceTexture = typeof globalThis extends { GPUTexture: { prototype: infer Known } }
  ? Known
  : object;

export interface FieldTextures {
  /** r32float: signed distances in the user's units, ±Infinity where the surface is not within `upTo`. */
  readonly distance: DeviceTexture;
  /** r32uint: the owner, with the feature in the upper three bits; 2^32 − 1 where there is none. */
  readonly owner: DeviceTexture;
}

/** An engine in its turn. Each answer is undefined where the engine cannot tell: the CPU has to be asked. */
export interface FieldTurn {
  volume(
    bodies: readonly Placed[],
    task: VolumeTask,
    windows: readonly Window[],
    depths: boolean,
  ): Promise<RawVolume | undefined>;
  /** What the engine cannot tell of single samples `measurer` decides. */
  field(body: Placed, task: FieldTask, slab: Slab, measurer: CpuEngine): Promise<RawField | undefined>;
  /** `replace`, where given, makes the field elsewhere: signs of open meshes are found on the CPU. */
  textures(
    body: Placed,
    task: FieldTask,
    measurer: CpuEngine,
    usage: number | undefined,
    replace: ((slab: Slab) => Promise<RawField>) | undefined,
  ): Promise<FieldTextures | undefined>;
}
