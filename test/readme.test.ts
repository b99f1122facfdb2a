// README.md states only times that are recorded in bench/results.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { withTimes } from '../scripts/publish/readme.mjs';

it('has the recorded times: else run `node scripts/publish/readme.mjs`', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../README.md'), 'utf8');
  expect(withTimes(text)).toBe(text);
});
