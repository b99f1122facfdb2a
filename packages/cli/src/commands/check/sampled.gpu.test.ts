// `check --method raycast` and `layers` on a GPU: bodies that meet, bounds on what may be missed, and exact relations.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDevice } from '../../../../nearfield/src/gpu/testing/test-device.ts';
import { shareDevice } from '../../backend.ts';
import { boxObj, runIn, testFolder } from '../../testing.ts';

beforeAll(async () => shareDevice((await testDevice()).device));
afterAll(() => shareDevice(undefined));

const files = {
  'a.obj': boxObj(0, 0, 0),
  'b.obj': boxObj(0.5, 0.25, 0.125),
  'inner.obj': boxObj(0.1, 0.1, 0.1, 0.15),
  'far.obj': boxObj(1.6, 0.25, 0.125),
};
const names = Object.keys(files);

describe.each(['raycast', 'layers'])('check --method %s', method => {
  const asked = ['check', ...names, '--method', method, '--resolution', '32'];

  it('finds bodies that meet per frame, with bounds, and counts no triangles', async () => {
    const away = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 9, 0, 0, 1];
    const motion = [{}, { '#1': away, '#2': away }];
    const folder = testFolder({ ...files, 'motion.json': JSON.stringify(motion) });
    const words = [...asked, '--poses', 'motion.json', '--json'];
    const { status, out, err } = await runIn(folder, words);
    const between = 'nearfield: check looks at the frames only; "nearfield motion" looks between them\n';
    expect([status, err]).toEqual([1, between]);
    const { frames, ...answer } = JSON.parse(out);
    expect([answer.method, answer.backend.kind]).toEqual([method, 'gpu']);
    const [first, second] = frames;
    // One and a half pixels, each a thirty-second of the window, plus rounding.
    expect(first.mayMissBelow).toBeGreaterThan(0);
    expect(first.mayMissBelow).toBeLessThan(0.1);
    expect(first.mayReportWithin).toBeGreaterThanOrEqual(0);
    expect(first.mayReportWithin).toBeLessThan(0.01);
    expect([first.complete, second.complete]).toEqual([true, true]);
    const pairs = first.pairs as { a: number; b: number; relation: string }[];
    expect(pairs.map(({ a, b, relation }) => [a, b, relation])).toEqual([
      [0, 1, 'crossing'],
      [0, 2, 'contains'],
    ]);
    for (const pair of pairs) expect(pair).not.toHaveProperty('triangleCount');
    expect(second.pairs).toEqual([]);
  }, 240_000);
});

it('states in its table that it samples', async () => {
  const { out } = await runIn(testFolder(files), [
    'check',
    ...names,
    '--method',
    'layers',
    '--resolution',
    '32',
  ]);
  expect(out).toContain('method layers on gpu');
  expect(out).not.toContain('triangle pairs');
  expect(out).toMatch(
    /Sampled: may miss overlaps too thin for a ball of diameter [\d.e-]+; may list bodies up to/,
  );
}, 240_000);

it('decides a clearance exactly, even for touching bodies that no ray finds', async () => {
  const folder = testFolder({
    'a.obj': boxObj(0, 0, 0),
    'beside.obj': boxObj(1, 0, 0),
    'near.obj': boxObj(0, 0, 1.125),
  });
  const { status, out } = await runIn(folder, [
    ...['check', 'a.obj', 'beside.obj', 'near.obj', '--method', 'raycast', '--resolution', '16'],
    ...['--clearance', '0.25', '--json'],
  ]);
  expect(status).toBe(1);
  const pairs: { a: number; b: number; relation: string; distance?: number; point?: number[] }[] =
    JSON.parse(out).pairs;
  expect(pairs.map(({ a, b, relation, distance }) => [a, b, relation, distance])).toEqual([
    [0, 1, 'touching', undefined],
    [0, 2, 'separate', 0.125],
    [1, 2, 'separate', 0.125],
  ]);
  expect(pairs[0].point?.[0]).toBe(1);
}, 240_000);
