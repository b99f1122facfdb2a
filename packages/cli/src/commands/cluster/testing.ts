// The program as a process, for tests that kill it: bundled from the sources into a folder where it finds the packages of the
// repository.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { assets } from '../../../../../scripts/bundle/assets.mjs';
import { kernelModules } from '../../../../../scripts/kernels.mjs';
import type { Outcome } from '../../testing.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Bundles the program and the package of the cluster, which share their modules, and returns the program's file. */
export async function buildProgram(): Promise<string> {
  const folder = join(root, '.cache', `cluster-test-${process.pid}`);
  const cluster = 'node_modules/@nearfield/cluster';
  await build({
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    external: [
      'pg',
      'pg-boss',
      'webgpu',
      'web-ifc',
      'occt-import-js',
      'commander',
      'string-width',
      'draco3dgltf',
      'saxes',
    ],
    tsconfig: 'tsconfig.json',
    plugins: [assets(kernelModules)],
    entryPoints: { main: 'packages/cli/src/main.ts', [`${cluster}/index`]: 'packages/cluster/src/index.ts' },
    outdir: folder,
    // Packages that are CommonJS ask for it.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'error',
  });
  mkdirSync(join(folder, cluster), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, cluster, 'package.json'),
    '{ "name": "@nearfield/cluster", "type": "module", "exports": "./index.js" }',
  );
  return join(folder, 'main.js');
}

/** Starts the program. `outcome` resolves when it has ended. */
export function startProgram(
  file: string,
  cwd: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): { readonly process: ChildProcess; readonly outcome: Promise<Outcome> } {
  const child = spawn(process.execPath, [file, ...words], {
    ...{ cwd, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { ...process.env, ...environment },
  });
  let [out, err] = ['', ''];
  child.stdout!.on('data', chunk => (out += chunk));
  child.stderr!.on('data', chunk => (err += chunk));
  const outcome = new Promise<Outcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', status => resolve({ status: status ?? -1, out, err }));
  });
  return { process: child, outcome };
}
