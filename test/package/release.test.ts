// What is published is sound: publint's rules, licences that allow it, and one version for all packages.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import {
  bundledNotices,
  correctionsOf,
  licencesIn,
  lintPackage,
  publishedPackages,
  sbomOf,
  withBundled,
} from '../../scripts/publish/check.mjs';
import { ratiosNow, releases } from '../../scripts/publish/ratios.mjs';

const root = resolve(import.meta.dirname, '../..');

describe.each(publishedPackages())('$name', ({ folder, version }) => {
  it('has exports, types and files as publint asks', async () => {
    expect(await lintPackage(folder)).toEqual([]);
  });

  it('has a manifest that npm publishes as it is', () => {
    expect(correctionsOf(folder)).toEqual([]);
  });

  it('has the version of all', () => {
    expect(version).toBe(publishedPackages()[0].version);
  });
});

it('the packages are installed with others, or carry others, whose licences ask for no more than their notice', () => {
  const free = [
    'MIT',
    'ISC',
    'Unlicense',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    '0BSD',
    'BlueOak-1.0.0',
  ];
  const installed = licencesIn(withBundled(sbomOf(inject('folder')), bundledNotices()));
  const names = installed.map(({ name }) => name);
  // three is bundled, fflate is installed and bundled: each is listed once.
  for (const name of ['fflate', 'three']) expect(names.filter(each => each === name)).toEqual([name]);
  // Optional peers are used unmodified, and only if people install them.
  const optional = ['web-ifc', 'occt-import-js', 'webgpu'];
  const others = installed.filter(({ name, licence }) => !free.includes(licence) && !optional.includes(name));
  expect(others).toEqual([]);
});

it('the ratios to peers are kept for this version, and the recorded results still have their rows', () => {
  expect(releases()).toHaveProperty([publishedPackages()[0].version]);
  for (const ratio of Object.values(ratiosNow())) expect(ratio).toBeGreaterThan(0);
});

it('a minor change of one package makes the next minor version of all', () => {
  const folder = mkdtempSync(join(tmpdir(), 'versions-'));
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  cpSync(join(root, '.changeset'), join(folder, '.changeset'), { recursive: true });
  for (const name of readdirSync(join(root, 'packages')))
    cpSync(join(root, 'packages', name, 'package.json'), join(folder, 'packages', name, 'package.json'));
  writeFileSync(join(folder, '.changeset/some.md'), "---\n'nearfield': minor\n---\n\nA change.\n");
  execFileSync('git', ['init', '-q'], { cwd: folder });
  execFileSync(process.execPath, [join(root, 'node_modules/@changesets/cli/bin.js'), 'version'], {
    cwd: folder,
  });
  const [major, minor] = publishedPackages()[0].version.split('.').map(Number);
  for (const { folder: place } of publishedPackages()) {
    const { version } = JSON.parse(readFileSync(join(folder, place, 'package.json'), 'utf8'));
    expect(version).toBe(`${major}.${minor + 1}.0`);
  }
});

it('CITATION.cff has the version, and the five papers with their authors', () => {
  const cited = parse(readFileSync(join(root, 'CITATION.cff'), 'utf8'));
  expect(cited.version).toBe(publishedPackages()[0].version);
  expect(cited.authors).toEqual([{ name: 'Nearfield contributors' }]);
  expect(cited.references).toHaveLength(5);
  for (const { title, year, authors } of cited.references) {
    expect([title, year]).toEqual([expect.any(String), expect.any(Number)]);
    expect(authors.length).toBeGreaterThan(0);
  }
});
