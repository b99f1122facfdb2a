// One Chromium and one server for all tests of the studio. If a page throws, or prints an unknown message on its
// console, its test fails.

import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Served, serveFolder } from '../../packages/cli/src/studio/serve.ts';
import { launchBrowser } from '../../scripts/browser.mjs';

const folder = resolve(import.meta.dirname, '../../packages/cli/dist/studio');
/** Console messages of Chromium itself. */
const known = [
  /WebGPU is experimental on this platform/,
  /GPU stall due to ReadPixels/,
  /Automatic fallback to software/,
];

/** Whether pictures are saved for people. */
const isSeen = Boolean(process.env['NEARFIELD_PICTURES']);

/**
 * A software GPU draws every pixel and every frame on the CPU. So the page has its usual layout but an eighth of the
 * pixels per side, and the camera jumps instead of flying, unless pictures are saved for people.
 */
const thrifty: BrowserContextOptions = isSeen
  ? { deviceScaleFactor: 2 }
  : { deviceScaleFactor: 0.125, reducedMotion: 'reduce' };

/** One process runs all test files, and they share these. The browser ends with the process. */
let browser: Browser | undefined;
let served: Served | undefined;
let onGpu: Page | undefined;
const said: string[] = [];

/**
 * Opens the browser if none is open, checks after each test that its pages reported no errors, and closes the pages
 * of the file.
 */
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
 * The page whose questions go to the GPU that draws, one for all files: a software GPU takes seconds to compile all
 * kernels for each page. It shows the tab that `hash` names, idle. If a test closes it, the next test gets a new one.
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

/** A page of the studio, idle. `address` follows the server's address: `?engine=cpu#models`. */
export async function openStudio(
  address = '',
  options: BrowserContextOptions & { before?: string } = {},
): Promise<Page> {
  const { before, ...rest } = options;
  // While the GPU's thread of Chromium compiles shaders for one page, new pages wait for it. Then another is opened, twice at most.
  for (let left = 2; ; left--) {
    const context = await browser!.newContext({
      viewport: { width: 1200, height: 760 },
      ...thrifty,
      ...rest,
    });
    const page = await context.newPage();
    if (before) await page.addInitScript(before);
    listen(page);
    try {
      await page.goto(`${served!.url}${address}`, { waitUntil: 'commit' });
      await page.waitForSelector('body[data-state=idle]', { timeout: left > 0 ? 40_000 : 60_000 });
      return page;
    } catch (error) {
      await context.close();
      if (left === 0) throw error;
    }
  }
}

/** A page of the disk, as someone opens it who got it by mail. */
export async function openFile(
  path: string,
  options: BrowserContextOptions & { before?: string } = {},
): Promise<Page> {
  const { before, ...rest } = options;
  const context = await browser!.newContext(rest);
  const page = await context.newPage();
  if (before) await page.addInitScript(before);
  listen(page);
  await page.goto(pathToFileURL(path).href);
  return page;
}

/** What the pages have said on their consoles so far, for a test that expects it. */
export const takeMessages = (): string[] => said.splice(0);

function listen(page: Page): void {
  page.on('console', message => {
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !known.some(pattern => pattern.test(message.text()))) said.push(message.text());
  });
  page.on('pageerror', error => said.push(String(error)));
}

/** An empty page without WebGPU, which only pages of a server have. */
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

/** Drops files on the page, as a user does. */
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

/** Waits until all questions are answered. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.body.dataset['state'] === 'idle', undefined, { timeout: 60_000 });
}

/** The listed pairs. */
export function listedPairs(page: Page): Promise<{ names: string; relation: string; amount: string }[]> {
  return page.$$eval('.pair', rows =>
    rows.map(row => ({
      names: row.querySelector('.names')!.textContent!,
      relation: (row as HTMLElement).dataset['relation']!,
      amount: row.querySelector('.amount')!.textContent!,
    })),
  );
}

/** With NEARFIELD_PICTURES=1, saves a picture of the page in .cache/pictures. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!isSeen) return;
  const target = resolve(import.meta.dirname, '../../.cache/pictures');
  mkdirSync(target, { recursive: true });
  await page.screenshot({ path: `${target}/${name}.png` });
}
