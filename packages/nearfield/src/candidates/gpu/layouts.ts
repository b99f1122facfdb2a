// What passes between the kernels that place bodies, pair them and make frames for the pairs, and those of the question that
// goes on with the pairs.

import { layout } from '../../gpu/layout.ts';

/**
 * A placed body (the "pose palette" of the paper's future work). Its linear part is scaled by a power of two so
 * that its largest entry is in [1/2, 1); with the shape's own scale, body-sized vectors are
 * linear · q · 2^exponent, |q| ≤ 1.
 */
export const BodyLayout = layout('Body', {
  /** Rows of the linear part, times 2^30, towards zero. */
  linear: ['vec4i', 3],
  /** Rows of an approximate inverse; w bounds what inverse · linear is off from the identity, on |q| ≤ 1. */
  inverse: ['vec4f', 3],
  /** Box of the shape in q. */
  low: 'vec4f',
  high: 'vec4f',
  /** World position of q = 0: the bits of three doubles, low words, high words. */
  centreLow: 'vec4u',
  centreHigh: 'vec4u',
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  exponent: 'i32',
  /** How far a vertex may be from linear · q, in units of 2^exponent. */
  error: 'f32',
});

/**
 * The frame of a candidate pair: world axes, origin at a's centre, unit 2^σ with σ the larger exponent.
 * Side 0 is a, side 1 is b.
 */
export const FrameLayout = layout('Frame', {
  /** Rows that take the other side's q (and 1) into side 0's local frame, then into side 1's. */
  into: ['vec4f', 6],
  /** What the boxes are inflated by in either local frame. */
  slack: ['vec4f', 2],
  /** Rows of the linear parts times 2^30, side 0 then side 1; w of side 1 is the offset, in 2^−27. */
  linear: ['vec4i', 6],
  /** What is left of the offset; w is the error of a vertex of a plus that of one of b. */
  rest: 'vec4f',
  /** Errors of a vertex of a, of b. */
  errorA: 'f32',
  errorB: 'f32',
  /** Length of the longest row of the scaled linear parts, rounded up. */
  normA: 'f32',
  normB: 'f32',
  /** 2^(exponent − σ) of either side, and as shifts. */
  scaleA: 'f32',
  scaleB: 'f32',
  shiftA: 'u32',
  shiftB: 'u32',
  /** 1 where errors are as large as the bodies: nothing is certain. */
  hopeless: 'u32',
  /** 1 where the bodies are so far apart that they certainly do not meet: the offset holds nothing then. */
  far: 'u32',
  /** The side whose leaves walk the other's tree, and how many times that tree is withoutTwos among threads. */
  walker: 'u32',
  halvings: 'u32',
  nodeOffsetA: 'u32',
  nodeOffsetB: 'u32',
  leafOffsetA: 'u32',
  leafOffsetB: 'u32',
  leafCountA: 'u32',
  leafCountB: 'u32',
  depthA: 'u32',
  depthB: 'u32',
});

export const QueryLayout = layout('Query', {
  /** Bits of the scene's origin, low words then high words; w of the first is its exponent as i32. */
  originLow: 'vec4u',
  originHigh: 'vec4u',
  bodyCount: 'u32',
  /** Candidates that the caller gave, or `noneGiven` for the broad phase to find. */
  givenCandidates: 'u32',
  /** 1 for triangles of one body against themselves. */
  selfTest: 'u32',
  /** Threads the walk may spread over. */
  threads: 'u32',
  /** 1 for every triangle of one body against every one of the other, without trees. */
  bruteForce: 'u32',
  /** Unsure pairs with which a candidate's search ends, where the question is only whether bodies meet. */
  enough: 'u32',
  serial: 'u32',
  /** What the broad phase's boxes are enlarged by on every side, in the scene's unit. */
  margin: 'f32',
  /** How far distances are looked for: the bits of a double. */
  upToLow: 'u32',
  upToHigh: 'u32',
});

export const noneGiven = 0xffffffff;

/** Words at the head of the results that every question about pairs has. Its own counts follow from `ownWord` on. */
export const FrontResult = {
  /** How many there are, which may exceed the room there was. */
  candidates: 0,
  /** What there is to do for all of them: the unit is the question's (`pairWork`). */
  workItems: 1,
  /** Number of the submission: an answer without it was never computed. */
  serial: 2,
  /** Number of the last submission in which a shape's vertices did not fit their frame. */
  misfit: 3,
} as const;
const ownWord = 4;

/** The words of a question: those of the front, then its own counts in the order given. */
export function resultWords<Name extends string>(
  ...own: readonly Name[]
): Readonly<Record<Name | keyof typeof FrontResult, number>> {
  const counts = Object.fromEntries(own.map((name, i) => [name, ownWord + i])) as Record<Name, number>;
  return { ...FrontResult, ...counts };
}

/** The head's length in words. One word per candidate follows: what it begins with is the question's (`firstWord`). */
export const resultHead = 16;

/** The constants of a question's kernels: `candidatesAt` and so on for the words of its results, and others by their names. */
export function resultsWgsl(
  words: Readonly<Record<string, number>>,
  others: Readonly<Record<string, number>> = {},
): string {
  const places = Object.entries(words).map(([name, at]) => `const ${name}At = ${at}u;\n`);
  const values = Object.entries({ resultHead, noneGiven, ...others });
  return [...places, ...values.map(([name, value]) => `const ${name} = ${value}u;\n`)].join('');
}

/** For kernels that know no more of the results than what every question has. */
export const frontWgsl = resultsWgsl(FrontResult);
