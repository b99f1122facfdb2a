// The records that the kernels of moving triangles exchange.

import { layout } from '../../../gpu/layout.ts';

/**
 * Two moving bodies, or one and itself, in one frame. Each has a tree for time 0 and one for time 1, of the same
 * order.
 */
export const SweptLayout = layout('Swept', {
  /** Node offsets at both times of the body whose leaves walk, and the number of its first leaf. */
  walkerNodes0: 'u32',
  walkerNodes1: 'u32',
  walkerFirst: 'u32',
  walkerCount: 'u32',
  /** The same of the body whose tree is walked, and the depth of that tree. */
  walkedNodes0: 'u32',
  walkedNodes1: 'u32',
  walkedDepth: 'u32',
  walkedCount: 'u32',
  /** Leaf offsets of a and b at both times. */
  leavesA0: 'u32',
  leavesA1: 'u32',
  leavesB0: 'u32',
  leavesB1: 'u32',
  /** 1 if the leaves of b walk, 0 if those of a do. */
  exchanged: 'u32',
  /** 1 if the two are one body: pairs of triangles are listed once, and neighbours are left out. */
  selfTest: 'u32',
  serial: 'u32',
});

/** Words of the results: counts, which may exceed the capacities, and the number of the submission. */
export const SweptResult = { leafPairs: 0, found: 1, serial: 2 } as const;
export const resultWordCount = 4;

/** Set in a record's first word if the two triangles certainly meet at time 0. */
export const meetsAtStart = 0x80000000;

export const resultWgsl = `
const leafPairsAt = ${SweptResult.leafPairs}u;
const foundAt = ${SweptResult.found}u;
const serialAt = ${SweptResult.serial}u;
const meetsAtStart = ${meetsAtStart}u;
`;
