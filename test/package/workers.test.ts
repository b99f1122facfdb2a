// Workers of a page, as Vite bundles them. By default it makes one file of a worker, which cannot load anything later: the CPU backend
// and its questions fit into that.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { withoutJobs } from './without-jobs.ts';

const folder = join(inject('folder'), 'page');

beforeAll(() => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="./main.js"></script>');
  writeFileSync(
    join(folder, 'single.js'),
    `import { openCpu } from 'nearfield/cpu';
import { interferences } from 'nearfield/interferences';
import { box } from 'nearfield/shapes';
async function answer() {
  const scene = (await openCpu()).scene();
  scene.add(box());
  scene.add(box(), { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0.25, 0.125, 1] });
  for (const { relation } of await interferences(scene)) postMessage(relation);
}
answer();`,
  );
  writeFileSync(
    join(folder, 'complete.js'),
    `import { open } from 'nearfield';
open({ backend: 'cpu' }).then(nf => postMessage(nf.backend));`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Bundles a page with a worker; the text of the worker's file. */
async function bundled(worker: string, options: InlineConfig = {}): Promise<string> {
  const main = `new Worker(new URL('./${worker}.js', import.meta.url)${options.worker?.format ? ", { type: 'module' }" : ''});`;
  writeFileSync(join(folder, 'main.js'), main);
  await build({ ...options, root: folder, configFile: false, logLevel: 'silent' });
  const assets = join(folder, 'dist/assets');
  const name = readdirSync(assets).find(file => file.startsWith(worker))!;
  return readFileSync(join(assets, name), 'utf8');
}

it('answers in a worker of the usual kind', async () => {
  const code = await bundled('single');
  expect(withoutJobs(code)).not.toMatch(/^\s*import\b|\bimport\(/);
  const main = 'globalThis.self = globalThis; globalThis.postMessage = text => console.log(text);\n';
  writeFileSync(join(folder, 'worker.cjs'), `${main}${code}`);
  const run = spawnSync('node', ['worker.cjs'], { cwd: folder, encoding: 'utf8' });
  expect(run.stderr).toBe('');
  expect(run.stdout).toBe('crossing\n');
});

it('needs worker: { format: "es" } for the complete library', async () => {
  // The files need not be small.
  const rollupOptions = { treeshake: false };
  const build = { minify: false, rollupOptions };
  await expect(bundled('complete', { build, worker: { rollupOptions } })).rejects.toThrow(/code-splitting/);
  expect(await bundled('complete', { build, worker: { format: 'es', rollupOptions } })).toMatch(/\bimport\(/);
});
