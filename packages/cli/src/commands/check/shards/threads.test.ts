// A check on many threads gives the bytes of a check on one, for the assemblies whose shards are compared.

import { type CpuNearfield, open } from 'nearfield';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { allReady, countResults } from '../../../../../nearfield/src/cpu/threads/testing.ts';
import { coreOf } from '../../../../../nearfield/src/questions/bare-scene.ts';
import { opener } from '../../../backend.ts';
import { runIn, testFolder } from '../../../testing.ts';
import { models, questions, randomAssembly, same } from './testing.ts';

/** Libraries by their number of threads. Their threads are started already: a check is shorter than the start of a thread. */
const libraries = new Map<number, CpuNearfield>();

/** Lets commands take these libraries, until all mocks are restored. */
const takeLibraries = () =>
  vi.spyOn(opener, 'open').mockImplementation(async ({ threads }) => libraries.get(threads!)!);

const closes: (() => void)[] = [];
let resultCount = () => 0;

/** After handing work to another thread, this thread waits 15 ms: otherwise it would do all the work itself. */
function letBegin(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15);
}

/** A library that the command line cannot close. */
async function keptOpen(threads: number): Promise<void> {
  const nf = await open({ backend: 'cpu', threads });
  const { cpu } = coreOf(nf.scene());
  await allReady(cpu);
  if (threads > 1) resultCount = countResults(cpu, letBegin);
  closes.push(nf.close.bind(nf));
  libraries.set(threads, Object.assign(nf, { close: () => {} }));
}
await keptOpen(1);
await keptOpen(4);

afterAll(() => {
  for (const close of closes) close();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes every look at the clock show so much more that work is shared at once. */
function hurryClock(): void {
  const now = performance.now.bind(performance);
  let looks = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 5 * ++looks);
}

describe('a check on four threads gives the bytes of a check on one', () => {
  const slow = Boolean(process.env['NEARFIELD_SLOW']);
  const seeds = Array.from({ length: slow ? 50 : 1 }, (_, i) => 41 + i);

  it.each(seeds)('random assembly %i', async seed => {
    const folder = testFolder(randomAssembly(seed, slow ? 16 + (seed % 5) * 12 : 24));
    for (const asking of questions.filter((_, i) => slow || i % 3 === 0)) {
      const words = ['check', ...models, ...asking, '--json', '--backend', 'cpu'];
      takeLibraries();
      const one = await runIn(folder, [...words, '--threads', '1']);
      expect(one.status, one.err).toBeLessThan(2);
      // On a busy machine the calling thread may be first with everything nevertheless.
      for (let round = 0; round === 0 || (round < 20 && resultCount() === 0); round++) {
        hurryClock();
        takeLibraries();
        const four = await runIn(folder, [...words, '--threads', '4']);
        vi.restoreAllMocks();
        expect(four.status).toBe(one.status);
        expect(same(four.out), asking.join(' ')).toBe(same(one.out));
      }
    }
    expect(resultCount()).toBeGreaterThan(0);
  });
});
