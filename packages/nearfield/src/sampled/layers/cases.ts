// The case of a pixel's line through two bodies. If the line passes each of them once, its four crossings have one of
// six orders (Myszkowski et al., Fig. 1), front to back:
//
//   a AABB   b ABAB   c BAAB   d ABBA   e BABA   f BBAA
//
// In a and f the bodies are apart, in the others they meet. The text fixes a and f. It says that in b and c one layer
// of B passes test (2), and that in d and e two do and fewer pass test (3). It does not say which of b and c is which,
// nor which of d and e; here they follow the order of the letters. Let n₂ and n₃ count the layers of B that pass tests
// (2), zB ≤ last of A, and (3), zB < first of A:
//
//   (0, 0) a   (1, 0) b   (1, 1) c   (2, 0) d   (2, 1) e   (2, 2) f
//
// The paper's map does not separate b from c; n₃ does.

import type { BoundedCrossing, Crosser, Crossing } from '../raster/exact/crossings.ts';
import { exactOrder } from '../raster/exact/settle-line.ts';
import { wholeLine } from '../raster/exact/whole-triangles.ts';
import { packSequence, type Sequence } from './sequence.ts';

/** Entries of a collision map: in which order a pixel's line passes the two bodies, front to back. */
export const CollisionCase = {
  /** The line meets neither body. */
  neither: 0,
  /** AABB: A before B, apart. */
  a: 1,
  /** ABAB: they meet. */
  b: 2,
  /** BAAB: they meet, A within B. */
  c: 3,
  /** ABBA: they meet, B within A. */
  d: 4,
  /** BABA: they meet. */
  e: 5,
  /** BBAA: B before A, apart. */
  f: 6,
  /** The line meets A alone. */
  onlyA: 7,
  /** The line meets B alone. */
  onlyB: 8,
  /** They meet. A body is passed more than once, or layers are too near to each other for their order to be certain. */
  meets: 9,
  /** They do not meet, and the order is as for `meets`. */
  clear: 10,
  /** Undecided: the basic algorithm was asked for, and a body is passed more than once. */
  leftOut: 11,
} as const;

/** The letter for the bits of four layers (sequence.ts). */
const letterOfBits = new Uint8Array(16);
for (const [order, letter] of [
  ['AABB', CollisionCase.a],
  ['ABAB', CollisionCase.b],
  ['BAAB', CollisionCase.c],
  ['ABBA', CollisionCase.d],
  ['BABA', CollisionCase.e],
  ['BBAA', CollisionCase.f],
] as const) {
  letterOfBits[packSequence(order)[0]] = letter;
}

/** Tells whether the bodies meet in a case. */
export const meets = (value: number): boolean =>
  (value >= CollisionCase.b && value <= CollisionCase.e) || value === CollisionCase.meets;

/** The case after exchanging the two bodies, by case. */
export const exchanged = Uint8Array.of(0, 6, 5, 4, 3, 2, 1, 8, 7, 9, 10, 11);

/**
 * The case of a line that passes both bodies, from the number of its layers, the bits of the first of them, and whether
 * the bodies meet.
 */
export function caseOfLayers(count: number, bits: number, isMeeting: boolean): number {
  const letter = count === 4 ? letterOfBits[bits] : 0;
  // If layers are too near to each other to be ordered, the letter may contradict `isMeeting`.
  if (letter !== 0 && meets(letter) === isMeeting) return letter;
  return isMeeting ? CollisionCase.meets : CollisionCase.clear;
}

export interface LineOrder extends Sequence {
  readonly value: number;
}

/**
 * The order of a line whose crossings are sorted. The two bodies meet if they have a stretch longer than `least` in
 * common.
 */
export function orderOfLine(crossings: readonly Crossing[], least: number): LineOrder {
  return orderBy(crossings, (start, end) => end.depth - start.depth > least);
}

/**
 * The order of a line that was cast and sorted exactly. The two bodies meet if one is left more than `least` after the
 * other is entered, or if one body alone enters and leaves a common stretch, however short.
 */
export function orderOfCast(
  crossers: readonly Crosser[],
  column: number,
  row: number,
  crossings: readonly BoundedCrossing[],
  least: number,
): LineOrder {
  const compare = exactOrder(crossers, wholeLine(column, row));
  const order = crossings
    .slice()
    // At equal depth, bodies are left before others are entered: bodies that touch have no common stretch.
    .sort((p, q) => compare(p, q) || q.away - p.away || p.side - q.side || p.triangle - q.triangle);
  return orderBy(order, (start, end) =>
    start.side === end.side ? compare(start, end) < 0 : end.depth - start.depth > least,
  );
}

function orderBy<C extends Crossing>(
  crossings: readonly C[],
  isLong: (start: C, end: C) => boolean,
): LineOrder {
  const winding = [0, 0];
  let start: C | undefined;
  let isMeeting = false;
  for (const crossing of crossings) {
    winding[crossing.side] += crossing.away === 1 ? -1 : 1;
    const isCommon = winding[0] !== 0 && winding[1] !== 0;
    if (isCommon) start ??= crossing;
    else if (start !== undefined) {
      isMeeting ||= isLong(start, crossing);
      start = undefined;
    }
  }
  const words = packSequence(crossings.map(({ side }) => (side === 0 ? 'A' : 'B')).join(''));
  const count = crossings.length;
  const countB = crossings.filter(({ side }) => side === 1).length;
  if (countB === 0) return { value: count === 0 ? CollisionCase.neither : CollisionCase.onlyA, count, words };
  return {
    value: countB === count ? CollisionCase.onlyB : caseOfLayers(count, words[0], isMeeting),
    count,
    words,
  };
}
