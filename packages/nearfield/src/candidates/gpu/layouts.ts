// The records that the kernels which place bodies, pair them and frame the pairs exchange with each other, and with
// the kernels of the question that goes on with the pairs.

import { layout } from '../../gpu/layout.ts';

/**
 * A placed body (the "pose palette" of the paper's future work). Its linear part is scaled by a power of two so that
 * its largest entry is in [1/2, 1). With the shape's own scale, body-sized vectors are linear · q · 2^exponent, |q| ≤
 * 1.
 */
export const BodyLayout = layout('Body', {
  /** Rows of the linear part, times 2^30, rounded towards zero. */
  linear: ['vec4i', 3],
  /** Rows of an approximate inverse. w bounds by how much inverse · linear differs from the identity, on |q| ≤ 1. */
  inverse: ['vec4f', 3],
  /** The box of the shape in q. */
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
  /** The largest distance of a vertex from linear · q, in units of 2^exponent. */
  error: 'f32',
});

/**
 * The frame of a candidate pair: world axes, origin at a's centre, unit 2^σ with σ the larger exponent. Side 0 is a,
 * side 1 is b.
 */
export const FrameLayout = layout('Frame', {
  /** Rows that take the other side's q (and 1) into side 0's local frame, then into side 1's. */
  into: ['vec4f', 6],
  /** The amount by which boxes are inflated in either local frame. */
  slack: ['vec4f', 2],
  /** Rows of the linear parts times 2^30, side 0 then side 1; w of side 1 is the offset, in 2^−27. */
  linear: ['vec4i', 6],
  /** The fraction of the offset; w is the error of a vertex of a plus that of a vertex of b. */
  rest: 'vec4f',
  /** The error of a vertex of a, and of a vertex of b. */
  errorA: 'f32',
  errorB: 'f32',
  /** The length of the longest row of the scaled linear parts, rounded up. */
  normA: 'f32',
  normB: 'f32',
  /** 2^(exponent − σ) per side, as factors and as shifts. */
  scaleA: 'f32',
  scaleB: 'f32',
  shiftA: 'u32',
  shiftB: 'u32',
  /** 1 if the errors are as large as the bodies, so that nothing is certain. */
  hopeless: 'u32',
  /** 1 if the bodies are so far apart that they certainly do not meet. The offset is then meaningless. */
  far: 'u32',
  /** The side whose leaves walk the other's tree, and how many times that tree is halved among threads. */
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
  /** The number of candidates that the caller gave, or `noneGiven` if the broad phase is to find them. */
  givenCandidates: 'u32',
  /** 1 to test the triangles of one body against each other. */
  selfTest: 'u32',
  /** The number of threads that the walk may spread over. */
  threads: 'u32',
  /** 1 to test every triangle of one body against every triangle of the other, without trees. */
  bruteForce: 'u32',
  /** The number of unsure pairs that ends a candidate's search, if the question is only whether bodies meet. */
  enough: 'u32',
  serial: 'u32',
  /** The amount by which the broad phase's boxes are enlarged on every side, in the scene's unit. */
  margin: 'f32',
  /** The largest distance to look for: the bits of a double. */
  upToLow: 'u32',
  upToHigh: 'u32',
});

export const noneGiven = 0xffffffff;

/** The first words of the results of every question about pairs. Its own counts follow from `ownWord` on. */
export const FrontResult = {
  /** The number of candidates, which may exceed the capacity. */
  candidates: 0,
  /** The amount of work for all candidates, in a unit of the question's own (`pairWork`). */
  workItems: 1,
  /** The number of the submission. If an answer lacks it, the answer was never computed. */
  serial: 2,
  /** The number of the last submission in which a shape's vertices did not fit their frame. */
  misfit: 3,
} as const;
const ownWord = 4;

/** The words of a question's results: those of the front, then its own counts in the order given. */
export function resultWords<Name extends string>(
  ...own: readonly Name[]
): Readonly<Record<Name | keyof typeof FrontResult, number>> {
  const counts = Object.fromEntries(own.map((name, i) => [name, ownWord + i])) as Record<Name, number>;
  return { ...FrontResult, ...counts };
}

/**
 * The length of the head in words. One word per candidate follows, whose first value the question defines
 * (`firstWord`).
 */
export const resultHead = 16;

/**
 * The constants of a question's kernels: `candidatesAt` and so on for the words of its results, and others by name.
 */
export function resultsWgsl(
  words: Readonly<Record<string, number>>,
  others: Readonly<Record<string, number>> = {},
): string {
  const places = Object.entries(words).map(([name, at]) => `const ${name}At = ${at}u;\n`);
  const values = Object.entries({ resultHead, noneGiven, ...others });
  return [...places, ...values.map(([name, value]) => `const ${name} = ${value}u;\n`)].join('');
}

/** For kernels that use only the words that every question has. */
export const frontWgsl = resultsWgsl(FrontResult);
