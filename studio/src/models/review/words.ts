// How a pair reads in the list.

import { type Bracket, bracketInWords, lengthAbove, lengthInWords, verdictWords } from '@nearfield/clashes';
import { nameOfUnit } from '@nearfield/io';
import type { PairRow } from '../table.ts';

/** Depth or distance; before a depth is known, or if there is none, the number of triangle pairs. */
export function amountOf(row: PairRow, unit: number | undefined): string {
  const facts = factsOf(row, unit);
  return (facts.length > 0 ? facts : trianglesOf(row)).join(', ');
}

/** The same with the number of triangle pairs in any case. */
export const amountInFull = (row: PairRow, unit: number | undefined): string =>
  [...factsOf(row, unit), ...trianglesOf(row)].join(', ');

function factsOf({ distance, depth, isUndecided }: PairRow, unit: number | undefined): string[] {
  if (distance !== undefined) return [`${lengthIn(distance, unit)} apart`];
  const facts: string[] = [];
  if (depth !== undefined && depth.upper > 0) facts.push(`${bracketIn(depth, unit)} deep`);
  if (isUndecided) facts.push('deeper or not than the tolerance: undecided');
  return facts;
}

const trianglesOf = ({ triangleCount }: PairRow): string[] =>
  triangleCount > 0 ? [`${triangleCount.toLocaleString('en')} triangle pairs`] : [];

/** The relation; of two open surfaces that touch all over, that they coincide. */
export const relationOf = ({ relation, isSame }: PairRow): string =>
  isSame && relation === 'touching' ? 'surfaces coincide' : relation;

/** A length with its unit, if one is known. */
export const lengthIn = (value: number, unit: number | undefined): string =>
  `${lengthInWords(value)}${suffixOf(unit)}`;

/** A way out, as long as the depth is at most. */
export const wayIn = (value: number, unit: number | undefined): string =>
  `${lengthAbove(value)}${suffixOf(unit)}`;

/** A depth of which bounds are known, with its unit. */
export const bracketIn = (depth: Bracket, unit: number | undefined): string =>
  `${bracketInWords(depth)}${suffixOf(unit)}`;

const suffixOf = (unit: number | undefined): string => (unit === undefined ? '' : ` ${nameOfUnit(unit)}`);

/** The verdict, where it says more than the relation. */
export function verdictOfRow({ verdict, relation }: PairRow): string {
  const isPlain =
    verdict === (relation === 'separate' ? 'too-close' : relation === 'touching' ? 'touching' : 'clash');
  return isPlain ? '' : verdictWords[verdict];
}

export const duration = (milliseconds: number): string =>
  milliseconds < 1000 ? `${shortened(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

export const shortened = (value: number): string =>
  value === 0 ? '0' : String(Number(value.toPrecision(3)));
