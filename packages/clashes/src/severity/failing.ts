// Does a pair fail the check? The exit status of the command line and the failures of JUnit go by this one rule.

import type { AssemblyPair, Verdict } from '../assembly/types.ts';
import { isUnconfirmed, verdictOf } from './order.ts';

/** Touching counts, unless it is ignored or a tolerance is given: then the verdict says so. */
const failing: readonly Verdict[] = ['clash', 'too-close', 'touching', 'within-rounding'];

/**
 * Whether the pair fails the check. If only new clashes fail, those that the baseline has do not, unless they have become
 * deeper. A pair that a method which samples reports, but that the exact relation does not confirm, never fails.
 */
export function isFailing(pair: AssemblyPair, failOn: 'any' | 'new' = 'any'): boolean {
  if (isUnconfirmed(pair)) return false;
  if (failOn === 'new' && pair.change !== undefined && pair.change !== 'new' && pair.change !== 'worse')
    return false;
  return failing.includes(verdictOf(pair));
}

/** Whether a rule objects to the pair: it fails the check, or would if somebody had not accepted it. */
export const isClash = (pair: AssemblyPair): boolean => isFailing(pair) || verdictOf(pair) === 'accepted';
