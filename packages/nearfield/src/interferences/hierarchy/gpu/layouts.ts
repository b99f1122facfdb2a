// The records of the hierarchy method's kernels, besides those that all questions about pairs share.

import { resultsWgsl, resultWords } from '../../../candidates/gpu/layouts.ts';
import { layout } from '../../../gpu/layout.ts';
import { bothOutside, firstOutside } from '../../request.ts';

/**
 * Words at the head of the results: counts, which may exceed the capacities. One word per candidate follows. It is
 * `apartWord`, or the number of certain pairs. If only one certain pair is wanted, it is the number of unsure pairs,
 * plus `foundWord` once there is a certain one (record.wgsl).
 */
export const Result = resultWords('leafPairs', 'certain', 'unsure', 'boxTests', 'triangleTests');

/**
 * Replaces 0 in a candidate's word, plus `firstOutside`, `secondOutside` or both, once a corner of either body is certainly
 * outside the other (ways-out.wgsl).
 */
export const outsideWord = 0xfffffff0;
/** The word of a candidate without work: the boxes around the two bodies are apart. */
export const apartWord = 0xffffffff;
const foundWord = 0x80000000;
/** More unsure pairs than there can be. It is `enough` for a question that wants all of them. */
export const neverEnough = 0x7fffffff;

/** The number of b's triangles that one thread takes without trees. */
export const bruteForceRun = 16;

/** A step of the breadth-first traversal. */
export const StepLayout = layout('Step', { number: 'u32' });

/** The capacity for steps in the state of the traversal. Each step has one word: the number of its node pairs. */
export const mostSteps = 32;
/** The maximum number of node pairs that the traversal begins with, unless it begins at the roots. */
const mostEntries = 2 ** 20;

export const resultWgsl = resultsWgsl(Result, {
  ...{ apartWord, outsideWord, firstOutside, bothOutside, foundWord, bruteForceRun, mostEntries },
});
