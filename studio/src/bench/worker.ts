// The worker of the benchmarks: makes the cases, and measures them on the CPU engine.

import { NearfieldError, open } from 'nearfield';
import { type Case, pageCases } from 'nearfield-bench/page';
import { type Port, serve } from '../engine/channel.ts';
import { dataOf, measureCase } from './measure.ts';
import type { BenchTasks } from './types.ts';

const opening = open({ backend: 'cpu' });
/** The last that was made: both engines ask it. */
let made: { readonly key: string; readonly job: Case } | undefined;

function jobOf(key: string): Case {
  if (made?.key === key) return made.job;
  const found = pageCases.find(one => one.key === key);
  if (found === undefined) throw new NearfieldError('bad-option', `there is no case "${key}"`);
  made = { key, job: found.make() };
  return made.job;
}

serve<BenchTasks>(globalThis as unknown as Port, {
  hello: async () => (await opening).name,
  make: key => dataOf(jobOf(key)),
  measure: async ({ key, time }, limits) => measureCase(await opening, jobOf(key), time, limits),
});
