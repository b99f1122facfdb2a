// Bundles the two scripts that a report carries, and writes them as a module that the command line, the studio and the
// tests import like any other: the table's script as text, the viewer's (most of it three.js) packed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';
import { noticesOf, packagesOf } from './bundle/notices.mjs';
import { checkUsage } from './usage.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}packages/clashes/src/report`;
const target = `${folder}/page-scripts.ts`;

/** Writes the module. Returns the sizes of the scripts in bytes, and the paths of the modules in them. */
export async function buildReportScripts() {
  const [table, viewer] = await Promise.all([
    bundle(`${folder}/table/page.ts`),
    bundle(`${folder}/viewer/viewer.ts`),
  ]);
  const packed = deflateRawSync(viewer.text, { level: 9 }).toString('base64');
  const notices = noticesOf(
    packagesOf([...table.modules, ...viewer.modules]),
    'The scripts of this page contain',
  );
  // A report has them in a comment.
  if (/<!--|--!?>/.test(notices))
    throw new Error('the notices of the report would end the comment they are in');
  const lines = [
    '// Written by scripts/report-scripts.mjs from table/page.ts and viewer/viewer.ts.\n',
    '/** The script of the table, and the hash by which the policy of the page allows it. */',
    `export const tableScript = ${JSON.stringify({ code: table.text, hash: hashOf(table.text) })};\n`,
    '/** The script of the viewer, packed as viewer/packed.ts unpacks it, and the hash of what comes out. */',
    `export const viewerScript = ${JSON.stringify({ packed, hash: hashOf(viewer.text) })};\n`,
    '/** Whose code the scripts contain, with the licences. */',
    `export const notices = ${JSON.stringify(notices)};\n`,
  ];
  const text = lines.join('\n');
  // Others compile when a file is newer: leave it alone where nothing changed.
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text);
  return {
    sizes: { table: table.text.length, viewer: viewer.text.length, packed: packed.length },
    modules: [...table.modules, ...viewer.modules],
  };
}

/** The text of a script, and the modules in it. */
async function bundle(entry) {
  const { outputFiles, metafile } = await build({
    ...{ entryPoints: [entry], absWorkingDir: root, write: false, metafile: true, logLevel: 'warning' },
    ...{
      bundle: true,
      minify: true,
      format: 'iife',
      target: 'es2022',
      platform: 'browser',
      charset: 'ascii',
    },
    // Only types come from the library.
    external: ['nearfield', '@nearfield/io'],
  });
  const [{ text }] = outputFiles;
  const trouble = /<\/script|<!--|<script/i.exec(text);
  if (trouble) throw new Error(`${entry}: "${trouble[0]}" would end the script element it is in`);
  return { text, modules: Object.keys(metafile.inputs).map(path => `${root}${path}`) };
}

const hashOf = text => `sha256-${createHash('sha256').update(text).digest('base64')}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkUsage(`usage: node scripts/report-scripts.mjs
Bundles the scripts of the report into packages/clashes/src/report/page-scripts.ts, and prints their sizes in bytes.`);
  console.log((await buildReportScripts()).sizes);
}
