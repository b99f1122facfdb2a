// What passes between the kernels of the hierarchy method, beside what it shares with every question about pairs.

import { resultsWgsl, resultWords } from '../../../candidates/gpu/layouts.ts';
import { layout } from '../../../gpu/layout.ts';

/**
 * Words at the head of the results: counts, which may exceed the room there was. The word per candidate behind it is
 * `apartWord`, or how many certain pairs it has, or where only one is wanted, `foundWord` once there is one, added to how many
 * unsure ones there were (record.wgsl).
 */
export const Result = resultWords('leafPairs', 'certain', 'unsure', 'boxTests', 'triangleTests');

/** In place of 0, with 1 or 2 added, or both: which body certainly holds no part of the other (ways-out.wgsl). */
export const outsideWord = 0xfffffff0;
/** Of a candidate without work: the boxes around the bodies are apart. */
export const apartWord = 0xffffffff;
const foundWord = 0x80000000;
/** More unsure pairs than there can be: `enough` of a question that wants them all. */
export const neverEnough = 0x7fffffff;

/** Triangles of b that one thread of the brute force takes. */
export const bruteForceRun = 16;

/** A step of the breadth-first traversal. */
export const StepLayout = layout('Step', { number: 'u32' });

/** Steps there is room for in the state of the traversal, a word each: the node pairs listed for it. */
export const mostSteps = 32;
/** The most node pairs the traversal begins with, where it does not begin at the roots. */
const mostEntries = 2 ** 20;

export const resultWgsl = resultsWgsl(Result, {
  ...{ apartWord, outsideWord, foundWord, bruteForceRun, mostEntries },
});
