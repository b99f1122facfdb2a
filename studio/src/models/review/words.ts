// How a pair reads in the list.

import { bracketInWords, lengthInWords, verdictWords } from '@nearfield/clashes';
import { nameOfUnit } from '@nearfield/io';
import type { PairRow } from '../table.ts';

/** Depth or distance, and the number of triangle pairs. */
export function amountOf(row: PairRow, unit: number | undefined): string {
  const suffix = unit === undefined ? '' : ` ${nameOfUnit(unit)}`;
  if (row.distance !== undefined) return `${lengthInWords(row.distance)}${suffix} apart`;
  const { depth, triangleCount } = row;
  const facts: string[] = [];
  if (row.isSame) facts.push('the same surface twice');
  if (depth !== undefined && depth.upper > 0) facts.push(`${bracketInWords(depth)}${suffix} deep`);
  if (row.isUndecided) facts.push('deeper or not than the tolerance: undecided');
  if (triangleCount > 0) facts.push(`${triangleCount.toLocaleString('en')} triangle pairs`);
  return facts.join(', ');
}

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
