// The exhibits of Greß and Zachmann on small models: what they count, not how long it takes.

import { open } from 'nearfield';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bumpySphere, fitted } from '../../scenes/meshes/generated.ts';
import type { Lab } from '../paper.ts';
import { saved } from './coherence.ts';
import { figure } from './figure-4.ts';
import { turn } from './turning.ts';
import { culling } from './volumes.ts';

const sphere = { name: 'sphere', mesh: fitted(bumpySphere(1280).mesh) };
let lab: Lab;
beforeAll(async () => {
  const cpu = await open({ backend: 'cpu' });
  lab = {
    ...{ cpu, gpu: undefined, isSoftware: false, time: 1, left: () => Infinity, log: () => {} },
    measure: () => Promise.reject(new Error('these exhibits time single steps')),
  };
});
afterAll(() => lab.cpu.close());

it('figure 4 has a row per distance, with more pairs the nearer the copies are', async () => {
  const { tables, plots, notes } = await figure(lab, [sphere], 4);
  expect(tables[0].heads.length).toBe(tables[0].rows[0].length);
  const pairs = tables[0].rows.map(row => row[1] as number);
  expect(pairs.length).toBe(9);
  expect(pairs.at(-1)).toBeGreaterThan(pairs[0]);
  expect(plots![0].series.map(({ name }) => name)).toEqual([
    'CPU, breadth-first',
    'CPU, breadth-first, median splits',
    'CPU, default walk',
  ]);
  expect(notes![1]).toContain('R²');
});

it('a turn is whole, and its steps are equal', () => {
  const poses = turn(1, 4);
  expect(Array.from(poses[2].subarray(0, 3), v => Math.round(v) + 0)).toEqual([-1, 0, 0]);
  expect(poses.every(pose => pose[12] === 1)).toBe(true);
});

it('18-DOPs leave fewer leaf pairs than boxes', async () => {
  const [{ rows }] = (await culling(lab, [sphere], [1])).tables;
  expect(rows.map(row => row[2])).toEqual(['boxes', '18-DOPs']);
  expect(rows[1][4]).toBeLessThan(0.7 * (rows[0][4] as number));
});

it('coherence saves box tests, a front the more the slower the motion is', async () => {
  const crowd = { name: 'spheres', mesh: bumpySphere(80).mesh, count: 6, side: 2 };
  const [{ rows }] = (await saved(lab, [sphere], [crowd], [5, 0.01])).tables;
  const front = rows.map(row => Number.parseFloat(row[4] as string));
  expect(front[1]).toBeGreaterThan(10);
  expect(front[1]).toBeGreaterThan(front[0]);
  expect(Number.parseFloat(rows[2][3] as string)).toBeGreaterThan(0);
});
