// A thread whose lists are full stops until they have grown. If it stopped just as the calling thread looked whether all threads had finished,
// it was taken for finished: `closest` of thousands of points said that nothing was near to some of them. A thread that failed at such a
// time was not noticed.

import { expect, it } from 'vitest';
import { done, full, type Kernels } from '../../../packages/nearfield/src/cpu/kernels.ts';
import { Crew } from '../../../packages/nearfield/src/cpu/threads/crew.ts';
import type { PoolThread, Threads } from '../../../packages/nearfield/src/cpu/threads/threads.ts';

/** A thread that stops after it has been looked at so many times: with full lists, or because it failed. */
function threadThatStops(after: number, isLost: boolean) {
  let looks = 0;
  let runs = 0;
  const hasStopped = () => ++looks > after || runs > 1;
  const thread = {
    get isWorking() {
      return !hasStopped();
    },
    get failed() {
      return hasStopped() && isLost;
    },
    get result() {
      return runs > 1 ? done : full;
    },
    run: () => void runs++,
    wait: () => {},
    end: () => {},
    release: () => {},
  };
  return thread as unknown as PoolThread;
}

function crewOf(threads: PoolThread[], grow: (job: number) => void) {
  return new Crew<{ run(): number }, number>({
    threads: { take: () => threads.splice(0) } as unknown as Threads,
    kernels: {} as Kernels<{ run(): number }>,
    name: 'run',
    create: () => 7,
    values: job => [job],
    grow,
    steps: () => 0,
    stop: () => {},
  });
}

/** Looks until the crew has finished, and no more. */
function looksUntilFinished(crew: { readonly hasFinished: boolean }): number {
  let looks = 0;
  while (looks < 20 && !crew.hasFinished) looks++;
  return looks;
}

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('a thread that stops after %i looks is not forgotten', after => {
  const grown: number[] = [];
  const crew = crewOf([threadThatStops(after, false)], job => grown.push(job));
  crew.gather();
  expect(looksUntilFinished(crew)).toBeLessThan(20);
  expect(grown).toEqual([7]);
  expect(crew.isBroken).toBe(false);
});

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('a thread that fails after %i looks is noticed', after => {
  const crew = crewOf([threadThatStops(after, true)], () => {});
  crew.gather();
  expect(looksUntilFinished(crew)).toBeLessThan(20);
  expect(crew.isBroken).toBe(true);
});
