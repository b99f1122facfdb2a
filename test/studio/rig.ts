// One Chromium and one server for all tests of the studio. A page that says anything on its console that is not known, or
// throws, fails the test it belongs to.

import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Served, serveFolder } from '../../packages/cli/src/studio/serve.ts';
import { launchBrowser } from '../../scripts/browser.mjs';

const folder = resolve(import.meta.dirname, '../../packages/cli/dist/studio');
/** What Chromium says of itself, whatever the page does. */
const known = [
  /WebGPU is experimental on this platform/,
  /GPU stall due to ReadPixels/,
  /Automatic fallback to software/,
];

/** Pictures are made for people to look at. */
const isSeen = Boolean(process.env['NEARFIELD_PICTURES']);

/**
 * A GPU made of software draws every pixel and every frame on the processor. The page is laid out as ever, but drawn with an
 * eighth of its pixels a side, and the camera is at once where it would fly to; unless people are to look.
 */
const thrifty: BrowserContextOptions = isSeen
  ? { deviceScaleFactor: 2 }
  : { deviceScaleFactor: 0.125, reducedMotion: 'reduce' };

/** All files of tests are run by one process and share these: it ends the browser when it ends. */
let browser: Browser | undefined;
let served: Served | undefined;
let onGpu: Page | undefined;
const said: string[] = [];

/** Opens the browser where none is open, checks after each test that its pages were content, and closes the file's own. */
export function useStudio(): void {
  beforeAll(async () => {
    browser ??= await launchBrowser({ isSeen });
    served ??= await serveFolder(folder, 0);
  });
  afterEach(() => {
    expect(said.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    const own = browser!.contexts().filter(context => context !== onGpu?.context());
    await Promise.all(own.map(context => context.close()));
  });
}

/**
 * The page whose questions the GPU answers that draws, one for all files: for every page a software GPU compiles all kernels
 * anew, which takes it seconds. It shows the tab that `hash` names, idle. Who closes it leaves the next a fresh one.
 */
export async function gpuStudio(hash: string, viewport = { width: 1200, height: 760 }): Promise<Page> {
  if (onGpu === undefined) {
    onGpu = await openStudio(`?engine=gpu#${hash}`, { viewport });
    onGpu.once('close', () => {
      onGpu = undefined;
    });
    return onGpu;
  }
  await onGpu.setViewportSize(viewport);
  await onGpu.evaluate(to => {
    location.hash = to;
  }, hash);
  await onGpu.waitForSelector(`body[data-tab=${/^\w+/.exec(hash)![0]}]`);
  await settled(onGpu);
  return onGpu;
}

/** A page of the studio, idle. `address` is what follows the server's: `?engine=cpu#models`. */
export async function openStudio(
  address = '',
  options: BrowserContextOptions & { before?: string } = {},
): Promise<Page> {
  const { before, ...rest } = options;
  const context = await browser!.newContext({ viewport: { width: 1200, height: 760 }, ...thrifty, ...rest });
  const page = await context.newPage();
  if (before) await page.addInitScript(before);
  page.on('console', message => {
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !known.some(pattern => pattern.test(message.text()))) said.push(message.text());
  });
  page.on('pageerror', error => said.push(String(error)));
  await page.goto(`${served!.url}${address}`);
  await page.waitForSelector('body[data-state=idle]', { timeout: 120_000 });
  return page;
}

/** A page with nothing on it, and no WebGPU: that is for pages of a server. */
export async function openBlank(): Promise<Page> {
  const context = await browser!.newContext();
  const page = await context.newPage();
  page.on('pageerror', error => said.push(String(error)));
  return page;
}

export interface Dropped {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** Drops files on the page, as a person does. */
export async function drop(page: Page, files: readonly Dropped[]): Promise<void> {
  const encoded = files.map(({ name, content }) => ({
    name,
    bytes: Buffer.from(content).toString('base64'),
  }));
  await page.evaluate(list => {
    const transfer = new DataTransfer();
    for (const { name, bytes } of list) {
      const content = Uint8Array.from(atob(bytes), letter => letter.charCodeAt(0));
      transfer.items.add(new File([content], name));
    }
    const target = document.querySelector('.view')!;
    target.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, encoded);
}

/** Waits until all that was asked has been answered. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.body.dataset['state'] === 'idle', undefined, { timeout: 60_000 });
}

/** The pairs as they are listed. */
export function listedPairs(page: Page): Promise<{ names: string; relation: string; amount: string }[]> {
  return page.$$eval('.pair', rows =>
    rows.map(row => ({
      names: row.querySelector('.names')!.textContent!,
      relation: (row as HTMLElement).dataset['relation']!,
      amount: row.querySelector('.amount')!.textContent!,
    })),
  );
}

/** For people to look at: with NEARFIELD_PICTURES=1, a picture of the page in .cache/pictures. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!isSeen) return;
  const target = resolve(import.meta.dirname, '../../.cache/pictures');
  mkdirSync(target, { recursive: true });
  await page.screenshot({ path: `${target}/${name}.png` });
}
