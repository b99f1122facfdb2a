// From bodies to decisions: which pairs clash under the rules, which of them are new since the baseline, what people have
// said about them, and which belong together. The command line and the studio ask this.

import { nameOfUnit } from '@nearfield/io';
import { type Nearfield, NearfieldError, type Relation } from 'nearfield';
import { resolveRules } from '../rules/resolve.ts';
import type { AllowedBodies, Rules } from '../rules/types.ts';
import { type AssemblyQuestion, askAssembly } from './assembly.ts';
import type { AssemblyAnswer } from './types.ts';

/** How clashes are gathered into groups. */
export type Grouping = 'part' | 'place' | 'test';

export interface CheckQuestion extends Omit<AssemblyQuestion, 'rules'> {
  /** Separate bodies closer than this are reported too, unless a test of the rules says otherwise. */
  readonly clearance?: number | undefined;
  /** The depth that is forgiven, unless a test says otherwise; 'file' for the rounding of the files. */
  readonly tolerance?: number | 'file' | undefined;
  /** Relations that the user does not mind. */
  readonly ignore?: ReadonlySet<Relation> | undefined;
  readonly rules?: Rules | undefined;
  /** Pairs of bodies that their files allow to meet. */
  readonly allowed?: readonly AllowedBodies[] | undefined;
  /** Which pairs fail the check: all clashes, or those that the baseline does not have. */
  readonly failOn?: 'any' | 'new' | undefined;
  readonly group?: Grouping | undefined;
}

export interface CheckAnswer {
  readonly answer: AssemblyAnswer;
  /** What the user should know: rules that match nothing, statuses that no longer hold. One sentence each. */
  readonly notes: readonly string[];
}

/**
 * Which pairs clash, how badly, and what is new. Throws 'bad-option' if a length has a unit and the answer's is not
 * known, or if clashes are to be grouped by test and there are no rules.
 */
export async function checkAssembly(nf: Nearfield, question: CheckQuestion): Promise<CheckAnswer> {
  const { rules, bodies, unit, tolerance, clearance, ignore, allowed, group } = question;
  if (group === 'test' && rules === undefined) {
    throw new NearfieldError('bad-option', 'grouping by test needs rules');
  }
  const resolved = resolveRules(rules, bodies, { unit, tolerance, clearance, ignore, allowed });
  const clearances = resolved.given ? resolved.tests.map(test => test.clearance) : [clearance];
  const decide = (a: number, b: number) => resolved.decide(a, b);
  const asked = await askAssembly(nf, {
    ...question,
    rules: {
      keep: (a, b) => resolved.keep(a, b),
      decide,
      clearances: [...new Set(clearances)].filter(value => value !== undefined),
      all: !resolved.given,
    },
  });
  const answer: AssemblyAnswer = {
    ...asked,
    ...{ tolerance, clearance, failOn: question.failOn },
    ...(unit !== undefined && { unitName: nameOfUnit(unit) }),
    ...(resolved.given && { tests: resolved.tests, sets: resolved.sets }),
  };
  const notes = [...resolved.warnings];
  return { answer, notes };
}
