// `check --method visibility` on a GPU: the same answer as without, and it says how it was found.

import { describe, expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from './testing.ts';

const files = {
  'a.obj': boxObj(0, 0, 0),
  'b.obj': boxObj(0.5, 0.25, 0.125),
  'inner.obj': boxObj(0.1, 0.1, 0.1, 0.05),
  'far.obj': boxObj(1.6, 0.25, 0.125),
};
const names = Object.keys(files);

describe('check --method visibility', () => {
  it('finds what check finds, touching, crossing and inside', async () => {
    const folder = testFolder(files);
    const asked = ['check', ...names, '--json', '--triangles', '--clearance', '0.2'];
    const plain = JSON.parse((await runIn(folder, [...asked, '--backend', 'cpu'])).out);
    for (const more of [[], ['--resolution', '64'], ['--backend', 'gpu', '--resolution', '7']]) {
      const { status, out, err } = await runIn(folder, [...asked, '--method', 'visibility', ...more]);
      expect([status, err]).toEqual([1, '']);
      const answer = JSON.parse(out);
      expect([answer.method, answer.backend.kind]).toEqual(['visibility', 'gpu']);
      expect(answer.pairs).toEqual(plain.pairs);
    }
    expect(plain.pairs.map((pair: { relation: string }) => pair.relation)).toEqual([
      'crossing',
      'contains',
      'separate',
    ]);
  });

  it('says so in its table', async () => {
    const { out } = await runIn(testFolder(files), ['check', ...names, '--method', 'visibility']);
    expect(out).toMatch(/method visibility on gpu/);
  });
});
