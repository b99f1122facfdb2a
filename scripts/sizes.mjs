// What a page downloads for a part of the library: bundled and minified by Vite as an application's build does it, compressed by gzip.
// Everything needed to run is counted, kernels included.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { checkUsage } from './usage.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const onCpu = (...questions) =>
  [
    `export { openCpu } from 'nearfield/cpu'; export { mesh } from 'nearfield/mesh';`,
    ...questions.map(([names, entry]) => `export { ${names} } from 'nearfield/${entry}';`),
  ].join('\n');

const interferences = ['interferences, interferencesSync', 'interferences'];
const distances = ['distance, within, closest, distanceSync, withinSync, closestSync', 'distance'];

/**
 * What applications import, on the CPU unless it says otherwise, by the name README.md gives it: the program, and how large it may be at
 * most, in thousands of bytes after gzip: about 3 % more than it is. What is loaded later, when a GPU is opened, counts for the complete
 * library alone, and there all of it.
 */
export const programs = {
  meshes: { code: `export { mesh } from 'nearfield/mesh';`, most: 4.7 },
  'meshes and shapes': {
    code: `export { mesh } from 'nearfield/mesh'; export * as shapes from 'nearfield/shapes';`,
    most: 15.8,
  },
  'interferences with relations': { code: onCpu(interferences), most: 90 },
  'interferences and distances': { code: onCpu(interferences, distances), most: 122 },
  penetration: { code: onCpu(['penetration', 'penetration']), most: 116 },
  contacts: { code: onCpu(['contacts', 'contacts']), most: 95 },
  overlap: { code: onCpu(['overlap', 'overlap']), most: 92 },
  rays: { code: onCpu(['rays, raysSync', 'rays']), most: 41 },
  motion: { code: onCpu(['firstContact', 'motion']), most: 135 },
  'fields and distance maps': {
    code: onCpu(['field, intersectionVolume, distanceMap', 'sampled']),
    most: 86,
  },
  particles: { code: onCpu(['particles', 'particles']), most: 61 },
  'everything, with the GPU': {
    code: `export * from 'nearfield';`,
    // 38 of these are in two files that few pages load: visibility, and the sampling methods as their papers published them.
    most: 495,
    isComplete: true,
  },
};

/** The bytes of a program: minified, and compressed file by file. @returns {Promise<{ minified: number, compressed: number }>} */
export async function sizeOf({ code, isComplete = false }) {
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
  const files = output.filter(({ type }) => type === 'chunk');
  const counted = isComplete ? files : reached(files, files.find(({ isEntry }) => isEntry).fileName);
  const bytes = count => counted.reduce((sum, file) => sum + count(file.code), 0);
  return {
    minified: bytes(text => Buffer.byteLength(text)),
    compressed: bytes(text => gzipSync(text, { level: 9 }).length),
  };
}

/** The files that one imports, and those imported by them, without what is loaded later. */
function reached(files, name, found = new Set()) {
  const file = files.find(({ fileName }) => fileName === name);
  if (file === undefined || found.has(file)) return [...found];
  found.add(file);
  for (const other of file.imports) reached(files, other, found);
  return [...found];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkUsage(`usage: node scripts/sizes.mjs
Prints what a page downloads for parts of the library (of packages/nearfield/dist: build first).`);
  for (const [name, program] of Object.entries(programs)) {
    const { minified, compressed } = await sizeOf(program);
    const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} KB`.padStart(10);
    const limit = program.most === undefined ? '' : ` (at most ${program.most})`;
    console.log(`${name.padEnd(32)}${kilobytes(minified)}${kilobytes(compressed)} gzip${limit}`);
  }
}
