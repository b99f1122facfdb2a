// Threads in a page: web workers share the memory of the engine where the page is isolated, and give the same answers.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Served, serveFolder } from '../packages/cli/src/studio/serve.ts';
import { launchBrowser } from '../scripts/browser.mjs';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'nearfield-threads-'));
let served: Served | undefined;

beforeAll(async () => {
  const contents = `import { open, shapes } from 'nearfield';
globalThis.ask = async threads => {
  const nf = await open({ backend: 'cpu', threads });
  const scene = nf.scene();
  const sphere = shapes.displacedSphere({ triangles: 80_000 });
  scene.add(sphere);
  scene.add(sphere, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.01, 0.02, 0.015, 1] });
  const points = Float64Array.from({ length: 60_000 }, (_, i) => Math.sin(i));
  const answers = [];
  for (let round = 0; round < 4; round++) {
    const { pairs } = await scene.interferences();
    const { distances } = await scene.closest(scene.bodies[0], points);
    let hash = 0;
    for (const number of [...pairs[0].triangles, ...new Uint32Array(distances.buffer)]) hash = (31 * hash + number) | 0;
    answers.push(pairs[0].triangles.length, hash);
  }
  nf.close();
  return answers.join();
};`;
  await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    splitting: true,
    entryNames: 'main',
    outdir: folder,
    // Without tsconfig.json, whose paths lead to the sources: as built.
    tsconfigRaw: {},
    external: ['webgpu'],
    logLevel: 'error',
  });
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>t</title><script type="module" src="stdin.js"></script>',
  );
  writeFileSync(join(folder, 'stdin.js'), "import './main.js';");
  served = await serveFolder(folder, 0);
});
afterAll(async () => {
  await served?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('a page that is isolated has the answers of one thread from three', async () => {
  const browser = await launchBrowser({});
  try {
    const page = await browser.newPage();
    const workers: string[] = [];
    page.on('worker', worker => workers.push(worker.url()));
    await page.goto(served!.url);
    await page.waitForFunction('globalThis.ask');
    expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    const one = await page.evaluate('ask(1)');
    expect(workers).toEqual([]);
    expect(await page.evaluate('ask(3)')).toBe(one);
    expect(workers.length).toBeGreaterThan(0);
    expect(workers.every(url => url.startsWith('blob:'))).toBe(true);
  } finally {
    await browser.close();
  }
});
