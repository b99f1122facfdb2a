// Threads in a page that Vite has bundled: web workers share the memory of the engine where the page is isolated, import the
// library's jobs, and give the same answers. Where the jobs cannot be imported, the calling thread does everything.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Served, serveFolder } from '../../packages/cli/src/studio/serve.ts';
import { launchBrowser } from '../../scripts/browser.mjs';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'nearfield-threads-'));
let served: Served | undefined;

const program = `import { open, shapes } from 'nearfield';
globalThis.ask = async threads => {
  const nf = await open({ backend: 'cpu', threads });
  const scene = nf.scene();
  const sphere = shapes.displacedSphere({ triangles: 80_000 });
  const moved = (x, y, z) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
  scene.add(sphere);
  scene.add(sphere, { pose: moved(0.01, 0.02, 0.015) });
  const parts = nf.scene();
  const ball = shapes.icosphere({ frequency: 3 });
  for (let i = 0; i < 400; i++) parts.add(ball, { pose: moved(3 * Math.sin(i), 3 * Math.sin(2 * i), 3 * Math.sin(3 * i)) });
  const points = Float64Array.from({ length: 60_000 }, (_, i) => Math.sin(i));
  const answers = [];
  for (let round = 0; round < 4; round++) {
    const { pairs } = await scene.interferences();
    const { distances } = await scene.closest(scene.bodies[0], points);
    let hash = 0;
    for (const number of [...pairs[0].triangles, ...new Uint32Array(distances.buffer)]) hash = (31 * hash + number) | 0;
    const { times } = await scene.rays(scene.bodies, points.subarray(0, 54_000));
    for (const number of new Uint32Array(times.buffer)) hash = (31 * hash + number) | 0;
    for (const place of await scene.inside(scene.bodies[0], points)) hash = (31 * hash + place) | 0;
    for (const { distance } of await parts.within(0.1)) hash = (31 * hash + Math.round(1e9 * distance)) | 0;
    const answer = await parts.interferences();
    const relations = await answer.relations();
    for (const number of new Uint32Array((await answer.points()).buffer)) hash = (31 * hash + number) | 0;
    answers.push(pairs[0].triangles.length, hash, relations.join(''));
  }
  nf.close();
  return answers.join();
};`;

beforeAll(async () => {
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>t</title><script type="module" src="./main.js"></script>',
  );
  writeFileSync(join(folder, 'main.js'), program);
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    // As built, and as an application has it installed.
    resolve: { alias: { nearfield: join(root, 'packages/nearfield/dist/index.js') } },
    build: { target: 'es2022', outDir: join(folder, 'dist') },
  });
  served = await serveFolder(join(folder, 'dist'), 0);
});
afterAll(async () => {
  await served?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs something with a page, and with what its workers have asked for. */
async function inPage(
  use: (page: Page, workers: string[], requests: string[]) => Promise<void>,
): Promise<void> {
  const browser = await launchBrowser({});
  try {
    const page = await browser.newPage();
    const workers: string[] = [];
    const requests: string[] = [];
    page.on('worker', worker => workers.push(worker.url()));
    page.on('request', request => requests.push(request.url()));
    await use(page, workers, requests);
  } finally {
    await browser.close();
  }
}

const isJobs = (url: string): boolean => /\/jobs-[^/]*\.js$/.test(url);

it('a page that is isolated has the answers of one thread from three, which import the jobs', async () => {
  // Copied as it is, because it imports nothing.
  expect(readdirSync(join(folder, 'dist/assets')).filter(name => isJobs(`/${name}`))).toHaveLength(1);
  await inPage(async (page, workers, requests) => {
    await page.goto(served!.url);
    await page.waitForFunction('globalThis.ask');
    expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    const one = await page.evaluate('ask(1)');
    expect(workers).toEqual([]);
    // Nothing of it is downloaded before a thread needs it.
    expect(requests.filter(isJobs)).toEqual([]);
    expect(await page.evaluate('ask(3)')).toBe(one);
    expect(workers.length).toBeGreaterThan(0);
    expect(workers.every(url => url.startsWith('blob:'))).toBe(true);
    expect(requests.filter(isJobs).length).toBeGreaterThan(0);
  });
});

it('a page whose build has lost the jobs has the same answers', async () => {
  await inPage(async page => {
    const asked: string[] = [];
    await page.context().route(isJobsUrl, route => {
      asked.push(route.request().url());
      return route.fulfill({ status: 404 });
    });
    await page.goto(served!.url);
    await page.waitForFunction('globalThis.ask');
    const one = await page.evaluate('ask(1)');
    expect(await page.evaluate('ask(3)')).toBe(one);
    expect(asked.length).toBeGreaterThan(0);
  });
});

const isJobsUrl = (url: URL): boolean => isJobs(url.pathname);
