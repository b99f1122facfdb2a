// How long does the studio take to open? From the request until everything is ready, with an empty cache: at full speed, with the
// processor slowed four times, and on a line of 10 Mbit/s with 40 ms to the server.
import { mainThread, medians, opened, pageOf } from './served.mjs';

const runs = 5;
const line = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };

export async function openingTimes(browser, url) {
  const rows = [];
  for (const [drawing, address] of [
    ['WebGPU', ''],
    ['WebGL', '?draw=webgl'],
  ]) {
    for (const how of [
      { name: 'full speed', slower: 1 },
      { name: 'processor slowed 4×', slower: 4 },
      { name: '10 Mbit/s, 40 ms', slower: 1, line },
    ]) {
      const times = [];
      for (let i = 0; i < runs; i++) times.push(await open(browser, `${url}${address}`, how));
      rows.push({ drawing, how: how.name, ...medians(times) });
    }
  }
  return rows;
}

/** Milliseconds since the page was requested, and bytes as they came over the line. */
async function open(browser, address, { slower, line }) {
  const { context, page } = await pageOf(browser);
  // In a page of the same server first: what slows a process does not follow into another.
  await page.goto(new URL('hashed.json', address).href);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await session.send('Network.enable');
  if (line) await session.send('Network.emulateNetworkConditions', line);
  const spent = await mainThread(page);
  await page.goto(address);
  await opened(page);
  const { all } = await spent();
  const found = await page.evaluate(() => ({
    'first paint': performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    ready: globalThis.openedAt,
    'longest task': Math.max(0, ...globalThis.longTasks),
    'over the line, KB':
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce(
        (sum, { transferSize }) => sum + transferSize,
        0,
      ) / 1000,
  }));
  await context.close();
  return { ...found, 'main thread, CPU': all };
}
