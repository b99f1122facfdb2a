// Whose code is in a bundle? Names, versions and licence texts of the packages that its modules come from. A build writes
// them beside the bundle as THIRD-PARTY.txt: most licences ask that every copy carries them.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Licence texts of packages that are published without one, as their repositories have them. */
const kept = fileURLToPath(new URL('./licences', import.meta.url));

/**
 * The packages that modules come from, in order of their names. Our own are not among them: they lie in no node_modules.
 *
 * @param {Iterable<string>} modules paths, with / or \; a bundler's prefix or query is allowed
 * @returns {{ name: string, version: string, licence: string, text: string }[]}
 */
export function packagesOf(modules) {
  const folders = new Set();
  for (const module of modules) {
    const path = module.replaceAll('\\', '/');
    // The innermost one: a package may bring others of its own.
    const [folder] = /^.*(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/?]+/.exec(path) ?? [];
    // Rollup marks what it makes itself by a zero byte before the path.
    if (folder !== undefined) folders.add(folder.slice(folder.lastIndexOf('\0') + 1));
  }
  const packages = new Map(
    Array.from(folders, folder => {
      const found = packageIn(folder);
      return [`${found.name}@${found.version}`, found];
    }),
  );
  return [...packages.keys()].sort().map(key => packages.get(key));
}

function packageIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder)
    .filter(file => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(file))
    .sort()
    .map(file => join(folder, file));
  const own = join(kept, `${name.replace('/', '-')}.txt`);
  if (files.length === 0 && existsSync(own)) files.push(own);
  if (files.length === 0 || license === undefined)
    throw new Error(`${name} ${version} is bundled but states no licence: add its text as ${own}`);
  const text = files.map(file => readFileSync(file, 'utf8').trim()).join('\n\n');
  return { name, version, licence: license, text };
}

/**
 * What THIRD-PARTY.txt says.
 *
 * @param {ReturnType<typeof packagesOf>} packages
 * @param {string} bundle what contains them
 * @returns {string}
 */
export function noticesOf(packages, bundle = 'The files beside this one contain') {
  const line = '-'.repeat(80);
  const parts = packages.map(
    ({ name, version, licence, text }) => `${line}\n${name} ${version} (${licence})\n\n${text}\n`,
  );
  return `${bundle} code of these packages, under their licences:\n\n${parts.join('\n')}`;
}

/**
 * Vite plugins for a page and for its workers, which are bundled before the page: together they write THIRD-PARTY.txt into the
 * page's folder.
 *
 * @param {Iterable<string>} others paths of modules that the page carries and Vite does not bundle
 */
export function noticesOfPage(others = []) {
  const modules = new Set(others);
  const note = bundle => {
    for (const { moduleIds = [] } of Object.values(bundle)) for (const id of moduleIds) modules.add(id);
  };
  return {
    page: {
      name: 'notices',
      // A site that is rendered beforehand is bundled once more for that.
      apply: (_, { isSsrBuild }) => !isSsrBuild,
      generateBundle(_, bundle) {
        note(bundle);
        const source = noticesOf(packagesOf(modules));
        this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY.txt', source });
      },
    },
    worker: { name: 'notices of a worker', generateBundle: (_, bundle) => note(bundle) },
  };
}
