// Archives that the site carries, so that a visitor needs no other address: the packages as npm would publish them, every example,
// and the sources.

import { createWriteStream, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { runNpm } from '../scripts/setup.mjs';
import { archiveOf, examples, sources } from './archives.mjs';

/** Writes everything below /downloads/. Takes the packages as they were built. */
export async function writeDownloads(out) {
  const folder = join(out, 'downloads');
  mkdirSync(join(folder, 'examples'), { recursive: true });
  const each = Object.keys(archiveOf).map(name => `--workspace=${name}`);
  runNpm(['pack', '--ignore-scripts', '--pack-destination', folder, ...each], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for (const name of Object.keys(examples))
    await archive(join(folder, 'examples', `${name}.tgz`), `examples/${name}`, name);
  await archive(join(folder, sources), '.', 'nearfield');
}

/** Writes all files of a folder, less what Git ignores, into an archive in which they lie in the folder `top`. */
async function archive(file, folder, top) {
  const entries = pack();
  const written = pipeline(entries, createGzip({ level: 9 }), createWriteStream(file));
  for (const name of filesIn(folder)) {
    const mode = statSync(join(folder, name)).mode & 0o777;
    entries.entry({ name: `${top}/${name}`, mode, mtime: new Date(0) }, readFileSync(join(folder, name)));
  }
  entries.finalize();
  await written;
}

/** The lines of .gitignore as patterns of paths. They know only names and single stars. */
const ignored = ['.git', ...readFileSync('.gitignore', 'utf8').split('\n').filter(Boolean)].map(line => {
  const pattern = line.replace(/[.+^$()|[\]{}?\\]/g, '\\$&').replaceAll('*', '[^/]*');
  return new RegExp(line.includes('/') ? `^${pattern}$` : `(?:^|/)${pattern}$`);
});

function filesIn(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .map(entry => ({ entry, path: below === '' ? entry.name : `${below}/${entry.name}` }))
    .filter(({ path }) => !ignored.some(pattern => pattern.test(path)))
    .flatMap(({ entry, path }) => (entry.isDirectory() ? filesIn(folder, path) : [path]))
    .sort();
}
