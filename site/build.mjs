// `npm run docs`: writes the site to site/dist, unless a link is dead or a program stale. Pages come from the
// documents of this repository; the API reference from the comments of the library's types, the command line's from
// its own help, the plots of the benchmarks from their results.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { buildAll } from '../scripts/build.mjs';
import { checkUsage } from '../scripts/usage.mjs';
import { writeApi } from './api.mjs';
import { writeBenchmarks } from './benchmarks.mjs';
import { checkSite } from './check.mjs';
import { writeDownloads } from './downloads.mjs';
import { staleBlockLines, staleExampleLines } from './programs.mjs';
import { copySources } from './sources.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const generated = join(root, 'site/generated');
const out = join(root, 'site/dist');

const base = process.argv.find(word => word.startsWith('--base='))?.slice('--base='.length) ?? '/';
checkUsage(
  `usage: npm run docs [-- --built] [--part] [--base=/FOLDER/]
Writes the site to site/dist, as static files for any web server. --built takes the packages and the studio as they were built last.
--part leaves out the API reference, which takes longest, the studio and the colours of programs: it checks all other pages. --base is the folder of the web server
in which the site will lie, if it is not the topmost one.`,
  ['--built', '--part', `--base=${base}`],
);
if (!/^\/([\w.-]+\/)*$/.test(base)) throw new Error(`--base is a path such as /nearfield/, not ${base}`);
process.env.NEARFIELD_SITE_BASE = base;
const isPart = process.argv.includes('--part');
if (isPart) process.env.NEARFIELD_SITE_PART = '1';
process.chdir(root);
if (!process.argv.includes('--built')) await buildAll();
const stale = [...(await staleBlockLines()), ...(await staleExampleLines())];
if (stale.length > 0)
  throw new Error(`programs of the documents or examples are stale:\n${stale.join('\n')}`);
rmSync(generated, { recursive: true, force: true });
if (!isPart) await writeApi(generated);
writeCommands();
writeBenchmarks(generated);
await build('site');
copySources(out, base);
await writeDownloads(out);
cpSync('docs/gearbox.png', join(out, 'gearbox.png'));
if (!isPart)
  cpSync('studio/dist', join(out, 'studio'), { recursive: true, filter: file => !file.endsWith('stamp') });
checkSite(out, base, isPart ? ['api/', 'studio/'] : []);
console.log(
  'site/dist is the site: serve it with any web server, for example npx vite preview --outDir site/dist',
);

/** What the command line prints with `--help`. */
function writeCommands() {
  write('cli/help.md', execFileSync(process.execPath, ['site/commands.mjs'], { encoding: 'utf8' }));
}

function write(name, text) {
  const file = join(generated, name);
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
