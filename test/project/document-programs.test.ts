// Programs in documents, and the examples, compile against the packages of today. The site's build checks the same.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { programBlocks, staleBlockLines, staleExampleLines } from '../../site/programs.mjs';

const root = resolve(import.meta.dirname, '../..');

it('every block of TypeScript compiles', { timeout: 240_000 }, async () => {
  expect(programBlocks().length).toBeGreaterThan(15);
  expect(await staleBlockLines()).toEqual([]);
});

it('every example compiles, and a script that names an option that is not there is found', {
  timeout: 240_000,
}, async () => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/stale-'));
  const script = "import { shapes } from 'nearfield';\nshapes.icosphere({ subdivisions: 4 });\n";
  writeFileSync(join(folder, 'sphere.mjs'), script);
  try {
    expect(await staleExampleLines(relative(root, folder).replaceAll('\\', '/'))).toEqual([
      expect.stringMatching(/sphere\.mjs\(2,20\): error TS2353: .*'subdivisions'/),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
