// The results of the kernels of distances, besides those that all questions about pairs share.

import { resultsWgsl, resultWords } from '../../candidates/gpu/layouts.ts';
import { nearState } from '../request.ts';

/**
 * Words at the head of the results: counts, which may exceed the capacities. Listed pairs of triangles may have been
 * the nearest when they were found; near pairs still may be in the end.
 */
export const DistanceResult = resultWords('blockPairs', 'listed', 'nearPairs', 'boxTests', 'triangleTests');

/** A block has two to this power leaves. */
export const blockHeight = 6;
export const blockLeaves = 2 ** blockHeight;

const { nearer, mayMeet, meets, leftToCpu } = nearState;
export const resultWgsl = resultsWgsl(DistanceResult, {
  ...{ blockHeight, stateNearer: nearer, stateMayMeet: mayMeet, stateMeets: meets },
  stateLeftToCpu: leftToCpu,
});
