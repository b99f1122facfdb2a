// What can be downloaded from the site: names of archives, and which of them an example or a package needs.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifestOf = folder => JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));
const published = readdirSync(`${root}packages`)
  .map(name => manifestOf(`packages/${name}`))
  .filter(({ private: isPrivate }) => isPrivate !== true);

/** File names as `npm pack` chooses them, by package. */
export const archiveOf = Object.fromEntries(
  published.map(({ name, version }) => [name, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`]),
);

/** The archive of the sources. */
export const sources = `nearfield-${manifestOf('packages/nearfield').version}-source.tgz`;

/** The published packages among some names, with those that they need, in the order of `archiveOf`. */
function withOwn(names) {
  const needed = new Set();
  const add = name => {
    const manifest = published.find(other => other.name === name);
    if (manifest === undefined || needed.has(name)) return;
    needed.add(name);
    Object.keys(manifest.dependencies ?? {}).forEach(add);
  };
  names.forEach(add);
  return Object.keys(archiveOf).filter(name => needed.has(name));
}

/** Which archives have to be installed for a package. */
export const packages = Object.fromEntries(Object.keys(archiveOf).map(name => [name, withOwn([name])]));

/** Which archives have to be installed for an example. Those without a package.json are files to copy. */
export const examples = Object.fromEntries(
  readdirSync(`${root}examples`)
    .filter(name => existsSync(`${root}examples/${name}/package.json`))
    .map(name => [name, withOwn(Object.keys(manifestOf(`examples/${name}`).dependencies))]),
);
