// Every submission goes through submit.ts, or its file hears of refusals in another way.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const source = resolve(import.meta.dirname, '..');

/** Files that submit by themselves, and why nothing is lost by it. */
const known: Readonly<Record<string, string>> = {
  'gpu/submit.ts': 'the one place',
  'gpu/held-copies.ts': 'has scopes of its own, which the next question hears of',
  'gpu/stopwatch.ts': 'copies timestamps: no answer depends on them',
  'particles/gpu/window-times.ts': 'reads how long kernels took: no answer depends on it',
};

it('no file submits work that it would not hear was refused', () => {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const submitting = names
    .filter(name => name.endsWith('.ts') && !/\.test\.ts$|test-device/.test(name))
    .filter(name => /\bqueue\.submit\(/.test(readFileSync(join(source, name), 'utf8')))
    .map(name => name.replaceAll('\\', '/'));
  expect(submitting.sort()).toEqual(Object.keys(known).sort());
});
