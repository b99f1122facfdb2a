// "Under the hood" in the browser: every method has steps, keys move through them, and the pictures are not empty.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { files } from './models/model-files.ts';
import { drop, gpuStudio, openStudio, picture, settled, useStudio } from './rig.ts';

useStudio();

const wanted = process.env['NEARFIELD_PICTURES'] ? { viewport: { width: 1440, height: 900 } } : {};

async function go(page: Page, to: string): Promise<number> {
  await page.evaluate(hash => {
    location.hash = hash;
  }, `hood=${to}`);
  await page.waitForFunction(
    () => Number(document.querySelector<HTMLElement>('.hood-stepper')?.dataset['count']) > 0,
    undefined,
    // A software GPU compiles kernels first.
    { timeout: 100_000 },
  );
  await settled(page);
  return page.$eval('.hood-stepper', stepper => Number((stepper as HTMLElement).dataset['count']));
}

const stepOf = (page: Page) =>
  page.$eval('.hood-stepper', stepper => Number((stepper as HTMLElement).dataset['step']));
const sentenceOf = (page: Page) => page.$eval('.hood-sentence', sentence => sentence.textContent);

/** The number of colours in the flat picture. */
const coloursOf = (page: Page) =>
  page.$eval('.hood-canvas', canvas => {
    const { width, height } = canvas as HTMLCanvasElement;
    const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
    return new Set(new Uint32Array(data.buffer)).size;
  });

/** Goes through all steps with the key →, and checks each. */
async function walk(
  page: Page,
  count: number,
  name: string,
  look: () => Promise<void> = async () => {},
): Promise<void> {
  const sentences = new Set<string | null>([await sentenceOf(page)]);
  let most = 0;
  for (let step = 1; step < count; step++) {
    await page.keyboard.press('ArrowRight');
    expect(await stepOf(page)).toBe(step);
    sentences.add(await sentenceOf(page));
    await look();
    if (await page.isVisible('.hood-canvas')) most = Math.max(most, await coloursOf(page));
    await picture(page, `hood-${name}-${step}`);
  }
  expect(sentences.size).toBeGreaterThan(2);
  expect(most).toBeGreaterThan(1);
}

describe('on the CPU', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openStudio('?engine=cpu#hood', wanted);
  });

  test('trees: levels, the front, and the triangles that meet', async () => {
    const count = await go(page, 'hierarchy/rotating');
    expect(count).toBeGreaterThan(5);
    await walk(page, count, 'hierarchy');
    expect(await sentenceOf(page)).toMatch(/are tested exactly, and [\d,]+ meet/);
    await page.keyboard.press('ArrowLeft');
    expect(await stepOf(page)).toBe(count - 2);
    await page.hover('.hood-canvas');
    expect(await page.textContent('.hood-said')).toMatch(/^A \d+.*, B \d+.*: /);
  });

  test('fields: slices, distances, points in both', async () => {
    const count = await go(page, 'field/tori');
    await walk(page, count, 'field');
    expect(await page.textContent('.facts')).toMatch(/samples in both[1-9]/);
  });

  test('a method that draws has the pictures of the CPU, and says so', async () => {
    const layers = await go(page, 'layers/tori');
    expect(layers).toBeGreaterThan(3);
    await walk(page, layers, 'cpu-layers');
    expect(await sentenceOf(page)).toMatch(/meet along [1-9][\d,]* of [\d,]+ lines/);
    expect(await page.textContent('body')).toMatch(/the CPU draws the same pictures here/);
    await walk(page, await go(page, 'raycast/jaws'), 'cpu-raycast');
    expect(await page.textContent('.facts')).toMatch(/in the other body[1-9]/);
    const views = await go(page, 'visibility/tori');
    expect(views).toBe(16);
    await walk(page, views, 'cpu-visibility');
    expect(await sentenceOf(page)).toMatch(/^[1-9][\d,]* of .* meet\. No pair is ever lost/);
  });

  test('own models, in the dark theme, on a phone', async () => {
    const phone = await openStudio('?engine=cpu#models', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await drop(phone, files);
    await phone.waitForSelector('.pair');
    await settled(phone);
    const count = await go(phone, 'hierarchy/models');
    for (let step = 1; step < count; step++) await phone.click('[aria-label^="One step forward"]');
    expect(await sentenceOf(phone)).toMatch(/are tested exactly, and [1-9]/);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await picture(phone, 'hood-phone');
    await phone.setViewportSize({ width: 1200, height: 760 });
    // Any two of them: the box that is far from all others has no triangles in common with the ring.
    await phone.selectOption('[aria-label="Body A"]', { label: 'far' });
    await settled(phone);
    await phone.selectOption('[aria-label="Body B"]', { label: 'ring' });
    await phone.waitForFunction(() => location.hash === '#hood=hierarchy/models/3/1');
    await settled(phone);
    await phone.waitForFunction(() => document.querySelector('.hood-sentence')!.textContent !== '');
    expect(await phone.inputValue('[aria-label="Body A"]')).toBe('3');
    await phone.context().close();
  });
});

describe('on the GPU', () => {
  let page: Page;
  beforeAll(async () => {
    page = await gpuStudio('hood', wanted.viewport);
  });

  test('layers: lines, tests and the lines each leaves open, cases', async () => {
    const count = await go(page, 'layers/tori');
    expect(count).toBe(6);
    const open: number[] = [];
    await walk(page, count, 'layers', async () => {
      const said = await page.textContent('.facts');
      const found = /still open([\d,]+)/.exec(said!);
      if (found) open.push(Number(found[1].replaceAll(',', '')));
    });
    // After test 2, after test 3, and the mask of the sorted lines.
    expect(open).toHaveLength(3);
    expect(open[0]).toBeGreaterThan(open[1]);
    expect(open[1]).toBe(open[2]);
    expect(open[2]).toBeGreaterThan(0);
    expect(await sentenceOf(page)).toMatch(/meet along [1-9][\d,]* of [\d,]+ lines/);
  });

  test('rays: edges, counts, edges in the other body', async () => {
    const count = await go(page, 'raycast/jaws');
    expect(count).toBe(5);
    await walk(page, count, 'raycast');
    expect(await page.textContent('.facts')).toMatch(/in the other body[1-9]/);
  });

  test('views: images, the triangles they leave, the triangles that meet', async () => {
    const count = await go(page, 'visibility/tori');
    // Two passes of six views each, and what each pass left.
    expect(count).toBe(16);
    const sentences: string[] = [];
    await walk(page, count, 'visibility', async () => {
      sentences.push((await sentenceOf(page))!);
    });
    const beginning = (words: RegExp) => sentences.filter(sentence => words.test(sentence)).length;
    expect([beginning(/^A glance along/), beginning(/^A closer look along/)]).toEqual([6, 6]);
    expect(await sentenceOf(page)).toMatch(/^[1-9][\d,]* of .* meet\. No pair is ever lost/);
  });
});
