// The built studio, served as `nearfield studio` does, in a real Chromium with the software GPU.
import { spawn } from 'node:child_process';
import { launchBrowser } from '../../browser.mjs';

export const patience = { timeout: 180_000 };

/** @param {boolean} isSeen whether canvases are composited; if nothing is seen, only the studio's own work is measured */
export async function openServed(isSeen) {
  const server = spawn(process.execPath, ['packages/cli/dist/main.js', 'studio', '--port', '4399'], {
    cwd: new URL('../../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    server.stdout.on('data', chunk => {
      const found = /http:\S+/.exec(String(chunk));
      if (found) resolve(found[0]);
    });
    server.on('exit', () => reject(new Error('the studio is not served')));
  });
  const browser = await launchBrowser({ isSeen });
  const close = async () => {
    await browser.close();
    const ended = new Promise(resolve => server.once('exit', resolve));
    server.removeAllListeners('exit');
    server.once('exit', () => {});
    server.kill();
    await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 1000))]);
  };
  return { url, browser, close };
}

/** A page that records when it was ready and its long tasks. */
export async function pageOf(browser, { width = 1440, height = 900, scale = 1 } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
  });
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

export const opened = page =>
  page.waitForFunction(() => globalThis.openedAt !== undefined, undefined, patience);
export const settled = page =>
  page.waitForFunction(() => document.body.dataset.state === 'idle', undefined, patience);

/** Milliseconds of processor time of the page's main thread so far: other programs on the machine do not count. */
export async function mainThread(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = name => 1000 * metrics.find(metric => metric.name === name).value;
    return { script: of('ScriptDuration'), all: of('TaskDuration') };
  };
}

export function medians(times) {
  const middle = name => times.map(time => time[name]).sort((a, b) => a - b)[times.length >> 1];
  return Object.fromEntries(Object.keys(times[0]).map(name => [name, Math.round(middle(name))]));
}
