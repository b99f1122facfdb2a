// The benchmarks in the browser: a case is measured, appears in the table and in the plot beside recorded results,
// and can be cancelled.

import { readdirSync, readFileSync } from 'node:fs';
import { pageCases } from 'nearfield-bench/page';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { mediansOf } from '../../studio/src/bench/recorded.ts';
import { gpuStudio, openStudio, picture, settled, useStudio } from './rig.ts';

useStudio();

/** The recorded engines, as the build takes them from the results. */
const folder = new URL('../../bench/results/', import.meta.url);
const recorded = readdirSync(folder)
  .filter(name => /^[^.]+\.json$/.test(name))
  .flatMap(name => mediansOf(name, JSON.parse(readFileSync(new URL(name, folder), 'utf8'))));

describe('benchmarks', () => {
  let page: Page;
  const [boxes, rings, knots] = ['boxes', 'proximity: tori', 'raycast'].map(
    name => pageCases.find(({ key }) => key.startsWith(name))!.key,
  );
  beforeAll(async () => {
    page = await gpuStudio('bench');
  });
  const run = async (
    keys: readonly string[],
    engine: 'cpu' | 'gpu' | 'both',
    how = 'Run (some seconds per case)',
  ) => {
    for (const box of await page.$$('input[data-key]')) {
      await box.setChecked(keys.includes((await box.getAttribute('data-key'))!));
    }
    await page.setChecked('label:has-text("CPU, in a worker") input', engine !== 'gpu');
    await page.setChecked('label:has-text("GPU that draws the page") input', engine !== 'cpu');
    await page.click(`text=${how}`);
  };
  const own = () => page.$$eval('td.own', cells => cells.map(cell => cell.textContent!));
  /** The cells that show a time; one of a second or more has a comma. */
  const times = (cells: readonly string[]) => cells.filter(text => Number(text.replaceAll(',', '')) > 0);
  const dots = () =>
    page.$$eval(
      '.bench-results > .plot .dot',
      list => [...new Set(list.map(dot => dot.getAttribute('data-series')))].length,
    );

  test('shows recorded results before any run; the GPU cannot be chosen without one', async () => {
    expect(recorded.length).toBeGreaterThan(1);
    expect(await dots()).toBe(recorded.length);
    expect(await page.$$eval('tbody tr', rows => rows.length)).toBe(pageCases.length);
    const shapes = await page.$$eval('.legend path', list => list.map(path => path.getAttribute('d')));
    expect(new Set(shapes).size).toBe(recorded.length);
    // Every dot has its value, also those of other libraries, and the scale stays in sight.
    const dotValues = await page.$$eval('.bench-results > .plot .dot', list =>
      list.map(dot => [dot.querySelector('title')!.textContent!, dot.querySelector('.value')!.textContent!]),
    );
    for (const [title, value] of dotValues)
      expect(title).toMatch(new RegExp(`: ${value.replace('.', '\\.')} ms$`));
    expect(await page.textContent('.legend')).toMatch(/Nearfield on .*three-mesh-bvh [\d.]+ on /s);
    expect(dotValues.some(([title]) => title.startsWith('Rapier'))).toBe(true);
    const axis = page.locator('.plot.axis');
    const inSight = async () => {
      const [box, panel] = [(await axis.boundingBox())!, (await page.locator('.right').boundingBox())!];
      return box.y >= panel.y - 20 && box.y + box.height < panel.y + panel.height;
    };
    expect(await inSight()).toBe(true);
    await page.$eval('.bench-results > .plot:not(.axis) .case:nth-of-type(1)', text => {
      text.closest('.right')!.scrollTop = 500;
    });
    expect(await inSight()).toBe(true);
    await page.$eval('.right', right => {
      right.scrollTop = 0;
    });
    const other = await openStudio('?draw=webgl#bench');
    expect(await other.isDisabled('label:has-text("GPU that draws the page") input')).toBe(true);
    const offered = await other.$$eval('input[data-key]', list => list.map(box => box.dataset['key']));
    expect(offered).toEqual(pageCases.filter(({ needsGpu }) => !needsGpu).map(({ key }) => key));
    expect(await other.textContent('.bench-without')).toContain('need a GPU');
    expect(await page.$$('.bench-without')).toEqual([]);
    await other.context().close();
  });

  test('runs a case in a worker and shows it beside the recorded ones', async () => {
    await run([boxes], 'cpu');
    await page.waitForSelector(`tr[data-key="${boxes}"] td.own`);
    await settled(page);
    expect((await own()).filter(text => text !== '–')).toHaveLength(1);
    expect(times(await own())).toHaveLength(1);
    expect(await dots()).toBe(recorded.length + 1);
    expect(await page.textContent('.legend')).toMatch(/this machine, CPU: WebAssembly/);
    await picture(page, 'bench');
  });

  test('runs a case on the GPU of the page with progress, and shows it beside the recorded ones', async () => {
    await run([rings], 'gpu');
    await page.waitForFunction(() =>
      /^1 of 1, on the GPU: The common volume of two deforming rings/.test(
        document.querySelector('.bench-doing')!.textContent!,
      ),
    );
    await page.waitForSelector('body[data-state=idle]', { timeout: 110_000 });
    expect(times(await own())).toHaveLength(2);
    expect(await dots()).toBe(recorded.length + 2);
    expect(await page.textContent('.legend')).toMatch(/this machine, GPU: \S/);
    expect(await page.textContent('.bench-doing')).toBe('');
    await picture(page, 'bench-gpu');
  });

  test('runs a GPU method only on the GPU, beside its recorded row', async () => {
    const before = (await own()).filter(text => text !== '–').length;
    await run([knots], 'both');
    await page.waitForFunction(() =>
      /^1 of 1, on the GPU: .*by raycast$/.test(document.querySelector('.bench-doing')!.textContent!),
    );
    await page.waitForSelector('body[data-state=idle]', { timeout: 110_000 });
    expect((await own()).filter(text => text !== '–')).toHaveLength(before + 1);
    const cells = await page.$$eval(`tr[data-key="${knots}"] td`, list =>
      list.map(cell => cell.textContent!),
    );
    // The GPU of this machine, and the recorded ones.
    const others = recorded.filter(({ medians }) => medians[knots] !== undefined);
    expect(times(cells)).toHaveLength(1 + others.length);
    await picture(page, 'bench-methods');
  });

  test('does not run a GPU method on the CPU', async () => {
    await run([knots], 'cpu');
    expect(await page.textContent('.message')).toContain('one engine that answers it');
    await page.click('.message button');
  });

  test('can be cancelled, keeps its results, and runs again', async () => {
    await run(
      pageCases.map(({ key }) => key),
      'both',
      'Run thoroughly',
    );
    await page.waitForSelector('.job button');
    await page.click('.job button');
    await settled(page);
    expect(await page.$$('.message')).toEqual([]);
    expect((await own()).filter(text => text !== '–').length).toBeGreaterThanOrEqual(2);
    expect((await own()).filter(text => text === '–').length).toBeGreaterThan(0);
  });

  test('says what is missing if nothing is chosen', async () => {
    await run([], 'cpu');
    expect(await page.textContent('.message')).toContain('at least one case');
    await page.click('.message button');
  });
});
