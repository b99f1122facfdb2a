// The interface for methods that leave bodies and triangles out between the broad phase and the walk
// (interferences/visibility).

import type { Snapshot } from '../../../bodies/snapshot/snapshot.ts';
import type { SceneFrame } from '../../../bvh/gpu/bodies/body-table.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import type { Launch } from '../../../gpu/kernel.ts';

/** The culling of one question. Whatever it leaves out certainly meets nothing, unless it says that it may miss. */
export interface Culling {
  /**
   * Makes the frames of candidates; a candidate gets no work if one of its bodies was left out. Then the walk and the
   * triangle tests.
   */
  readonly frames: Launch;
  readonly narrow: readonly Launch[];
  /** True if it finds the candidates itself, from the placed bodies, unless the caller gave them. */
  readonly findsCandidates: boolean;
  /** True if it reads no tree: leaves in any order and the boxes of shapes are enough. */
  readonly treeless: boolean;
  /** The largest number of work items per leaf of a candidate's larger body. */
  readonly itemsPerLeaf: number;
  /** Makes room for the bodies and for this many candidates, and writes the kernels' parameters. */
  reserve(bodies: Snapshot, candidates: number, scene: SceneFrame): void;
  /**
   * Call it when the bodies have been placed and the candidates listed, unless it finds these. Returns the number of
   * dispatches and draws.
   */
  encode(encoder: GPUCommandEncoder, findsCandidates: boolean): number;
  /** The pieces to read back with the answer. */
  readonly pieces: readonly Piece[];
  /** Takes what was read back. Returns false if a list overflowed and everything must be asked again. */
  accept(views: readonly Uint32Array[]): boolean;
}
