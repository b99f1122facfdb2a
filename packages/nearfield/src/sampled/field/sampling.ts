// The interface between the field method's questions and the GPU: tasks go in, findings come out.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import type { FieldTask, Slab } from './distance/sample-field.ts';
import type { RawField } from './field.ts';
import type { Window } from './grid.ts';
import type { VolumeDepths, VolumeTask } from './slices/slices.ts';
import type { RawVolume } from './volume.ts';

/** A GPUTexture if the compiler knows WebGPU. Projects without its types can still compile against this. */
export type DeviceTexture = typeof globalThis extends { GPUTexture: { prototype: infer Known } }
  ? Known
  : object;

/** A distance field on the GPU. */
export interface FieldTextures {
  /** r32float: signed distances in the user's units, ±Infinity if the surface is not within `upTo`. */
  readonly distance: DeviceTexture;
  /** r32uint: the owner, with the feature in the upper three bits; 2^32 − 1 if there is none. */
  readonly owner: DeviceTexture;
}

/** A GPU during a question's turn. Each answer is undefined if the GPU cannot tell: then the CPU has to answer. */
export interface FieldTurn {
  volume(
    bodies: readonly Placed[],
    task: VolumeTask,
    windows: readonly Window[],
    depths: VolumeDepths,
  ): Promise<RawVolume | undefined>;
  /** `measurer` decides the samples that the GPU leaves open. */
  field(body: Placed, task: FieldTask, slab: Slab, measurer: CpuEngine): Promise<RawField | undefined>;
  /** If `replace` is given, it makes the field: signs of open meshes are computed on the CPU. */
  textures(
    body: Placed,
    task: FieldTask,
    measurer: CpuEngine,
    usage: number | undefined,
    replace: ((slab: Slab) => Promise<RawField>) | undefined,
  ): Promise<FieldTextures | undefined>;
}
