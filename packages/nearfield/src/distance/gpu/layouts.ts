// What passes between the kernels of distances, beside what every question about pairs has.

import { resultsWgsl, resultWords } from '../../candidates/gpu/layouts.ts';
import { nearState } from '../request.ts';

/**
 * Words at the head of the results: counts, which may exceed the room there was. Listed pairs of triangles may have been the
 * nearest when they were found; near pairs still are in the end.
 */
export const DistanceResult = resultWords('blockPairs', 'listed', 'nearPairs', 'boxTests', 'triangleTests');

/** Leaves of a block: two to this power. */
export const blockHeight = 6;
export const blockLeaves = 2 ** blockHeight;

const { nearer, mayMeet, leftToCpu } = nearState;
export const resultWgsl = resultsWgsl(DistanceResult, {
  ...{ blockHeight, stateNearer: nearer, stateMayMeet: mayMeet, stateLeftToCpu: leftToCpu },
});
