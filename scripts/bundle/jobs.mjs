// Bundles what threads run, from the sources: the library's jobs, as one file without imports, so that builds of applications can copy
// it as it is; and for the tests the threads of the command line, each beside the source that names it.
import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildKernels, kernelModules } from '../kernels.mjs';
import { assets } from './assets.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The file in a folder. */
export const jobsIn = folder => join(folder, 'jobs.js');

/**
 * @param {string} outfile
 * @returns {Promise<string[]>} the modules in it
 */
export const buildJobs = outfile =>
  bundle('packages/nearfield/src/jobs.ts', outfile, {
    platform: 'neutral',
    mainFields: ['module', 'main'],
    tsconfigRaw: {},
    minify: true,
  });

async function bundle(entry, outfile, options) {
  const partial = `${outfile}.${process.pid}.partial`;
  const { metafile } = await build({
    ...{ bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning' },
    ...{ metafile: true, absWorkingDir: root },
    plugins: [assets(kernelModules)],
    entryPoints: [join(root, entry)],
    outfile: partial,
    ...options,
  });
  mkdirSync(dirname(outfile), { recursive: true });
  // At once: threads of other test runs may be importing it.
  renameSync(partial, outfile);
  return Object.keys(metafile.inputs).map(path => join(root, path));
}

/** Before tests: what threads run, as its sources are now. */
export default async function setup() {
  await buildKernels();
  await buildJobs(jobsIn(join(root, 'packages/nearfield/src/cpu/threads')));
  for (const thread of ['frames/frames-thread', 'input/reading/read-thread']) {
    const path = join('packages/cli/src', thread);
    await bundle(`${path}.ts`, join(root, `${path}.js`), {
      ...{ platform: 'node', packages: 'external', tsconfig: join(root, 'tsconfig.json') },
    });
  }
}
