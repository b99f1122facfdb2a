import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { collectGarbage, summarise, takeTurns } from './measure.ts';
import { quantile } from './quantile.ts';

const samplesOf = (...clock: number[]) => clock.map(value => ({ clock: value, processor: value / 2 }));

describe('summarise', () => {
  it('gives the median, quartiles, mean and least of unsorted samples', () => {
    const times = summarise(samplesOf(5, 1, 4, 2, 3));
    expect(times).toEqual({
      median: 3,
      processor: 1.5,
      low: 2,
      high: 4,
      mean: 3,
      processorMean: 1.5,
      least: 1,
      calm: 3,
      runs: 5,
    });
  });
  it('finds the least disturbed turn', () => {
    const samples = [3, 4, 5, 1, 2, 9, 8, 8, 8].map((clock, i) => ({
      ...{ clock, processor: 0, turn: Math.floor(i / 3) },
    }));
    expect(summarise(samples).calm).toBe(2);
    expect(summarise(samples).median).toBe(5);
  });
  it('interpolates between ranks', () => {
    expect(quantile([1, 2], 0.5)).toBe(1.5);
    expect(quantile([7], 0.25)).toBe(7);
  });
  it('refuses to summarise an empty list', () => {
    expect(() => summarise([])).toThrow('no samples');
  });
});

describe('takeTurns', () => {
  it('gives every task its turns in whole cycles, and awaits promises', async () => {
    const runs = [0, 0];
    const samples = await takeTurns(
      [
        () => {
          runs[0]++;
          const end = performance.now() + 0.3;
          while (performance.now() < end);
        },
        async () => {
          runs[1]++;
          await new Promise(resolve => setTimeout(resolve, 1));
        },
      ],
      { turns: 2, turnTime: 1, cycle: 3 },
    );
    expect(samples.map(list => list.length % 3)).toEqual([0, 0]);
    expect(samples.every(list => list.length >= 3)).toBe(true);
    expect(runs.every(count => count >= 4)).toBe(true);
  });

  it('does not time the preparation of a run, and prepares each run once', async () => {
    const seen: number[] = [];
    const wait = (milliseconds: number) => {
      const end = performance.now() + milliseconds;
      while (performance.now() < end);
    };
    const task = Object.assign((run: number) => expect(seen.at(-1)).toBe(run), {
      before: (run: number) => {
        wait(2);
        seen.push(run);
      },
    });
    const [samples] = await takeTurns([task], { turns: 2, turnTime: 10, cycle: 2 });
    expect(summarise(samples).median).toBeLessThan(1);
    expect(seen.length).toBeGreaterThanOrEqual(samples.length);
  });
});

it('collects garbage without leaving a flag of V8 set', async () => {
  const before: unknown = runInNewContext('typeof gc');
  const dropped = new WeakRef({ some: 'object' });
  // A reference that was just made is kept until the current task ends.
  await new Promise(resolve => setTimeout(resolve));
  collectGarbage();
  expect(dropped.deref()).toBeUndefined();
  expect(runInNewContext('typeof gc')).toBe(before);
});
