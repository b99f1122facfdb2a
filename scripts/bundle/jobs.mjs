// Bundles the library's jobs, which its threads import: one file without imports, so that builds of applications can copy it as it is.
// Beside the source that names it, for the tests and the studio's server; and into the built library.
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
export async function buildJobs(outfile) {
  const partial = `${outfile}.${process.pid}.partial`;
  const { metafile } = await build({
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    tsconfigRaw: {},
    plugins: [assets(kernelModules)],
    minify: true,
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
    entryPoints: [join(root, 'packages/nearfield/src/jobs.ts')],
    outfile: partial,
  });
  mkdirSync(dirname(outfile), { recursive: true });
  // At once: threads of other test runs may be importing it.
  renameSync(partial, outfile);
  return Object.keys(metafile.inputs).map(path => join(root, path));
}

/** Before tests: the jobs as their sources are now. */
export default async function setup() {
  await buildKernels();
  await buildJobs(jobsIn(join(root, 'packages/nearfield/src/cpu/threads')));
}
