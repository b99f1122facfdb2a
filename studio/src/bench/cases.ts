// The cases of the benchmarks, made and measured in the worker on the CPU engine.

import { type Nearfield, NearfieldError } from 'nearfield';
import { type Case, pageCases } from 'nearfield-bench/page';
import type { Limits } from '../engine/types.ts';
import { dataOf, measureCase } from './measure.ts';
import type { CaseData, MeasureQuestion, Times } from './types.ts';

/** The last that was made: both engines ask it. */
let made: { readonly key: string; readonly job: Case } | undefined;

function jobOf(key: string): Case {
  if (made?.key === key) return made.job;
  const found = pageCases.find(one => one.key === key);
  if (found === undefined) throw new NearfieldError('bad-option', `there is no case "${key}"`);
  made = { key, job: found.make() };
  return made.job;
}

export const makeCase = (key: string): CaseData => dataOf(jobOf(key));

export const measureOn = (nf: Nearfield, { key, time }: MeasureQuestion, limits: Limits): Promise<Times> =>
  measureCase(nf, jobOf(key), time, limits);
