// Sizes are asked in turn, so that a machine that gets slower and slower still gives a line.

import { shapes } from 'nearfield';
import { afterEach, expect, it, vi } from 'vitest';
import { type Case, still } from '../case.ts';
import type { Engine } from '../peers/engine.ts';
import { fitLine } from './linear.ts';
import { measureSeries } from './series.ts';

const mesh = shapes.box();
const sizes = [1, 2, 3, 4, 5, 6, 7, 8].map(i => 100 * i);
const jobs = sizes.map(
  (size): Case => ({
    ...{ scene: 'test', name: `${size}`, question: 'any', frames: still },
    bodies: [{ mesh, pose: new Float64Array(16) }],
    series: { name: 'polygons', unit: 'polygon', size },
  }),
);
const effort = { time: 0, leastRounds: 6, mostRounds: 6, by: 'clock' } as const;

/** The clock, which goes on when questions are asked. */
let now = 0;
afterEach(() => {
  vi.restoreAllMocks();
});

/** Takes as long as a question of that size takes on a machine that slows down from question to question. */
function slowingEngine(asked: string[], open = { sessions: 0 }): Engine {
  let questions = 0;
  return {
    ...{ name: 'slowing', version: '0', setting: () => '' },
    cannot: ({ name }) => (name === '900' ? 'too large' : undefined),
    load({ name }) {
      open.sessions++;
      return {
        ask() {
          asked.push(name);
          now += (5 + Number(name) / 100) * (1 + questions++ / 40);
        },
        pairs: () => new Uint32Array(0),
        close: () => void open.sessions--,
      };
    },
  };
}

it('asks all sizes in every round, up and down', async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const asked: string[] = [];
  const open = { sessions: 0 };
  const growth = (await measureSeries(jobs, slowingEngine(asked, open), effort))!;
  expect(open.sessions).toBe(0);
  expect(asked.length).toBe(8 * (2 + 6));
  const up = sizes.map(String);
  expect(asked.slice(16, 32)).toEqual([...up, ...up.toReversed()]);
  expect([growth.series, growth.unit, growth.engine]).toEqual(['polygons', 'polygon', 'slowing']);
  expect(growth.points.map(({ size }) => size)).toEqual(sizes);
  // The machine is 2.6 times slower at the end. Each size has seen it all; one after the other they would not lie on a line.
  expect(fitLine(growth.points).rSquared).toBeGreaterThan(0.99);
  const oneByOne = sizes.map((size, i) => ({ size, time: (5 + size / 100) * (i < 4 ? 1 : 2.6) }));
  expect(fitLine(oneByOne).rSquared).toBeLessThan(0.98);
});

it('leaves out engines that cannot answer some size', async () => {
  const larger = { ...jobs[7], name: '900' };
  expect(await measureSeries([...jobs, larger], slowingEngine([]), effort)).toBeUndefined();
});
