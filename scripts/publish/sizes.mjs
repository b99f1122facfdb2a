// What a page downloads for a part of the library: bundled and minified by Vite as an application's build does it, compressed by gzip.
// Everything needed to run is counted, kernels included.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { checkUsage } from '../usage.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = `${root}packages/nearfield/dist/`;

const onCpu = (...questions) =>
  [
    `export { openCpu } from 'nearfield/cpu'; export { mesh } from 'nearfield/mesh';`,
    ...questions.map(([names, entry]) => `export { ${names} } from 'nearfield/${entry}';`),
  ].join('\n');

const interferences = ['interferences, interferencesSync', 'interferences'];
const distances = ['distance, within, closest, distanceSync, withinSync, closestSync', 'distance'];

const opened = `import { mesh, open } from 'nearfield';
export async function page(positions, indices) {
  const scene = (await open()).scene();
  scene.add(mesh(positions, indices));
  return scene.interferences();
}`;
const onGpu = ['open-gpu', 'interferences/gpu-driver'];

/**
 * What applications import, on the CPU unless it says otherwise, by the name README.md gives it: the program, and how large it may be at
 * most, in thousands of bytes after gzip: about 3 % more than it is.
 */
export const programs = {
  meshes: { code: `export { mesh } from 'nearfield/mesh';`, most: 4.7 },
  'meshes and shapes': {
    code: `export { mesh } from 'nearfield/mesh'; export * as shapes from 'nearfield/shapes';`,
    most: 15.8,
  },
  'interferences with relations': { code: onCpu(interferences), most: 90 },
  'interferences and distances': { code: onCpu(interferences, distances), most: 130 },
  penetration: { code: onCpu(['penetration', 'penetration']), most: 120 },
  contacts: { code: onCpu(['contacts', 'contacts']), most: 97 },
  overlap: { code: onCpu(['overlap', 'overlap']), most: 94 },
  rays: { code: onCpu(['rays, raysSync', 'rays']), most: 45 },
  'boxes and spheres': { code: onCpu(['inBox, inBoxSync, inSphere, inSphereSync', 'regions']), most: 46 },
  motion: { code: onCpu(['firstContact', 'motion']), most: 148 },
  'fields and distance maps': {
    code: onCpu(['field, intersectionVolume, distanceMap', 'sampled']),
    most: 98,
  },
  particles: { code: onCpu(['particles', 'particles']), most: 62 },
};

/**
 * What a page that imports `open` downloads, in the same way: at first, and with what it has `loaded` since, by the sources that it
 * loads by `import()`.
 */
export const openedPrograms = {
  'at first': { code: opened, most: 45.5 },
  'after `scene.interferences()` on the CPU': { code: opened, loaded: ['interferences'], most: 115 },
  'after `scene.interferences()` on a GPU': { code: opened, loaded: [...onGpu, 'interferences'], most: 168 },
  'after `scene.distance()` on the CPU': { code: opened, loaded: ['nearness'], most: 200 },
  "with every synchronous form, by `open({ backend: 'cpu' })`": {
    code: opened,
    loaded: ['cpu-forms'],
    most: 348,
  },
  'all files of the library (no page downloads them all)': {
    code: `export * from 'nearfield';`,
    loaded: 'all',
    most: 570,
  },
};

/** The bytes of a program: minified, and compressed file by file. @returns {Promise<{ minified: number, compressed: number }>} */
export async function sizeOf({ code, loaded = [] }) {
  if (!builds.has(code)) builds.set(code, filesOf(code));
  const files = await builds.get(code);
  const counted = loaded === 'all' ? files : downloaded(files, loaded);
  const bytes = count => counted.reduce((sum, file) => sum + count(file.code), 0);
  return {
    minified: bytes(text => Buffer.byteLength(text)),
    compressed: bytes(text => gzipSync(text, { level: 9 }).length),
  };
}

/** The files of the programs that were built, by their code. */
const builds = new Map();

/** Builds a program as an application's build does it. */
async function filesOf(code) {
  const { build } = await import('vite');
  const entry = 'virtual:program';
  const { output } = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'program',
        resolveId: id => (id === entry ? `${root}${entry}` : undefined),
        load: id => (id === `${root}${entry}` ? code : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      // What Vite adds for old browsers is no part of the library.
      modulePreload: { polyfill: false },
      rollupOptions: { input: entry, preserveEntrySignatures: 'strict' },
    },
  });
  return output.filter(({ type }) => type === 'chunk');
}

/** The files of a page: its own, with those that they import, and the same for each source that it has loaded. */
function downloaded(files, sources) {
  const found = new Set();
  reach(files, files.find(({ isEntry }) => isEntry).fileName, found);
  for (const source of sources) {
    const module = builtFile(source);
    const file = files.find(({ modules }) => module in modules);
    if (file === undefined) throw new Error(`the page never loads ${source}`);
    reach(files, file.fileName, found);
  }
  return [...found];
}

/** Adds a file and those it imports, without what is loaded later. */
function reach(files, name, found) {
  const file = files.find(({ fileName }) => fileName === name);
  if (file === undefined || found.has(file)) return;
  found.add(file);
  for (const other of file.imports) reach(files, other, found);
}

/**
 * The file of the built library that has a source: an entry point, or the file of its name. If several files have that name, the one that is
 * loaded under the name of its folder.
 */
function builtFile(source) {
  if (existsSync(`${built}${source}.js`)) return `${built}${source}.js`;
  const all = readdirSync(`${built}shared`);
  const named = all.filter(name => name.startsWith(`${basename(source)}-`));
  const isLoaded = name => {
    const loader = `${dirname(source)}: () => import("./${name}")`;
    return all.some(other => readFileSync(`${built}shared/${other}`, 'utf8').includes(loader));
  };
  const found = named.length === 1 ? named : named.filter(isLoaded);
  if (found.length !== 1) throw new Error(`${source} is in ${found.length} built files`);
  return `${built}shared/${found[0]}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkUsage(`usage: node scripts/publish/sizes.mjs
Prints what a page downloads for parts of the library (of packages/nearfield/dist: build first).`);
  for (const [name, program] of Object.entries({ ...programs, ...openedPrograms })) {
    const { minified, compressed } = await sizeOf(program);
    const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} KB`.padStart(10);
    const limit = program.most === undefined ? '' : ` (at most ${program.most})`;
    console.log(`${name.padEnd(60)}${kilobytes(minified)}${kilobytes(compressed)} gzip${limit}`);
  }
}
