// The kinds of cells of space that two solids' surfaces bound: in both solids, or in one of them alone.

import type { Sides } from './probe.ts';

// Kinds of cells of space, as bits.
export const both = 1;
export const onlyA = 2;
export const onlyB = 4;
export const everyKind = both | onlyA | onlyB;

/** Body 0 is A, body 1 is B. */
export type Side = 0 | 1;
export const onlyOf = (side: Side): number => (side === 0 ? onlyA : onlyB);
export const kindOf = (inA: boolean, inB: boolean): number => (inA ? (inB ? both : onlyA) : inB ? onlyB : 0);

/** The kinds of cells on both sides of a piece of a body's surface. */
export const kindsBeside = ({ above, below }: Sides): number =>
  kindOf(above[0] !== 0, above[1] !== 0) | kindOf(below[0] !== 0, below[1] !== 0);

/**
 * The kinds of cells that are possible if a body and the other one have these winding numbers; undefined means unknown.
 */
export function possibleKinds(side: Side, own: number | undefined, other: number | undefined): number {
  let kinds = 0;
  if (own !== 0 && other !== 0) kinds |= both;
  if (own !== 0 && !other) kinds |= onlyOf(side);
  if (!own && other !== 0) kinds |= onlyOf((1 - side) as Side);
  return kinds;
}

/**
 * The kinds of cells that a piece of a body's surface may bound, given the other body's winding numbers on its two
 * sides.
 */
export function possible(side: Side, { above, below }: Sides): number {
  const other = 1 - side;
  return possibleKinds(side, undefined, above[other]) | possibleKinds(side, undefined, below[other]);
}
