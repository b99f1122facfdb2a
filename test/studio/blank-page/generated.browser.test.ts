// Generated shapes, samples and scenes of the benches have the same bits in Chromium as in Node, although their
// engines differ in the last digits of Math.sin and similar functions.

import { resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { openBlank, useStudio } from '../rig.ts';
import { hashesOfGenerated } from './generated.ts';

useStudio();

const root = resolve(import.meta.dirname, '../../..');

test('generated data has the same bits in this browser and in Node', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { hashesOfGenerated } from './test/studio/blank-page/generated.ts';
        globalThis.hashes = hashesOfGenerated();`,
      resolveDir: root,
      loader: 'ts',
    },
    ...{ bundle: true, format: 'esm', write: false, target: 'es2022', tsconfigRaw: {}, external: ['webgpu'] },
    loader: { '.wasm': 'binary', '.wgsl': 'text' },
    alias: {
      '@nearfield/samples': `${root}/packages/samples/src/index.ts`,
      nearfield: `${root}/packages/nearfield/src/index.ts`,
    },
  });
  const page = await openBlank();
  await page.addScriptTag({ type: 'module', content: outputFiles[0].text });
  const there = page.evaluate(
    () => (globalThis as unknown as { hashes: ReturnType<typeof hashesOfGenerated> }).hashes,
  );
  const here = await hashesOfGenerated();
  expect(await there).toEqual(here);
  // Every hash covers many numbers, so no value was skipped by the hash.
  for (const [name, hash] of Object.entries(here))
    expect(Number.parseInt(hash, 10), name).toBeGreaterThan(50);
  await page.context().close();
});
