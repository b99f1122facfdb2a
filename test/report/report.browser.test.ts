// A report in a real browser: it is a file that someone got by mail, with a table of thousands of rows and a viewer. Its
// policy allows it nothing from elsewhere; whatever it may not do would be an error on the console, which fails a test.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AssemblyPair } from '../../packages/clashes/src/assembly/types.ts';
import { writeReport } from '../../packages/clashes/src/report/report.ts';
import { ball, cube, inputOf, pairOf, pngUri } from '../../packages/clashes/src/report/test-bodies.ts';
import type { ReportInput, ReportPair } from '../../packages/clashes/src/report/types.ts';
import { openFile, takeMessages, useStudio } from '../studio/rig.ts';

useStudio();

const attack = '</script><script>globalThis.hacked = 1</script><img src=x onerror="globalThis.hacked = 2">';
const rowCount = 5000;

/** Forty parts in two files. Rows get shallower; every third touches. */
function manyPairs(): ReportInput {
  const bodies = Array.from({ length: 40 }, (_, i) => ({
    ...(i === 0 ? ball(attack, 0, 8) : cube(`part-${i}`, [(i % 10) * 0.8, Math.floor(i / 10) * 2, 0], 1)),
    ...{ file: i % 2 === 0 ? 'even.obj' : 'odd.obj', type: i % 4 === 0 ? 'IfcWall' : 'IfcPipe' },
  }));
  const pairs = Array.from({ length: rowCount }, (_, i): ReportPair => {
    const [a, b] = [i % 39, (i % 39) + 1];
    const upper = 1 - i / rowCount / 2;
    const touches = i % 3 === 2;
    const said: Omit<AssemblyPair, 'triangles' | 'a' | 'b'> = {
      ...{ relation: touches ? 'touching' : 'crossing', verdict: touches ? 'touching' : 'clash' },
      ...{ triangleCount: i % 7, clash: i.toString(16).padStart(12, '0') },
      ...(touches ? {} : { depth: { lower: 0.99 * upper, upper } }),
      ...(i % 5 === 0 && { change: 'new' as const }),
      ...(i % 50 === 0 && { status: { status: 'open' as const, comment: `${attack} ask Ana` } }),
    };
    return { ...pairOf(a, b, said.relation), ...said };
  });
  return {
    ...inputOf(bodies, pairs),
    ...{ title: `Plant ${attack}`, unitName: 'm', date: '2026-11-18T09:30:00Z' },
    files: ['even.obj', 'odd.obj'].map(name => ({ name, hash: '0'.repeat(64) })),
    matrix: {
      sets: ['even.obj', 'odd.obj'],
      cells: [
        {
          a: 0,
          b: 1,
          checked: true,
          counts: { clash: 3333, touching: 1667 },
          worst: { lower: 0.99, upper: 1 },
        },
      ],
      setsOf: bodies.map((_, i) => [i % 2]),
    },
  };
}

let path: string;
beforeAll(async () => {
  path = join(mkdtempSync(join(tmpdir(), 'nearfield-report-')), 'report.html');
  writeFileSync(path, await writeReport(manyPairs(), pngUri, { samples: 1, pictures: 3 }));
});

const rowsOf = (page: Page) =>
  page.$$eval('#pair-rows tr[data-row]', rows =>
    rows.map(row => Number((row as HTMLElement).dataset['row'])),
  );
const status = (page: Page) => page.textContent('#filters [role=status]');

