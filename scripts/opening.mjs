// How long the studio takes to open: from asking for the page to everything at hand, in a real Chromium with an empty cache, as
// fast as this machine is and with its processor slowed four times. The GPU is the software one, so drawing is slower than anywhere.
import { spawn } from 'node:child_process';
import { launchBrowser } from './browser.mjs';
import { checkUsage } from './usage.mjs';

checkUsage(`usage: node scripts/opening.mjs
Opens the built studio five times each way and prints the medians in milliseconds. Needs node scripts/build.mjs first.`);

const runs = 5;
const ways = [
  { way: 'WebGPU', address: '' },
  { way: 'WebGL', address: '?draw=webgl' },
];

const server = spawn(process.execPath, ['packages/cli/dist/main.js', 'studio', '--port', '4399'], {
  cwd: new URL('..', import.meta.url),
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
} finally {
  await browser.close();
  server.kill();
}

/** Milliseconds since the page was asked for; and what was loaded, in thousands of bytes as they are on the disk. */
async function open(address, slower) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    const keep = list => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(keep).observe({ type: 'longtask', buffered: true });
    new MutationObserver(() => {
      if (document.body?.dataset.state === 'idle') globalThis.openedAt ??= performance.now();
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-state'] });
  });
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

function medians(times) {
  const middle = name => times.map(time => time[name]).sort((a, b) => a - b)[times.length >> 1];
  return Object.fromEntries(Object.keys(times[0]).map(name => [name, Math.round(middle(name))]));
}
