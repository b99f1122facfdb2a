// What is published is sound: publint's rules, licences that allow it, and one version for all packages.

import { describe, expect, inject, it } from 'vitest';
import {
  bundledNotices,
  licencesIn,
  lintPackage,
  publishedPackages,
  sbomOf,
  withBundled,
} from '../../scripts/publish/check.mjs';
import { ratiosNow, releases } from '../../scripts/publish/ratios.mjs';

describe.each(publishedPackages())('$name', ({ folder, version }) => {
  it('has exports, types and files as publint asks', async () => {
    expect(await lintPackage(folder)).toEqual([]);
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
