// The benchmarks in the browser: a case is measured, stands in the table and in the plot beside what was recorded, and can be cancelled.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openStudio, picture, settled, useStudio } from './rig.ts';

useStudio();

describe('benchmarks', () => {
  let page: Page;
  const boxes = 'boxes: 10,000 turned, bodies';
  beforeAll(async () => {
    page = await openStudio('?draw=webgl#bench');
  });
  const own = () => page.$$eval('td.own', cells => cells.map(cell => cell.textContent!));
  const dots = () =>
    page.$$eval(
      '.bench-results > .plot .dot',
      list => [...new Set(list.map(dot => dot.getAttribute('data-series')))].length,
    );

  test('shows what was recorded on three engines before anything is run', async () => {
    expect(await dots()).toBe(3);
    expect(await page.$$eval('tbody tr', rows => rows.length)).toBe(7);
    expect(await page.isDisabled('label:has-text("GPU, the one that draws") input')).toBe(true);
  });

  test('runs a case in a worker, and puts it beside the others', async () => {
    for (const box of await page.$$('input[data-key]')) {
      if ((await box.getAttribute('data-key')) !== boxes) await box.uncheck();
    }
    await page.click('text=Run, some seconds a case');
    await page.waitForSelector(`tr[data-key="${boxes}"] td.own`);
    await settled(page);
    const measured = (await own()).filter(text => text !== '–');
    expect(measured.length).toBe(1);
    expect(Number(measured[0])).toBeGreaterThan(0);
    expect(await dots()).toBe(4);
    expect(await page.textContent('.legend')).toMatch(/this machine, CPU: WebAssembly/);
    await picture(page, 'bench');
  });

  test('can be cancelled, keeps what was measured, and runs again', async () => {
    for (const box of await page.$$('input[data-key]')) await box.check();
    await page.click('text=Run thoroughly');
    await page.waitForSelector('.job button');
    await page.click('.job button');
    await settled(page);
    expect(await page.$$('.message')).toEqual([]);
    expect((await own()).filter(text => text !== '–').length).toBeGreaterThanOrEqual(1);
    expect((await own()).filter(text => text === '–').length).toBeGreaterThan(0);
  });

  test('says what is missing where nothing is chosen', async () => {
    for (const box of await page.$$('input[data-key]')) await box.uncheck();
    await page.click('text=Run, some seconds a case');
    expect(await page.textContent('.message')).toContain('at least one case');
    await page.click('.message button');
  });
});
