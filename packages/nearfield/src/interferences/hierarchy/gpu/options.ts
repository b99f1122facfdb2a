// The parameters of a question to the hierarchy method.

import type { Preparation } from '../../../gpu/gpu-query.ts';
import type { Detail } from '../../request.ts';
import type { Culling } from './culling.ts';
import type { GpuTraversal } from './kernels.ts';

export interface HierarchyOptions {
  readonly detail: Detail;
  readonly traversal: GpuTraversal;
  /** Pairs of body indices. Without them, the broad phase finds the candidates. */
  readonly candidates?: Uint32Array | undefined;
  /** Tests the triangles of the one body against each other. */
  readonly self?: boolean;
  /**
   * With detail 'any', the search of a candidate may stop at a few unsure pairs. The answer says for which candidates
   * it did.
   */
  readonly stopAtFirst?: boolean | undefined;
  /** If more pairs are found than this, `TooManyPairs` is thrown. */
  readonly most?: number | undefined;
  /** Makes a breadth-first traversal forget at which levels it entered trees the last time. */
  readonly fromRoots?: boolean | undefined;
  /** Called between submissions, if there is more than one. It throws to stop. */
  readonly checkpoint?: (done: number) => void;
  /** The work that must come first in the same submission. */
  readonly preparation?: Preparation | undefined;
  /**
   * Whether some positions are only on the GPU. The corners of unsure triangles are then read back with the answer.
   */
  readonly onGpu?: boolean | undefined;
  /** Bodies nearer than this are candidates, even if they do not meet. World units. */
  readonly clearance?: number | undefined;
  /** Leaves bodies and triangles out before the walk. */
  readonly culling?: Culling | undefined;
}

/**
 * The number of unsure pairs at which the search of a candidate may stop. Between surfaces that touch, at least one
 * of them usually does meet. If none of these does, searching all pairs again costs as much as not having stopped.
 */
const enoughUnsure = 4;

/** The number of unsure pairs per candidate that a question wants; undefined if it wants all. */
export const enoughFor = ({ detail, stopAtFirst, onGpu }: HierarchyOptions): number | undefined =>
  // If positions are only on the GPU, nothing else could search the rest.
  detail === 'any' && stopAtFirst && !onGpu ? enoughUnsure : undefined;
