// What a page downloads for a part of the library, within its budget and as README.md states it.

import { describe, expect, it } from 'vitest';
import { statedSizes } from '../../scripts/readme.mjs';
import { programs, sizeOf } from '../../scripts/sizes.mjs';

describe('a page downloads no more than it should, and what README.md says', () => {
  const stated = statedSizes();

  it.each(Object.entries(programs))('%s', async (name, program) => {
    const { compressed } = await sizeOf(program);
    expect(compressed).toBeLessThanOrEqual(1000 * (program.most ?? Infinity));
    // README.md has whole kilobytes. Else run `node scripts/readme.mjs`.
    expect(Math.abs(stated[name] - compressed)).toBeLessThan(1000 + 0.005 * compressed);
  });

  it('README.md has these and no others', () => {
    expect(Object.keys(stated)).toEqual(Object.keys(programs));
  });
});
