// Programs for tests of a whole process: bundled from the sources, and run by Node in a process of their own.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { assets } from '../../scripts/bundle/assets.mjs';
import { kernelModules } from '../../scripts/kernels.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** How a process ended, and what it wrote. */
export interface Ended {
  /** Null if it was ended because it ran too long. */
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a program of the repository, given by its path or its text. `node` are options of Node. */
export async function runProgram(
  program: { readonly file: string } | { readonly text: string },
  { node = [], words = [] }: { readonly node?: readonly string[]; readonly words?: readonly string[] } = {},
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'nearfield-child-'));
  try {
    const outfile = join(folder, 'program.mjs');
    await build({
      ...('file' in program
        ? { entryPoints: [program.file] }
        : { stdin: { contents: program.text, resolveDir: root, loader: 'ts' as const } }),
      ...{ outfile, absWorkingDir: root, bundle: true, format: 'esm', platform: 'node', target: 'es2022' },
      ...{ tsconfig: 'tsconfig.json', external: ['webgpu'], logLevel: 'error' },
      plugins: [assets(kernelModules)],
    });
    return await new Promise(resolve => {
      const child = execFile(
        process.execPath,
        [...node, outfile, ...words],
        { timeout: 50_000 },
        (_, out, err) => resolve({ status: child.exitCode, out, err }),
      );
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
