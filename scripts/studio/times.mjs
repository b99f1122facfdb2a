// Measures how long the studio takes to open: from requesting the page until everything is ready, in a real Chromium
// with an empty cache, at full speed and with the processor slowed four times. Also measures how long the main thread
// is busy at a time while a large body is read and dragged: long work should run elsewhere. The GPU is the software
// one, so drawing is slower than usual.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shapes } from '../../packages/nearfield/dist/index.js';
import { launchBrowser } from '../browser.mjs';
import { checkUsage } from '../usage.mjs';

checkUsage(`usage: node scripts/studio/times.mjs
Opens the built studio five times each way and prints the medians in milliseconds; then drags one of two bodies of 72,000
triangles, with pairs found by the worker and by the GPU, and prints the longest task of the main thread and the longest wait for a
frame. Needs node scripts/build.mjs first.`);

const runs = 5;
/** Steps of a drag. */
const steps = 60;
const patience = { timeout: 180_000 };
const ways = [
  { way: 'WebGPU', address: '' },
  { way: 'WebGL', address: '?draw=webgl' },
];

const server = spawn(process.execPath, ['packages/cli/dist/main.js', 'studio', '--port', '4399'], {
  cwd: new URL('../..', import.meta.url),
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = await new Promise((resolve, reject) => {
  server.stdout.on('data', chunk => {
    const found = /http:\S+/.exec(String(chunk));
    if (found) resolve(found[0]);
  });
  server.on('exit', () => reject(new Error('the studio is not served')));
});
const browser = await launchBrowser();
const folder = mkdtempSync(join(tmpdir(), 'nearfield-studio-times-'));
const files = [0, 1.5].map(x => {
  const file = join(folder, `at ${x}.obj`);
  writeFileSync(file, sphere(x));
  return file;
});
try {
  const rows = [];
  for (const { way, address } of ways) {
    for (const slower of [1, 4]) {
      const times = [];
      for (let i = 0; i < runs; i++) times.push(await open(`${url}${address}`, slower));
      rows.push({ drawing: way, 'processor slowed': `${slower}×`, ...medians(times) });
    }
  }
  console.table(rows);
  const drags = [];
  for (const engine of ['cpu', 'gpu'])
    drags.push({ asked: engine, ...(await drag(`${url}?engine=${engine}`)) });
  console.table(drags);
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true });
}

/** A page that records its long tasks and when it was ready. */
async function pageOf(width, height) {
  const context = await browser.newContext({ viewport: { width, height } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    const keep = list => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(keep).observe({ type: 'longtask', buffered: true });
    new MutationObserver(() => {
      if (document.body?.dataset.state === 'idle') globalThis.openedAt ??= performance.now();
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-state'] });
  });
  return { context, page };
}

/** Milliseconds since the page was requested; and what was loaded, in thousands of bytes as stored on disk. */
async function open(address, slower) {
  const { context, page } = await pageOf(1440, 900);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.goto(address);
  await page.waitForFunction(() => globalThis.openedAt !== undefined);
  const found = await page.evaluate(() => ({
    'first paint': performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    'all at hand': globalThis.openedAt,
    'longest task': Math.max(0, ...globalThis.longTasks),
    'loaded, KB':
      performance
        .getEntriesByType('resource')
        .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0) / 1000,
  }));
  await context.close();
  return found;
}

/**
 * Opens two spheres side by side and drags one into the other; records the longest tasks and how often pairs were
 * updated.
 */
async function drag(address) {
  const { context, page } = await pageOf(960, 540);
  await page.goto(address);
  await page.waitForFunction(() => globalThis.openedAt !== undefined);
  const session = await context.newCDPSession(page);
  // Counts only the main thread, and only while it runs, so other programs on the machine do not matter.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
  };
  const longest = () => page.evaluate(() => Math.round(Math.max(0, ...globalThis.longTasks.splice(0))));
  const settled = () =>
    page.waitForFunction(() => document.body.dataset.state === 'idle', undefined, patience);
  await longest();
  const start = await spent();
  await page.setInputFiles('[data-testid=files]', files);
  await page.waitForSelector('.pair', patience);
  await settled();
  const reading = { 'reading, busy': Math.round((await spent()) - start), 'longest task': await longest() };
  await page.click('.tree .body >> nth=1');
  await page.evaluate(() => {
    globalThis.waits = [];
    globalThis.answers = 0;
    let last = performance.now();
    const frame = now => {
      globalThis.waits.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const count = () => globalThis.answers++;
    new MutationObserver(count).observe(document.body, { attributeFilter: ['data-revision'] });
  });
  await longest();
  const at = await page.evaluate(() => {
    const { viewer } = globalThis.nearfieldStudio;
    const { camera } = viewer.camera;
    const middle = viewer.bodies.box([1]).getCenter(camera.position.clone());
    // The red arrow, which three.js draws at the same size at any distance.
    const size =
      (middle.distanceTo(camera.position) * 1.9 * Math.tan((Math.PI * camera.fov) / 360) * 0.9) / 4;
    middle.x += 0.4 * size;
    middle.project(camera);
    const { left, top, width, height } = document.querySelector('canvas').getBoundingClientRect();
    return { x: left + ((middle.x + 1) / 2) * width, y: top + ((1 - middle.y) / 2) * height };
  });
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  const before = await spent();
  for (let i = 1; i <= steps; i++) {
    await page.mouse.move(at.x - i, at.y);
    await page.waitForTimeout(16);
  }
  const answers = await page.evaluate(() => globalThis.answers);
  const busy = ((await spent()) - before) / steps;
  await page.mouse.up();
  await settled();
  const wait = await page.evaluate(() => Math.round(Math.max(...globalThis.waits.slice(2))));
  const dragging = { 'a step of a drag, busy': Math.round(busy), 'longest task of it': await longest() };
  await context.close();
  return { ...reading, ...dragging, 'longest frame': wait, answers };
}

function sphere(x) {
  const { positions, indices } = shapes.icosphere({ frequency: 60 });
  const lines = [];
  for (let i = 0; i < positions.length; i += 3)
    lines.push(`v ${positions[i] + x} ${positions[i + 1]} ${positions[i + 2]}`);
  for (let i = 0; i < indices.length; i += 3)
    lines.push(`f ${indices[i] + 1} ${indices[i + 1] + 1} ${indices[i + 2] + 1}`);
  return lines.join('\n');
}

function medians(times) {
  const middle = name => times.map(time => time[name]).sort((a, b) => a - b)[times.length >> 1];
  return Object.fromEntries(Object.keys(times[0]).map(name => [name, Math.round(middle(name))]));
}
