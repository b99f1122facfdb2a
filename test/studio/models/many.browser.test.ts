// Many bodies: how often the GPU is called for thousands, with NEARFIELD_SLOW for twenty thousand, and that a list of
// thousands of pairs is measured in the order in which it is looked at. Times are measured by scripts/studio/times.mjs.

import { expect, test } from 'vitest';
import type { Studio } from '../../../studio/src/studio.ts';
import { drop, openStudio, settled, useStudio } from '../rig.ts';

useStudio();

type Global = { nearfieldStudio: Studio };

/** Tetrahedra in one file, at the points of a cubic grid. */
function grid(count: number, spacing: number): string {
  const side = Math.ceil(Math.cbrt(count));
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const place = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)];
    const [x, y, z] = place.map(value => value * spacing);
    lines.push(`o part ${i}`, `v ${x} ${y} ${z}`, `v ${x + 1} ${y} ${z}`);
    lines.push(`v ${x} ${y + 1} ${z}`, `v ${x} ${y} ${z + 1}`);
    lines.push('f -4 -2 -3', 'f -4 -3 -1', 'f -3 -2 -1', 'f -4 -1 -2');
  }
  return lines.join('\n');
}

const slow = process.env['NEARFIELD_SLOW'] !== undefined;
const count = slow ? 20_000 : 5000;

test(`${count} bodies are drawn in at most 50 calls, also with a chosen pair, x-ray and a section`, async () => {
  const page = await openStudio('?draw=webgl');
  // All are apart from one another but the last and the one before.
  const extra =
    'o over\nv 0.25 0.25 0.25\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -4 -1 -2\n';
  await drop(page, [{ name: 'many.obj', content: `${grid(count, 3)}\n${extra}` }]);
  await page.waitForSelector('.pair', { timeout: 90_000 });
  await settled(page);
  const calls = () =>
    page.evaluate(async () => {
      const { viewer } = (globalThis as unknown as Global).nearfieldStudio;
      const drawn = new Promise<number>(done => {
        const stop = viewer.listenDrawn(() => {
          stop();
          done(viewer.renderer.info.render.drawCalls);
        });
      });
      viewer.invalidate();
      return { drawn: await drawn, bodies: [...viewer.bodies.known].length };
    });
  const whole = await calls();
  expect(whole.bodies).toBe(count + 1);
  expect(whole.drawn).toBeGreaterThan(0);
  expect(whole.drawn).toBeLessThanOrEqual(50);
  await page.keyboard.press('j');
  await page.waitForSelector('.pair[aria-selected=true]');
  await settled(page);
  expect((await calls()).drawn).toBeLessThanOrEqual(50);
  await page.focus('canvas');
  await page.keyboard.press('x');
  await page.keyboard.press('s');
  expect((await calls()).drawn).toBeLessThanOrEqual(50);
  // The tree has them all, and draws those in sight.
  expect(await page.$$eval('.tree [role=treeitem]', list => list.length)).toBeLessThan(80);
  await page.context().close();
});

test('of thousands of pairs those in sight are measured first, and the chosen one before them', async () => {
  const page = await openStudio('?draw=webgl');
  await drop(page, [{ name: 'dense.obj', content: grid(500, 0.5) }]);
  await page.waitForSelector('.pair', { timeout: 90_000 });
  const seen = await page.evaluate(async () => {
    const { live } = (globalThis as unknown as Global).nearfieldStudio;
    const rows = () =>
      [...document.querySelectorAll<HTMLElement>('.pair')].map(item => {
        const [a, b] = item.dataset['pair']!.split(' ').map(Number);
        return live.table!.find(a, b);
      });
    // The rows in sight have their depths while most others do not.
    for (;;) {
      await new Promise(done => setTimeout(done, 5));
      const { table } = live;
      if (table === undefined || rows().length === 0) continue;
      const known = (list: number[]) => list.filter(row => table.row(row).depth !== undefined).length;
      const own = rows().slice(0, 5);
      if (known(own) < own.length) continue;
      const all = Array.from({ length: table.count }, (_, row) => row);
      return { count: table.count, measured: known(all) };
    }
  });
  expect(seen.count).toBeGreaterThan(2000);
  expect(seen.measured).toBeLessThan(seen.count / 2);
  await page.context().close();
});
