// The options that every question about a motion takes.

import { filterRules, pairPredicate } from '../candidates/filter.ts';
import { aNumber, limitRules, type Rules } from '../core/arguments.ts';
import type { Question } from '../questions/question.ts';
import type { MotionOptions } from './types.ts';

export const motionRules: Rules<MotionOptions> = {
  ...limitRules,
  ...filterRules,
  upTo: aNumber('a time above 0, at most 1', value => value > 0 && value <= 1),
  width: aNumber('a number from 2^-50 to 1', value => value >= 2 ** -50 && value <= 1),
};

/** The width that a question uses: a power of two. */
export const widthOf = ({ width = 2 ** -40 }: MotionOptions): number => 2 ** Math.floor(Math.log2(width));

/** Which pairs of rows a filter keeps. */
export function keepRows(options: MotionOptions, { bodies }: Question): (a: number, b: number) => boolean {
  const keep = pairPredicate(options, bodies);
  return keep === undefined ? () => true : (a, b) => keep(bodies[a], bodies[b]);
}
