// Every link of a document of this repository to a file of it leads somewhere.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n');

test.each(documents)('%s', document => {
  const text = readFileSync(join(root, document), 'utf8').replace(/```[\s\S]*?```/g, '');
  const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link.replace(/#.*$/, ''));
  const dead = links.filter(
    link => link !== '' && !/^[a-z]+:/.test(link) && !existsSync(join(root, dirname(document), link)),
  );
  expect(dead).toEqual([]);
});
