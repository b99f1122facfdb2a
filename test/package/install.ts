// Packs the packages and installs them into an empty folder, once for all files of this folder.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { runNpm } from '../../scripts/setup.mjs';

const root = resolve(import.meta.dirname, '../..');
const npm = (args: string[], cwd: string) =>
  runNpm(args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** What npm says it packed. */
export interface Packed {
  readonly name: string;
  /** Bytes of the archive. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the packages are installed. */
    folder: string;
    packed: readonly Packed[];
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'nearfield-package-'));
  // Without "prepack": the tests have built already, and what a build prints is no JSON.
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const each = ['nearfield', 'io', 'cluster', 'cli'].map(name => `--workspace=packages/${name}`);
  const packed: Packed[] = JSON.parse(npm([...words, ...each], root));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'installed', version: '0.0.0', private: true, type: 'module' }),
  );
  // The cluster is optional: the command line works without.
  const archives = readdirSync(folder).filter(name => /^(?!nearfield-cluster).*\.tgz$/.test(name));
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--omit=optional'];
  npm(['install', ...quiet, ...archives.map(name => `./${name}`)], folder);
  project.provide('folder', folder);
  project.provide('packed', packed);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Lets what is installed import packages of the repository: peers that an application would install itself. */
export function link(folder: string, ...names: readonly string[]): void {
  for (const name of names) {
    const to = join(folder, 'node_modules', name);
    mkdirSync(dirname(to), { recursive: true });
    // Windows lets everyone make a junction, but not a link.
    symlinkSync(join(root, 'node_modules', name), to, 'junction');
  }
}
