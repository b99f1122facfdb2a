// README.md states only times that are recorded in bench/results.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { withTimes } from '../../scripts/publish/readme.mjs';

const textOf = (file: string) => readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8');

it('has the recorded times: else run `node scripts/publish/readme.mjs`', () => {
  const text = textOf('README.md');
  expect(withTimes(text)).toBe(text);
});

it('says the same as the first page of the site', () => {
  const numbersIn = (text: string) =>
    text.match(/\d[\d,.]*(?= (?:times|ms|triangle))|\d[\d,]*(?=-triangle)/g);
  const claim = /^\*\*All .*triangle pairs[\s\S]*?\n\n/m.exec(textOf('README.md'))![0];
  const [page] = /details: All .*triangle pairs.*/.exec(textOf('site/pages/index.md'))!;
  expect(numbersIn(page)).toEqual(numbersIn(claim));
  expect(numbersIn(page)).toHaveLength(5);
});
