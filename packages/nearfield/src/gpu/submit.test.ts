// Every submission goes through submit.ts, unless its file notices refusals in another way or no answer depends on
// it.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const source = resolve(import.meta.dirname, '..');

/** Files that submit by themselves, and why that is safe. */
const known: Readonly<Record<string, string>> = {
  'gpu/submit.ts': 'the one place',
  'gpu/buffers/app-copies.ts': 'has scopes of its own, which the next question awaits',
  'gpu/stopwatch.ts': 'copies timestamps: no answer depends on them',
};

it('only files that are known to be safe submit work', () => {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const submitting = names
    .filter(name => name.endsWith('.ts') && !/\.test\.ts$|test-device/.test(name))
    .filter(name => /\bqueue\.submit\(/.test(readFileSync(join(source, name), 'utf8')))
    .map(name => name.replaceAll('\\', '/'));
  expect(submitting.sort()).toEqual(Object.keys(known).sort());
});
