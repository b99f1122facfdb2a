import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Tests that put modules in place of others, or load them anew: Vite's module runner can, Node's cannot. */
const mocked = ['packages/nearfield/src/gpu/driver.test.ts', 'packages/io/src/gltf/gltf.test.ts'];

/** What the build bundles as text (.wgsl) or bytes (.wasm), the tests import the same way. */
const assets: Plugin = {
  name: 'assets',
  enforce: 'pre',
  async load(id) {
    if (id.endsWith('.wgsl')) return `export default ${JSON.stringify(await readFile(id, 'utf8'))}`;
    if (id.endsWith('.wasm')) {
      const base64 = (await readFile(id)).toString('base64');
      return `export default Uint8Array.from(atob('${base64}'), c => c.charCodeAt(0))`;
    }
    return null;
  },
};

// Node loads the modules of all other tests itself: hooks.mjs says how, and why.
const hooks = source('test/modules/register.mjs');
const native = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // Oracles make much that is soon forgotten: with more room for it, all tests on the CPU take a seventh less. And most of what
  // runs in tests runs shortly: optimised eight times as late as usual, less of it is, for half of what compiling costs.
  execArgv: ['--enable-source-maps', '--max-semi-space-size=64', '--interrupt-budget=540000'],
};

/**
 * At their ends a device is lost that others have compiled kernels for: of the software GPU the one that the first of these leaves
 * to the second, of the browser that of the page that all tests share. Another would have to compile all of them anew.
 */
const last = [
  'src/gpu/engine.gpu.test.ts',
  'held-by-what-is-no-buffer.gpu.test.ts',
  'scenes.browser.test.ts',
];
class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => last.findIndex(name => moduleId.endsWith(name));
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

/** GPU tests (`*.gpu.test.ts`) share one process and one device; run them under `npm run soft-gpu`. */
export default defineConfig({
  plugins: [assets],
  resolve: {
    alias: {
      // Each before the entry that its name begins with.
      '@nearfield/io/png': source('packages/io/src/png.ts'),
      '@nearfield/io': source('packages/io/src/index.ts'),
      '@nearfield/report': source('packages/report/src/index.ts'),
      '@nearfield/samples': source('packages/samples/src/index.ts'),
      'nearfield-bench/page': source('bench/src/page.ts'),
      'nearfield/three': source('packages/nearfield/src/three/index.ts'),
      nearfield: source('packages/nearfield/src/index.ts'),
    },
  },
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    sequence: { sequencer: Order },
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
            ...mocked,
          ],
          ...native,
          setupFiles: hooks,
          // A process for every file would load and compile everything again, a quarter of what all tests cost.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'cpu-mocked', include: mocked } },
      {
        extends: true,
        test: {
          name: 'gpu',
          include: ['packages/**/*.gpu.test.ts', 'test/**/*.gpu.test.ts'],
          ...native,
          setupFiles: [hooks, source('test/patient-polling.ts')],
          // A software GPU shares the processors with all else that runs.
          testTimeout: 240_000,
          hookTimeout: 240_000,
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
          ...native,
          setupFiles: hooks,
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          pool: 'forks',
          fileParallelism: false,
          maxWorkers: 1,
        },
      },
      {
        extends: true,
        test: { name: 'package', include: ['test/package/**/*.test.ts'], testTimeout: 300_000 },
      },
    ],
  },
});
