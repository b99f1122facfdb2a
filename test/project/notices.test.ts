// The notices beside a bundle name every package in it, with its licence.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { noticesOf, packagesOf } from '../../scripts/bundle/notices.mjs';

const folder = mkdtempSync(join(tmpdir(), 'nearfield-notices-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function install(path: string, manifest: object, files: Record<string, string>): void {
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, path, 'package.json'), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, path, name), text);
}
install(
  'node_modules/outer',
  { name: 'outer', version: '1.0.0', license: 'MIT' },
  { LICENSE: 'outer words\n' },
);
install(
  'node_modules/outer/node_modules/@scope/inner',
  { name: '@scope/inner', version: '2.0.0', license: 'Apache-2.0' },
  { 'LICENSE.md': 'inner words', 'NOTICE.txt': 'inner notice', 'licensed.js': '' },
);
install('node_modules/bare', { name: 'bare', version: '3.0.0', license: 'MIT' }, {});

it('finds packages of packages, in order, each once', () => {
  const packages = packagesOf([
    join(folder, 'src/own.ts'),
    join(folder, 'node_modules/outer/deep/a.js'),
    join(folder, 'node_modules/outer/b.js?url'),
    `\0${join(folder, 'node_modules/outer/node_modules/@scope/inner/c.js?commonjs-module')}`,
  ]);
  expect(packages).toEqual([
    { name: '@scope/inner', version: '2.0.0', licence: 'Apache-2.0', text: 'inner words\n\ninner notice' },
    { name: 'outer', version: '1.0.0', licence: 'MIT', text: 'outer words' },
  ]);
  const text = noticesOf(packages);
  for (const words of ['@scope/inner 2.0.0 (Apache-2.0)', 'inner notice', 'outer 1.0.0 (MIT)', 'outer words'])
    expect(text).toContain(words);
});

it('refuses a package without a licence text', () => {
  expect(() => packagesOf([join(folder, 'node_modules/bare/index.js')])).toThrow(
    'bare 3.0.0 is bundled but states no licence',
  );
});

it('keeps the texts of packages that are published without', () => {
  const [draco, saxes] = packagesOf(['node_modules/draco3dgltf/a.js', 'node_modules/saxes/b.js']);
  expect(draco.text).toContain('Apache License');
  expect(saxes.text).toContain('The ISC License');
});
