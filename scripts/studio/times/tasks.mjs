// The longest tasks of the main thread, in milliseconds of processor time by the browser's own trace, while files are read and asked
// about, depths are measured, the list scrolls and clashes are reviewed by keys.
import { opened, pageOf, patience, settled } from './served.mjs';

const categories = ['-*', 'toplevel', 'devtools.timeline', '__metadata'];

/** Rotated boxes at random places, by a seed, as OBJ: 2,000 of them meet in about 21,600 pairs. */
export function crowdText(count = 2000, size = 2.24) {
  let seed = 12345;
  const random = () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const lines = [];
  for (let i = 0; i < count; i++) {
    const centre = [20 * random(), 20 * random(), 20 * random()];
    const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
    const length = Math.hypot(...q);
    const [x, y, z, w] = q.map(value => value / length);
    const rows = [
      [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
      [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
      [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ];
    lines.push(`o part ${i}`);
    for (let k = 0; k < 8; k++) {
      const corner = [1, 2, 4].map(bit => (k & bit ? 0.5 : -0.5) * size);
      const world = rows.map((row, axis) => row.reduce((sum, m, j) => sum + m * corner[j], centre[axis]));
      lines.push(`v ${world.join(' ')}`);
    }
    for (const face of [
      [0, 2, 3, 1],
      [4, 5, 7, 6],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 4, 6, 2],
      [1, 3, 7, 5],
    ])
      lines.push(`f ${face.map(v => v + 8 * i + 1).join(' ')}`);
  }
  return lines.join('\n');
}

/** What happens to a crowd of bodies, or to a file that is read. */
export async function taskTimes(browser, url, given, { isReviewed = false } = {}) {
  const { context, page } = await pageOf(browser, { scale: 0.125 });
  await page.goto(`${url}?draw=webgl`);
  await opened(page);
  const name = given.split('/').at(-1);
  const rows = [];
  const traced = async (what, work) => {
    await browser.startTracing(page, { categories });
    await work();
    rows.push({ file: name, what, ...longestOf(JSON.parse((await browser.stopTracing()).toString())) });
  };
  await traced('read and asked', async () => {
    await page.setInputFiles('[data-testid=files]', given);
    await page.waitForFunction(
      () => (globalThis.nearfieldStudio.live.time ?? 0) > 0 && document.body.dataset.state !== undefined,
      undefined,
      patience,
    );
    await page.waitForTimeout(300);
  });
  await traced('measured', () => Promise.race([settled(page), page.waitForTimeout(8000)]));
  if (isReviewed) {
    await traced('scrolled', async () => {
      for (let i = 0; i < 40; i++) {
        await page.$eval('.pairs', list => {
          list.scrollTop += 3000;
        });
        await page.waitForTimeout(40);
      }
    });
    await traced('ten clashes by key', async () => {
      await page.focus('.pairs');
      for (let i = 0; i < 10; i++) {
        await page.keyboard.press('j');
        await page.waitForTimeout(300);
        await page.keyboard.press('Shift+A');
        await page.waitForTimeout(100);
      }
    });
  }
  await context.close();
  return rows;
}

function longestOf({ traceEvents }) {
  const isMain = ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain';
  const renderers = traceEvents.filter(isMain);
  // The page that works, if there are several.
  const tasksOf = ({ pid, tid }) =>
    traceEvents.filter(
      event =>
        event.pid === pid &&
        event.tid === tid &&
        event.ph === 'X' &&
        /RunTask$/.test(event.name) &&
        event.tdur,
    );
  const all = renderers.map(tasksOf).sort((p, q) => total(q) - total(p))[0] ?? [];
  const times = all.map(({ tdur }) => tdur / 1000).sort((p, q) => q - p);
  return { tasks: times.length, 'longest, CPU ms': times.slice(0, 4).map(Math.round).join(', ') };
}

const total = tasks => tasks.reduce((sum, { tdur }) => sum + tdur, 0);
