// What a page downloads for a part of the library, within its budget and as README.md states it.

import { describe, expect, it } from 'vitest';
import { statedSizes } from '../../scripts/publish/readme.mjs';
import { openedPrograms, programs, sizeOf } from '../../scripts/publish/sizes.mjs';

describe('a page downloads no more than it should, and what README.md says', () => {
  const stated = statedSizes();
  const all = { ...programs, ...openedPrograms };

  it.each(Object.entries(all))('%s', async (name, program) => {
    const { compressed } = await sizeOf(program);
    expect(compressed).toBeLessThanOrEqual(1000 * (program.most ?? Infinity));
    // README.md has whole kilobytes. Else run `node scripts/publish/readme.mjs`.
    expect(Math.abs(stated[name] - compressed)).toBeLessThan(1000 + 0.005 * compressed);
  });

  it('no page that asks for interferences downloads 378 KB, as all did before the questions were parts', () => {
    const { 'all files of the library (no page downloads them all)': _, ...pages } = openedPrograms;
    for (const { most } of Object.values(pages)) expect(most).toBeLessThan(378);
  });

  it('README.md has these and no others', () => {
    expect(Object.keys(stated)).toEqual(Object.keys(all));
  });
});
