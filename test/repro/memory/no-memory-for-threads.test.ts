// A question for which there was memory failed with 'out-of-memory' if there was none left for the threads that came to help.

import { NearfieldError, open, shapes } from 'nearfield';
import { expect, it } from 'vitest';
import type { Kernels } from '../../../packages/nearfield/src/cpu/kernels.ts';
import { Crew } from '../../../packages/nearfield/src/cpu/threads/crew.ts';
import type { PoolThread, Threads } from '../../../packages/nearfield/src/cpu/threads/threads.ts';

/** A crew of threads of which only the first `most` find memory; others meet `error`. */
function crewWith(most: number, error: Error) {
  const counts = { taken: 0, released: 0, created: 0 };
  const thread = { isWorking: true, run: () => {}, release: () => void counts.released++ };
  const take = () =>
    Array.from({ length: counts.taken++ === 0 ? 3 : 1 }, () => thread as unknown as PoolThread);
  const crew = new Crew<{ run(): number }, number>({
    threads: { take } as unknown as Threads,
    kernels: {} as Kernels<{ run(): number }>,
    name: 'run',
    create: () => {
      if (counts.created === most) throw error;
      return ++counts.created;
    },
    values: job => [job],
    grow: () => {},
    steps: () => 0,
    stop: () => {},
  });
  return { crew, counts };
}

it.each([0, 1, 2])('%i threads join if there is memory for no more', most => {
  const { crew, counts } = crewWith(most, new NearfieldError('out-of-memory', 'no memory'));
  crew.gather();
  crew.gather();
  expect(crew.jobs.length).toBe(most);
  expect(counts).toEqual({ taken: 1, released: 3 - most, created: most });
});

it('other errors are passed on', () => {
  const { crew, counts } = crewWith(1, new Error('a fault'));
  expect(() => crew.gather()).toThrow('a fault');
  expect(counts.released).toBe(2);
});

it('a question has the same answer as without threads', async () => {
  const points = Float64Array.from({ length: 60_000 }, (_, i) => Math.sin(7.1 * i));
  const answers: unknown[] = [];
  // Each thread needs about 0.4 MB beside the 10 to 14 MB that the trees take.
  for (const threads of [1, 24]) {
    const nf = await open({ backend: 'cpu', threads, maxMemory: 2 ** 24 });
    const small = nf.scene();
    const any = small.add(shapes.icosphere({ frequency: 8 }));
    for (let i = 0; i < 24; i++) await small.closest(any, points);
    small.close();
    const scene = nf.scene();
    const { triangles } = await scene.closest(scene.add(shapes.icosphere({ frequency: 70 })), points);
    answers.push(triangles);
    nf.close();
  }
  expect(answers[1]).toEqual(answers[0]);
});
