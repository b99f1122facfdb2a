// Builds every package into its dist folder: kernels, bundled ES modules, and types.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { assets } from './bundle/assets.mjs';
import { documentQuestions, pruneDeclarations } from './bundle/declarations.mjs';
import { buildJobs, jobsIn } from './bundle/jobs.mjs';
import { noticesOf, packagesOf } from './bundle/notices.mjs';
import { tidyModules } from './bundle/tidy.mjs';
import { buildKernels, kernelModules } from './kernels.mjs';
import { buildReportScripts } from './report-scripts.mjs';
import { checkUsage } from './usage.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const common = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  packages: 'external',
  // Without tsconfig.json: its `paths` lead to the sources of the other packages, and each bundle would carry
  // its own copy of them, with errors and meshes that are not instances of each other's classes.
  tsconfigRaw: {},
  plugins: [assets(kernelModules)],
  logLevel: 'warning',
};

/** Packages that are not published: each package that uses them contains a copy. */
const withPrivate = {
  alias: {
    '@nearfield/clashes': `${root}packages/clashes/src/index.ts`,
    '@nearfield/samples': `${root}packages/samples/src/index.ts`,
  },
};

/** @param {{ types?: boolean }} options */
export async function buildAll({ types = true } = {}) {
  await buildKernels();
  const report = await buildReportScripts();
  for (const name of ['nearfield', 'io', 'cluster', 'cli']) {
    rmSync(`packages/${name}/dist`, { recursive: true, force: true });
    copyFileSync('LICENSE', `packages/${name}/LICENSE`);
  }
  // All entries at once: what two of them need is a file of its own, so that every class and every engine's parts exist once.
  await build({
    ...common,
    platform: 'neutral',
    entryPoints: {
      ...Object.fromEntries(
        Object.entries(libraryEntries()).map(([name, types]) => [name, `packages/nearfield/src/${types}.ts`]),
      ),
      // The code of `open` is a file of its own, so that a page which only opens the library does not get the other exports of
      // index.ts.
      'shared/open': 'packages/nearfield/src/nearfield.ts',
    },
    splitting: true,
    // This replaces constants of other files by their values, which an application's own build cannot do.
    minifySyntax: true,
    // Files that are loaded later are named after their source, for developers who look at what a page downloads.
    chunkNames: 'shared/[name]-[hash]',
    outdir: 'packages/nearfield/dist',
  });
  tidyModules('packages/nearfield/dist');
  // The module that names this file by its address is in the same folder, because several entries need it.
  const jobs = await buildJobs(jobsIn('packages/nearfield/dist/shared'));
  writeFileSync('packages/nearfield/dist/THIRD-PARTY.txt', noticesOf(packagesOf(jobs)));
  await build({
    ...common,
    platform: 'neutral',
    entryPoints: ['packages/io/src/index.ts', 'packages/io/src/png.ts'],
    splitting: true,
    chunkNames: 'shared/[hash]',
    outdir: 'packages/io/dist',
  });
  await build({
    ...common,
    platform: 'node',
    entryPoints: ['packages/cluster/src/index.ts'],
    outdir: 'packages/cluster/dist',
  });
  const { metafile } = await build({
    ...common,
    platform: 'node',
    ...withPrivate,
    metafile: true,
    entryPoints: {
      main: 'packages/cli/src/main.ts',
      'frames-thread': 'packages/cli/src/frames/frames-thread.ts',
      'read-thread': 'packages/cli/src/input/reading/read-thread.ts',
    },
    // main.js handles signals and then loads the rest, which imports packages: those of one file are loaded before it runs.
    splitting: true,
    chunkNames: '[name]-[hash]',
    outdir: 'packages/cli/dist',
    // It installs in less than 10 MB. Errors say in words what is wrong, so names may go.
    minify: true,
  });
  writeFileSync(
    'packages/cli/dist/THIRD-PARTY.txt',
    noticesOf(packagesOf([...Object.keys(metafile.inputs), ...report.modules])),
  );
  await buildBench();
  await buildStudio();
  if (types) {
    for (const [name, entries] of [
      ['nearfield', Object.values(libraryEntries())],
      ['io', ['index', 'png']],
      ['cluster', ['index']],
    ]) {
      // Called by its path: npx takes a second to find it.
      const words = ['node_modules/typescript/bin/tsc', '-p', `packages/${name}/tsconfig.json`];
      execFileSync(process.execPath, words, { stdio: 'inherit' });
      pruneDeclarations(`packages/${name}/dist`, entries);
      widenTypes(`packages/${name}/dist`);
    }
    documentQuestions('packages/nearfield/dist', ['scene', 'cpu-scene']);
  }
}

/**
 * The library's entry points, as its package.json lists them: from the name of the built file to the path of its
 * declarations, which is also the path of its source.
 */
function libraryEntries() {
  const { exports } = JSON.parse(readFileSync('packages/nearfield/package.json', 'utf8'));
  const entries = Object.values(exports).filter(entry => typeof entry === 'object');
  return Object.fromEntries(
    entries.map(entry => [
      /^\.\/dist\/(.+)\.js$/.exec(entry.default)[1],
      /^\.\/dist\/(.+)\.d\.ts$/.exec(entry.types)[1],
    ]),
  );
}

