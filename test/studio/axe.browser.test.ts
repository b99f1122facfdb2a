// What axe finds of WCAG 2.2 A and AA, in the states in which people use the page, in both themes: nothing.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { boxObj } from '../../packages/cli/src/testing.ts';
import { drop, openStudio, settled, useStudio } from './rig.ts';

useStudio();

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

interface Axe {
  run(root: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** One line per violation and element, in the light and in the dark theme. */
async function found(page: Page): Promise<string[]> {
  const lines: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await page.evaluate(async () => {
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const { axe } = globalThis as unknown as { axe: Axe };
      return (await axe.run(document, { runOnly: tags, resultTypes: ['violations'] })).violations;
    });
    for (const { id, nodes } of violations)
      for (const { html } of nodes) lines.push(`${colorScheme}: ${id}: ${html.slice(0, 160)}`);
  }
  return lines;
}

describe('axe finds nothing', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openStudio('?draw=webgl');
    await page.evaluate(axe);
  });

  test('on the first page', async () => {
    expect(await found(page)).toEqual([]);
  });

  test('in a review: a chosen pair with its card, its comment, filters, groups, section and map', async () => {
    await drop(page, [
      { name: 'a.obj', content: boxObj(0, 0, 0, 2, 'a part with a long name that does not fit') },
      { name: 'b.obj', content: boxObj(1.5, 0.5, 0.5, 2, 'b') },
      { name: 'c.obj', content: boxObj(3, 1, 1, 2, 'c') },
    ]);
    await page.waitForSelector('.pair');
    await settled(page);
    await page.keyboard.press('j');
    await page.keyboard.press('s');
    await page.click('text=Filters and groups');
    await page.selectOption('[aria-label=Groups]', 'part');
    await page.waitForSelector('[data-group]');
    await page.click('text=Map of clearance');
    await page.waitForSelector('[data-testid=map-scale]');
    await settled(page);
    expect(await found(page)).toEqual([]);
  });

  test('with a selected body, a measure, a message and the list of keys', async () => {
    await drop(page, [{ name: 'broken.stl', content: 'no' }]);
    await page.waitForSelector('.message');
    await page.click('.tree .body >> nth=1');
    await page.focus('canvas');
    await page.keyboard.press('m');
    await page.waitForSelector('[data-testid=measure]:visible');
    expect(await found(page)).toEqual([]);
    await page.keyboard.press('?');
    await page.waitForSelector('dialog.help[open]');
    expect(await found(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test.each(['scenes=rotating&triangles=3000', 'hood', 'bench'])('on the tab %s', async hash => {
    await page.evaluate(to => {
      location.hash = to;
    }, hash);
    await page.waitForSelector(`body[data-tab=${/^\w+/.exec(hash)![0]}]`);
    if (hash.startsWith('scenes')) {
      await page.waitForFunction(() => Number(document.body.dataset['steps']) > 1);
      await page.keyboard.press('Space');
      await page.waitForSelector('body[data-resting=true]');
    }
    await settled(page);
    expect(await found(page)).toEqual([]);
  });
});
