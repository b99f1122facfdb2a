// Sizes are visited in turn, so that a machine that slows down, or an engine that adapts to the last question, still
// gives a line.

import { shapes } from 'nearfield';
import { afterEach, expect, it, vi } from 'vitest';
import { type Case, still } from '../case.ts';
import type { Engine } from '../peers/engine.ts';
import { fitLine } from './linear.ts';
import { measureSeries, seriesEffort, visitOrder } from './series.ts';

const mesh = shapes.box();
const sizes = [1, 2, 3, 4, 5, 6, 7, 8].map(i => 100 * i);
const jobs = sizes.map(
  (size): Case => ({
    ...{ scene: 'test', name: `${size}`, question: 'any', frames: still },
    bodies: [{ mesh, pose: new Float64Array(16) }],
    series: { name: 'polygons', unit: 'polygon', size },
  }),
);
const effort = { time: 0, leastRounds: 16, mostRounds: 16, uncounted: 1, counted: 2, by: 'clock' } as const;

/** The clock, which advances with each question. */
let now = 0;
afterEach(() => {
  vi.restoreAllMocks();
});

/**
 * Takes as long as a question of that size on a machine that slows down from question to question, times `anew` if
 * the previous question was of another size.
 */
function slowingEngine(asked: string[], open = { sessions: 0 }, anew = 1): Engine {
  return {
    ...{ name: 'slowing', version: '0', setting: () => '' },
    cannot: ({ name }) => (name === '900' ? 'too large' : undefined),
    load({ name }) {
      open.sessions++;
      return {
        ask() {
          const factor = asked.at(-1) === name ? 1 : anew;
          now += factor * (5 + Number(name) / 100) * (1 + asked.length / 250);
          asked.push(name);
        },
        pairs: () => new Uint32Array(0),
        close: () => void open.sessions--,
      };
    },
  };
}

it('visits all sizes in every round', async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const asked: string[] = [];
  const open = { sessions: 0 };
  const growth = (await measureSeries(jobs, slowingEngine(asked, open), effort))!;
  expect(open.sessions).toBe(0);
  expect(asked.length).toBe(8 * (2 + 16 * 3));
  for (let round = 0; round < 16; round++) {
    const own = asked.slice(16 + 24 * round, 16 + 24 * (round + 1));
    const order = visitOrder(8, round).map(i => `${sizes[i]}`);
    expect(own, `round ${round}`).toEqual(order.flatMap(name => [name, name, name]));
  }
  expect([growth.series, growth.unit, growth.engine]).toEqual(['polygons', 'polygon', 'slowing']);
  expect(growth.points.map(({ size }) => size)).toEqual(sizes);
  // The machine is 2.6 times slower at the end. Each size has seen all of it; measured one after the other, they
  // would not lie on a line.
  expect(fitLine(growth.points).rSquared).toBeGreaterThan(0.99);
  const oneByOne = sizes.map((size, i) => ({ size, time: (5 + size / 100) * (i < 4 ? 1 : 2.6) }));
  expect(fitLine(oneByOne).rSquared).toBeLessThan(0.98);
});

it('does not count the first question after another size', async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const [alike, adapting] = [
    (await measureSeries(jobs, slowingEngine([]), effort))!,
    (await measureSeries(jobs, slowingEngine([], { sessions: 0 }, 10), effort))!,
  ];
  adapting.points.forEach(({ time }, i) => {
    expect(time).toBeCloseTo(alike.points[i].time, 9);
  });
});

it.each([2, 5, 8, 9])('lets each of %i sizes follow each other size equally often', count => {
  const after = new Map<string, number>();
  const rounds = count % 2 === 0 ? count : 2 * count;
  for (let round = 0; round < rounds; round++) {
    const order = visitOrder(count, round);
    expect(order.toSorted((p, q) => p - q)).toEqual(Array.from({ length: count }, (_, i) => i));
    for (let k = 1; k < count; k++) {
      const step = `${order[k - 1]} ${order[k]}`;
      after.set(step, (after.get(step) ?? 0) + 1);
    }
  }
  expect(after.size).toBe(count * (count - 1));
  expect(new Set(after.values())).toEqual(new Set([rounds / count]));
});

it('uses all rows of the square on a GPU', () => {
  expect(seriesEffort(1, false)).toMatchObject({ leastRounds: 8, by: 'clock' });
  expect(seriesEffort(1, true).by).toBe('processor');
});

it('leaves out engines that cannot answer some size', async () => {
  const larger = { ...jobs[7], name: '900' };
  expect(await measureSeries([...jobs, larger], slowingEngine([]), effort)).toBeUndefined();
});