/** Before TypeScript 5.7 typed arrays take no type argument: declarations do without, which says a little less. */
function widenTypes(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    const wider = text.replace(
      /\b((?:Float|Int|Uint|BigInt|BigUint)\d+(?:Clamped)?Array)<ArrayBuffer(?:Like)?>/g,
      '$1',
    );
    if (wider !== text) writeFileSync(file, wider);
  }
}

/** The benches, which are not published; and single files that run them on a machine without a clone. */
async function buildBench() {
  rmSync('bench/dist', { recursive: true, force: true });
  // The library's threads look for their jobs beside the file that it is bundled into.
  await buildJobs(jobsIn('bench/dist'));
  const frames = 'bench/dist/frames-thread.js';
  await build({
    ...common,
    platform: 'node',
    packages: 'bundle',
    ...withPrivate,
    // What reads compressed and computed formats is loaded only for such files.
    external: ['webgpu', 'draco3d', 'draco3dgltf', 'web-ifc', 'occt-import-js'],
    entryPoints: ['packages/cli/src/frames/frames-thread.ts'],
    outfile: frames,
    minify: true,
  });
  await build({
    ...common,
    platform: 'node',
    ...withPrivate,
    entryPoints: [
      'main',
      'programs/record',
      'programs/assembly-file',
      'programs/boxes-file',
      'programs/triangles-file',
      'programs/many-boxes',
      'programs/command-line',
      'run/engine-process',
    ].map(name => `bench/src/${name}.ts`),
    entryNames: '[name]',
    outdir: 'bench/dist',
  });
  await build({
    ...common,
    platform: 'node',
    packages: 'bundle',
    ...withPrivate,
    // What reads compressed and computed formats is loaded only for such files.
    external: ['webgpu', 'draco3d', 'draco3dgltf', 'web-ifc', 'occt-import-js'],
    entryPoints: {
      device: 'bench/src/programs/device.ts',
      papers: 'bench/src/papers/device.ts',
      shards: 'bench/src/programs/shards.ts',
      threads: 'bench/src/programs/threads.ts',
      auto: 'bench/src/programs/auto.ts',
    },
    plugins: [
      ...common.plugins,
      textOf('library-jobs', jobsIn('bench/dist')),
      textOf('frames-thread', frames),
    ],
    outExtension: { '.js': '.mjs' },
    outdir: 'bench/dist',
  });
}

/** An esbuild plugin: a module with the text of a file. */
const textOf = (name, file) => ({
  name,
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({
      path: join(root, file),
      namespace: name,
    }));
    builder.onLoad({ filter: /.*/, namespace: name }, ({ path }) => ({
      contents: readFileSync(path, 'utf8'),
      loader: 'text',
    }));
  },
});

/** The page, which the command line serves and carries. It takes longest, so it is left alone where nothing changed. */
async function buildStudio() {
  const stamp = stampOf(
    [
      'studio',
      'packages/nearfield/dist',
      'packages/io/dist',
      'packages/clashes/src',
      'packages/samples/src',
      'bench/src',
      'bench/results',
    ],
    ['package-lock.json', 'packages/cli/package.json', 'scripts/bundle/notices.mjs'],
  );
  const kept = 'studio/dist/stamp';
  if (!existsSync(kept) || readFileSync(kept, 'utf8') !== stamp) {
    const { build: bundle } = await import('vite');
    await bundle({ configFile: 'studio/vite.config.ts', logLevel: 'warn' });
    writeFileSync(kept, stamp);
  }
  // Editors complete rules files by it.
  cpSync('packages/clashes/rules.schema.json', 'packages/cli/dist/rules.schema.json');
  rmSync('packages/cli/dist/studio', { recursive: true, force: true });
  cpSync('studio/dist', 'packages/cli/dist/studio', {
    recursive: true,
    // Packages that are installed beside the command line need not be in it.
    filter: file => !/stamp$|[\\/]dist[\\/]packages$/.test(file),
  });
  packAssets('packages/cli/dist/studio/assets');
}

/** Replaces scripts, styles and WebAssembly by gzip files. They are most of what the command line installs, and browsers accept gzip. */
function packAssets(folder) {
  for (const name of readdirSync(folder).filter(name => /\.(js|css|wasm)$/.test(name))) {
    const file = join(folder, name);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
    rmSync(file);
  }
}

/** A hash of all files in folders, less what was built from them, and of some files. */
function stampOf(folders, files) {
  const hash = createHash('sha256');
  const inFolders = folders.flatMap(folder =>
    readdirSync(folder, { recursive: true }).map(name => join(folder, name)),
  );
  for (const file of inFolders.sort()) {
    const isBuilt = /^studio.dist|\.d\.ts$/.test(file);
    if (!isBuilt && statSync(file).isFile()) hash.update(file).update(readFileSync(file));
  }
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkUsage(
    `usage: node scripts/build.mjs [--no-types]   (npm run build)
Builds the kernels, packages/*/dist, bench/dist and studio/dist. --no-types leaves out the declarations, which take longest.`,
    ['--no-types'],
  );
  await buildAll({ types: !process.argv.includes('--no-types') });
}
