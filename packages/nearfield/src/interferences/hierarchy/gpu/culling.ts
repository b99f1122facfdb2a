// The seam for whatever leaves bodies and triangles out between the broad phase and the walk (methods/visibility).

import type { Snapshot } from '../../../bodies/snapshot/snapshot.ts';
import type { SceneFrame } from '../../../bvh/gpu/bodies/body-table.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import type { Launch } from '../../../gpu/kernel.ts';

/** One question's culling. What it leaves out certainly meets nothing, unless it says that it may miss. */
export interface Culling {
  /** The frames of candidates, without work where a body was left out; then the walk and the triangle tests. */
  readonly frames: Launch;
  readonly narrow: readonly Launch[];
  /** Makes room for bodies and as many candidates, and writes what the kernels are told. */
  reserve(bodies: Snapshot, candidates: number, scene: SceneFrame): void;
  /** After the bodies have been placed and the candidates listed. Returns how many dispatches and draws. */
  encode(encoder: GPUCommandEncoder): number;
  /** To be read back with the answer. */
  readonly pieces: readonly Piece[];
  /** Looks at what was read. False where there was too little room and all must be asked again. */
  accept(views: readonly Uint32Array[]): boolean;
}
