// The cases of the benchmarks, created and measured in the worker on the CPU engine.

import { type Nearfield, NearfieldError } from 'nearfield';
import { type PageJob, pageCases } from 'nearfield-bench/page';
import type { Limits } from '../engine/types.ts';
import { dataOf, measureCase } from './measure.ts';
import type { CaseData, MeasureQuestion, Times } from './types.ts';

/** The case created last, because both engines measure it. */
let made: { readonly key: string; readonly job: PageJob } | undefined;

async function jobOf(key: string): Promise<PageJob> {
  if (made?.key === key) return made.job;
  const found = pageCases.find(one => one.key === key);
  if (found === undefined) throw new NearfieldError('bad-option', `there is no case "${key}"`);
  const job = await found.make();
  made = { key, job };
  return job;
}

export const makeCase = async (key: string): Promise<CaseData> => dataOf(await jobOf(key));

export const measureOn = async (
  nf: Nearfield,
  { key, time }: MeasureQuestion,
  limits: Limits,
): Promise<Times> => measureCase(nf, await jobOf(key), time, limits);
