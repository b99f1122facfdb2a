// Pauses between short questions, by a clock of the test's own.

import { afterEach, expect, it, vi } from 'vitest';
import { Pauses } from './pauses.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('a signal that a timer aborts is seen between questions that yield nothing', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 0);
  const pauses = new Pauses(stop.signal);
  let asked = 0;
  const asking = async () => {
    for (; asked < 100_000; asked++) await pauses.take();
  };
  await expect(asking()).rejects.toThrow();
  expect(asked).toBeLessThan(100_000);
});

it('a pause is taken only when it is due', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const pauses = new Pauses(AbortSignal.abort());
  await pauses.take();
});
