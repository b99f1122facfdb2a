import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { shortenKernel } from './scripts/bundle/wgsl.mjs';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What the build bundles as text (.wgsl) or bytes (.wasm), the tests import the same way: kernels as they are published. */
const assets: Plugin = {
  name: 'assets',
  enforce: 'pre',
  async load(id) {
    if (id.endsWith('.wgsl')) {
      return `export default ${JSON.stringify(shortenKernel(await readFile(id, 'utf8')))}`;
    }
    if (id.endsWith('.wasm')) {
      const base64 = (await readFile(id)).toString('base64');
      return `export default Uint8Array.from(atob('${base64}'), c => c.charCodeAt(0))`;
    }
    return null;
  },
};

/** A full run (`npm run test:full`) has tests that take many minutes each. */
const limit = (milliseconds: number) => (process.env['NEARFIELD_SLOW'] ? 3_600_000 : milliseconds);

/** GPU tests (`*.gpu.test.ts`) share one process and one device; run them under `npm run soft-gpu`. */
export default defineConfig({
  plugins: [assets],
  resolve: {
    alias: [
      { find: /^@nearfield\/io\/png$/, replacement: source('packages/io/src/png.ts') },
      { find: /^@nearfield\/(io|clashes|cluster|samples)$/, replacement: source('packages/$1/src/index.ts') },
      { find: /^nearfield-bench\/page$/, replacement: source('bench/src/page.ts') },
      { find: /^nearfield$/, replacement: source('packages/nearfield/src/index.ts') },
      { find: /^nearfield\/(three|shapes)$/, replacement: source('packages/nearfield/src/$1/index.ts') },
      { find: /^nearfield\/([\w-]+)$/, replacement: source('packages/nearfield/src/entries/$1.ts') },
    ],
  },
  test: {
    globalSetup: source('scripts/bundle/jobs.mjs'),
    testTimeout: limit(60_000),
    hookTimeout: limit(120_000),
    projects: [
      {
        extends: true,
        test: {
          name: 'cpu',
          include: [
            'packages/**/*.test.ts',
            'test/**/*.test.ts',
            'bench/**/*.test.ts',
            'studio/**/*.test.ts',
          ],
          exclude: [
            '**/node_modules/**',
            '**/dist/**',
            '**/*.gpu.test.ts',
            '**/*.browser.test.ts',
            'test/package/**',
          ],
          // A process for every file would load and compile everything again, a quarter of what all tests cost. Files run in
          // any order, so a test that mocks modules or changes globals puts them back.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'gpu',
          include: ['packages/**/*.gpu.test.ts', 'bench/**/*.gpu.test.ts', 'test/**/*.gpu.test.ts'],
          setupFiles: source('test/patient-polling.ts'),
          // A software GPU shares the processors with all else that runs.
          testTimeout: limit(240_000),
          hookTimeout: limit(240_000),
          pool: 'forks',
          fileParallelism: false,
          isolate: false,
          maxWorkers: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/**/*.browser.test.ts'],
          isolate: false,
          testTimeout: limit(120_000),
          hookTimeout: limit(120_000),
          pool: 'forks',
          fileParallelism: false,
          maxWorkers: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          globalSetup: source('test/package/install.ts'),
          testTimeout: 300_000,
        },
      },
    ],
  },
});
