// What is asked of the hierarchy method.

import type { Preparation } from '../../../gpu/gpu-query.ts';
import type { Detail } from '../../request.ts';
import type { Culling } from './culling.ts';
import type { GpuTraversal } from './kernels.ts';

export interface HierarchyOptions {
  readonly detail: Detail;
  readonly traversal: GpuTraversal;
  /** Pairs of body indices; the broad phase finds them where they are left out. */
  readonly candidates?: Uint32Array | undefined;
  /** Triangles of the one body against themselves. */
  readonly self?: boolean;
  /** With detail 'any', a candidate's search may end with a few unsure pairs. The answer says of which candidates. */
  readonly stopAtFirst?: boolean | undefined;
  /** Where more pairs are found than this, `TooManyPairs` is thrown. */
  readonly most?: number | undefined;
  /** Called between submissions, where there is more than one; throws to stop. */
  readonly checkpoint?: (done: number) => void;
  /** What must come first in the same submission. */
  readonly preparation?: Preparation | undefined;
  /** Whether some positions are on the GPU alone: then the corners of unsure triangles come with the answer. */
  readonly held?: boolean | undefined;
  /** Bodies that are nearer than this are candidates, where they need not meet. World units. */
  readonly clearance?: number | undefined;
  /** What leaves bodies and triangles out before the walk. */
  readonly culling?: Culling | undefined;
}

/**
 * Unsure pairs of a candidate that are enough to stop at. Mostly one of surfaces that touch does meet, and where
 * none of these does, looking at all of them again costs as much as not having stopped.
 */
const enoughUnsure = 4;

/** How many unsure pairs of a candidate a question wants; undefined where it wants all. */
export const enoughFor = ({ detail, stopAtFirst, held }: HierarchyOptions): number | undefined =>
  // Of positions on the GPU alone nobody else could look at the rest.
  detail === 'any' && stopAtFirst && !held ? enoughUnsure : undefined;