describe('a report', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openFile(path, { viewport: { width: 1200, height: 800 } });
  });
  afterAll(() => page.context().close());

  test('says what is wrong, and runs nothing that a file brought along', async () => {
    expect(await page.textContent('.lead')).toBe(
      '3,334 clashes to fix, the deepest 0.99 to 1 m; 1,666 pairs touch.',
    );
    expect(await page.title()).toContain('<script>');
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
  });

  test('has few rows on the page and all of them within reach', async () => {
    const first = await rowsOf(page);
    expect(first[0]).toBe(0);
    expect(first.length).toBeLessThan(100);
    const box = page.locator('#pairs .scroll');
    await box.evaluate(element => element.scrollTo(0, element.scrollHeight));
    await page.waitForFunction(last => document.querySelector(`[data-row="${last}"]`), rowCount - 1);
    expect((await rowsOf(page)).length).toBeLessThan(100);
    expect(await page.getAttribute(`[data-row="${rowCount - 1}"]`, 'aria-rowindex')).toBe(
      String(rowCount + 1),
    );
    await box.evaluate(element => element.scrollTo(0, 0));
    await page.waitForSelector('[data-row="0"]');
  });

  test('filters, searches and sorts', async () => {
    await page.getByLabel('Verdict').selectOption({ label: 'touching (1,666)' });
    expect(await status(page)).toBe('1,666 of 5,000 pairs');
    await page.getByLabel('Search').fill('PART-7 ifcpipe');
    expect(await status(page)).toMatch(/^\d+ of 5,000 pairs$/);
    const texts = await page.$$eval('#pair-rows tr[data-row]', rows => rows.map(row => row.textContent!));
    expect(texts.every(text => /part-7/.test(text) && /touching/.test(text))).toBe(true);
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await status(page)).toBe('5,000 pairs');
    // Rows are in order of importance: clashes by depth, so the depth ascending is the other end.
    const depth = page.getByRole('button', { name: 'Depth (m)' });
    await depth.click();
    await depth.click();
    expect(await page.getAttribute('th:has(button[data-sort=depth])', 'aria-sort')).toBe('descending');
    expect(await page.textContent('#pair-rows tr[data-row] td >> nth=5')).toMatch(/^0\.49\d? to 0\.50/);
    await page.locator('#pairs th button').first().click();
    expect((await rowsOf(page))[0]).toBe(0);
  });

  test('follows links from the summary, the matrix and a part to the table', async () => {
    await page.locator('.tile.touching').click();
    expect(await status(page)).toBe('1,666 of 5,000 pairs');
    await page.locator('.matrix a').click();
    expect(await page.textContent('.chips')).toContain('even.obj with odd.obj');
    expect(await status(page)).toBe('5,000 pairs');
    await page.locator('#pair-rows a.part', { hasText: 'part-2' }).first().click();
    expect(await page.textContent('.chips')).toContain('part: part-2');
    await page.getByRole('button', { name: 'part: part-2 ×' }).click();
    expect(await status(page)).toBe('5,000 pairs');
  });

  /** How many pixels of the canvas are covered, and how many are red, after a button has drawn them anew. */
  const pixels = () =>
    page.evaluate(async () => {
      const canvas = document.querySelector<HTMLCanvasElement>('#viewer canvas')!;
      document.querySelector<HTMLElement>('[data-do=picture]')!.click();
      for (let i = 0; i < 5; i++) await Promise.resolve();
      const [width, height] = [200, 120];
      const context = new OffscreenCanvas(width, height).getContext('2d')!;
      context.drawImage(canvas, 0, 0, width, height);
      const { data } = context.getImageData(0, 0, width, height);
      const found = { covered: 0, blue: 0, amber: 0 };
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] < 128) continue;
        found.covered++;
        if (data[i + 2] > 1.2 * data[i]) found.blue++;
        if (data[i] > 1.2 * data[i + 2]) found.amber++;
      }
      return found;
    });

  test('turns a pair around: both bodies or one, next and previous, by mouse and by keyboard', async () => {
    expect(await page.evaluate(() => 'nearfieldViewer' in globalThis)).toBe(false);
    await page
      .getByRole('button', { name: /^Turn around: part-1 and/ })
      .or(page.locator('.turn'))
      .first()
      .click();
    await page.waitForSelector('#viewer[data-shown="1"]');
    const both = await pixels();
    expect(both.covered).toBeGreaterThan(1000);
    expect(both.amber).toBeGreaterThan(100);
    await page.getByLabel('only A').check();
    const alone = await pixels();
    expect(alone.covered).toBeGreaterThan(100);
    expect(alone.amber).toBeLessThan(both.amber);
    await page.getByRole('button', { name: 'Next pair' }).click();
    await page.waitForSelector('#viewer[data-shown="2"]');
    expect(await page.textContent('.which')).toBe('2 of 3');
    await page.getByLabel('both').check();
    await page.getByLabel('see through').check();
    await page.getByRole('button', { name: 'Previous pair' }).click();
    await page.waitForSelector('#viewer[data-shown="1"]');
    await page.getByRole('button', { name: 'Fit' }).click();
    const canvas = page.locator('#viewer canvas');
    const before = await pixels();
    await canvas.hover();
    await page.mouse.down();
    await page.mouse.move(500, 300);
    await page.mouse.up();
    await page.mouse.wheel(0, -200);
    expect((await pixels()).covered).toBeGreaterThan(0);
    expect(before.covered).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    expect(await page.locator('#viewer').isVisible()).toBe(false);
    // A row opens it too.
    await page.locator('#pair-rows [data-view="2"]').click();
    await page.waitForSelector('#viewer[data-shown="3"]');
    await page.getByRole('button', { name: 'Close' }).click();
  });

  test('names its controls and pictures, and writes in colours that can be read', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await page.evaluate(accessibilityFailures), scheme).toEqual([]);
    }
  });

  test('fits on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});

test('without JavaScript a report has its pictures and the first rows', async () => {
  const page = await openFile(path, { javaScriptEnabled: false });
  expect(await page.locator('#pair-rows tr').count()).toBe(200);
  expect(await page.locator('.card img').count()).toBe(3);
  expect(await page.locator('#filters').isVisible()).toBe(false);
  expect(await page.locator('.turn').first().isVisible()).toBe(false);
  expect(await page.textContent('noscript')).toContain('The first 200 of 5,000 rows');
  await page.context().close();
});

test('without WebGL the viewer says so', async () => {
  const before = 'HTMLCanvasElement.prototype.getContext = () => null';
  const page = await openFile(path, { before });
  await page.locator('.turn').first().click();
  await page.waitForSelector('#viewer.failed');
  expect(await page.textContent('#viewer .message')).toMatch(/^This browser cannot show the pair .* WebGL /);
  expect(takeMessages().join()).toMatch(/WebGL/);
  await page.context().close();
});

/** Runs in the page: controls without a name, pictures without a text, and text of too little contrast (WCAG 2, AA). */
function accessibilityFailures(): string[] {
  const failures: string[] = [];
  const isSeen = (element: Element) => element.checkVisibility();
  for (const control of document.querySelectorAll<HTMLInputElement>('button, input, select, a')) {
    const name =
      control.getAttribute('aria-label') ?? control.labels?.[0]?.textContent ?? control.textContent;
    if (!name?.trim()) failures.push(`no name: ${control.outerHTML.slice(0, 80)}`);
  }
  for (const image of document.images)
    if (!image.alt) failures.push(`no text: ${image.outerHTML.slice(0, 80)}`);
  const channels = (color: string) => color.match(/[\d.]+/g)!.map(Number);
  const brightness = (color: string) => {
    const [r, g, b] = channels(color).map(value => {
      const v = value / 255;
      return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set<string>();
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement!;
    if (!texts.currentNode.textContent!.trim() || !isSeen(element) || element.closest('script')) continue;
    let behind: Element | null = element;
    while (behind && (channels(getComputedStyle(behind).backgroundColor)[3] ?? 1) === 0)
      behind = behind.parentElement;
    const [ink, page] = [
      getComputedStyle(element).color,
      getComputedStyle(behind ?? document.body).backgroundColor,
    ];
    const [light, dark] = [brightness(ink), brightness(page)].sort((p, q) => q - p);
    const ratio = (light + 0.05) / (dark + 0.05);
    const key = `${ink} on ${page}: ${ratio.toFixed(2)} (${element.className})`;
    if (ratio < 4.5 && !seen.has(key)) failures.push(key);
    seen.add(key);
  }
  return failures;
}
