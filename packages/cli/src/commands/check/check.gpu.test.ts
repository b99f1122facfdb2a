// `check --method visibility` on a GPU gives the same answer as the hierarchy, and names its method.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDevice } from '../../../../nearfield/src/gpu/testing/test-device.ts';
import { shareDevice } from '../../backend.ts';
import { boxObj, runIn, testFolder } from '../../testing.ts';

beforeAll(async () => shareDevice((await testDevice()).device));
afterAll(() => shareDevice(undefined));

const files = {
  'a.obj': boxObj(0, 0, 0),
  'b.obj': boxObj(0.5, 0.25, 0.125),
  'inner.obj': boxObj(0.1, 0.1, 0.1, 0.05),
  'far.obj': boxObj(1.6, 0.25, 0.125),
};

it('finds the same pairs: crossing, inside and too close', { timeout: 300_000 }, async () => {
  const folder = testFolder(files);
  const asked = ['check', ...Object.keys(files), '--json', '--triangles', '--clearance', '0.2'];
  const plain = JSON.parse((await runIn(folder, [...asked, '--backend', 'cpu'])).out);
  expect(plain.pairs.map((pair: { relation: string }) => pair.relation)).toEqual([
    'crossing',
    'contains',
    'separate',
  ]);
  const { status, out, err } = await runIn(folder, [
    ...asked,
    '--method',
    'visibility',
    '--resolution',
    '32',
  ]);
  expect([status, err]).toEqual([1, '']);
  const answer = JSON.parse(out);
  expect([answer.method, answer.backend.kind]).toEqual(['visibility', 'gpu']);
  expect(answer.pairs).toEqual(plain.pairs);
});
