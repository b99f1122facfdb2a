// Without a mouse and on a phone: every control has a name and shows its focus, keys alone lead from a sample to a
// pair and back, and nothing is wider than the screen.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { boxObj } from '../../packages/cli/src/testing.ts';
import type { Studio } from '../../studio/src/studio.ts';
import { drop, openStudio, picture, settled, useStudio } from './rig.ts';

useStudio();

const tabs = ['models', 'scenes', 'hood', 'bench'];

/** Visible controls without an accessible name. */
function nameless(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls =
      'button, input, select, textarea, canvas, a[href], [tabindex], [role=option], [role=treeitem], [role=tab], [role=listbox], [role=tree]';
    const isSeen = (element: Element) =>
      (element as HTMLElement).checkVisibility({ visibilityProperty: true });
    const nameOf = (element: HTMLElement) => {
      const labels = (element as HTMLInputElement).labels ?? [];
      const label = [...labels].map(({ textContent }) => textContent).join('');
      const isField = /^(INPUT|SELECT|TEXTAREA|CANVAS)$/.test(element.tagName);
      const named =
        element.getAttribute('aria-label') || label || (isField ? '' : element.textContent) || element.title;
      return named?.trim();
    };
    return [...document.querySelectorAll<HTMLElement>(controls)]
      .filter(element => isSeen(element) && !nameOf(element))
      .map(element => element.outerHTML.slice(0, 120));
  });
}

/** The focused element: its text, and whether the focus is visible. */
function focused(page: Page): Promise<{ words: string; role: string | null; isShown: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const words = element.getAttribute('aria-label') ?? element.textContent ?? '';
    const isShown = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    return { words: words.trim(), role: element.getAttribute('role') ?? element.tagName, isShown };
  });
}

/** Presses Tab until an element has the focus, and checks that every element on the way shows its focus. */
async function tabTo(
  page: Page,
  wanted: (now: { words: string; role: string | null }) => boolean,
): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    expect(now.role, 'the focus is lost').not.toBe('BODY');
    expect(now.isShown, `the focus of "${now.words}" shows`).toBe(true);
    if (wanted(now)) return;
  }
  throw new Error('not reached in 60 steps');
}

describe('with keys only', () => {
  test('from the sample to a pair, with a flight to it, and back', async () => {
    const page = await openStudio('?draw=webgl', { reducedMotion: 'no-preference' });
    const cameraAt = () =>
      page.evaluate(() => {
        const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
        return viewer.camera.camera.position.toArray().join();
      });
    expect(await nameless(page)).toEqual([]);
    await tabTo(page, ({ words }) => words === 'Open the sample gearbox');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.pair', { timeout: 60_000 });
    // The button is gone, but the focus is not lost.
    expect((await focused(page)).words).toBe('Open files');
    expect(await nameless(page)).toEqual([]);
    await tabTo(page, ({ role }) => role === 'treeitem');
    const first = (await focused(page)).words;
    await page.keyboard.press('ArrowDown');
    const second = (await focused(page)).words;
    expect(second).not.toBe(first);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    expect((await focused(page)).words).toBe(first);
    // The whole tree has one tab stop; Tab then reaches the controls of the focused item.
    expect(await page.$$eval('.tree [role=treeitem][tabindex="0"]', list => list.length)).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.tree [aria-selected=true]');
    expect((await focused(page)).words).toBe(first);
    const before = await cameraAt();
    await tabTo(page, ({ role }) => role === 'listbox');
    await page.keyboard.press('ArrowDown');
    const active = () =>
      page.evaluate(
        () =>
          document.getElementById(document.activeElement!.getAttribute('aria-activedescendant')!)!
            .textContent!,
      );
    const pair = await active();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.pair[aria-selected=true]');
    await page.waitForFunction(was => {
      const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
      return viewer.camera.camera.position.toArray().join() !== was;
    }, before);
    expect((await focused(page)).role).toBe('listbox');
    expect((await active()).slice(0, 8)).toBe(pair.slice(0, 8));
    // Hide the selected body, and undo it.
    await page.keyboard.press('h');
    await page.waitForSelector('.tree .off');
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => document.querySelector('.tree .off') === null);
    expect((await focused(page)).role).toBe('listbox');
    await page.context().close();
  });

  test('1 to 4 open the tabs, arrows move between them, ? lists the keys; every control has a name', async () => {
    const page = await openStudio('?draw=webgl');
    for (const [i, tab] of [...tabs.entries()].reverse()) {
      await page.keyboard.press(String(i + 1));
      await page.waitForSelector(`body[data-tab=${tab}]`);
      expect(await page.getAttribute(`#tab-${tab}`, 'aria-selected')).toBe('true');
      await page.waitForFunction(() => document.querySelector('.side')!.childElementCount > 0);
      expect(await nameless(page), tab).toEqual([]);
    }
    await page.focus('#tab-models');
    await page.keyboard.press('ArrowRight');
    expect((await focused(page)).words).toBe('Scenes');
    await page.keyboard.press('?');
    await page.waitForSelector('dialog.help[open]');
    expect(await nameless(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('dialog') === null);
    await settled(page);
    await page.context().close();
  });
});

test('the edges of the panels are dragged and moved by keys, and a reload keeps them', async () => {
  const page = await openStudio('?draw=webgl', { viewport: { width: 1400, height: 760 } });
  const widthOf = (side: string) => page.$eval(`.side.${side}`, panel => panel.getBoundingClientRect().width);
  const [left, right] = [await widthOf('left'), await widthOf('right')];
  const box = (await page.locator('[aria-label="Width of the left panel"]').boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, 300);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 120, 320, { steps: 4 });
  await page.mouse.up();
  expect(Math.abs((await widthOf('left')) - left - 120)).toBeLessThan(8);
  await page.focus('[aria-label="Width of the right panel"]');
  await page.keyboard.press('ArrowLeft');
  expect(await widthOf('right')).toBe(right + 16);
  const kept = await widthOf('left');
  await page.reload();
  await page.waitForSelector('body[data-state=idle]');
  expect(await widthOf('left')).toBe(kept);
  await page.dblclick('[aria-label="Width of the left panel"]');
  expect(await widthOf('left')).toBe(left);
  await page.context().close();
});

// One thread of Chromium compiles shaders and draws all pages. While it compiles for one page at once, as three.js asks it to, the
// mouse of the others waits: with a software GPU and large shaders six hovers took 57 s. So this test may begin again.
const again = { retry: 1 };
test(
  'a hovered button has enough contrast; colours follow the system until the user chooses',
  again,
  async () => {
    const page = await openStudio('?draw=webgl');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const button of await page.$$('button:enabled:visible')) {
        await button.hover({ timeout: 30_000 });
        const [text, ground] = await button.evaluate(element => {
          const { color, backgroundColor } = getComputedStyle(element);
          return [color, backgroundColor].map(value => value.match(/[\d.]+/g)!.map(Number));
        });
        expect(contrast(text, ground), (await button.textContent()) ?? '').toBeGreaterThanOrEqual(4.5);
      }
    }
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const [light, dark] = ['rgb(244, 245, 247)', 'rgb(20, 23, 27)'];
    expect(await ground()).toBe(dark);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await ground()).toBe(light);
    for (const chosen of [dark, light]) {
      await page.click('[aria-label="Light or dark"]');
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await ground(), `the system is ${colorScheme}`).toBe(chosen);
      }
    }
    await page.context().close();
  },
);

/** As WCAG 2.2 defines it. */
function contrast(p: number[], q: number[]): number {
  const luminance = (colour: number[]) => {
    const [r, g, b] = colour.map(value =>
      value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [low, high] = [luminance(p), luminance(q)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test('on a phone no tab is wider than the screen, in both themes, and there are no gizmos', async () => {
  const page = await openStudio('?draw=webgl', {
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });
  await picture(page, 'phone-empty');
  for (const tab of tabs) {
    await page.evaluate(
      to => {
        location.hash = to;
      },
      tab === 'scenes' ? 'scenes=rotating&triangles=3000' : tab,
    );
    await page.waitForSelector(`body[data-tab=${tab}]`);
    if (tab === 'models') {
      await page.tap('text=Open the sample gearbox');
      await page.waitForSelector('.pair', { timeout: 60_000 });
      await settled(page);
      await picture(page, 'phone-gearbox');
      await fits(page, 'gearbox');
      await page.tap('[aria-label=Undo]');
      await page.waitForFunction(() => document.querySelectorAll('.tree .body').length === 0);
      await drop(page, [
        {
          name: 'plate.obj',
          content: boxObj(0, 0, 0, 1, 'plate with a name that is longer than a telephone is wide'),
        },
        { name: 'peg.obj', content: boxObj(0.5, 0.5, 0.5, 1, 'peg') },
      ]);
      await page.waitForSelector('.pair:has-text("peg")');
    }
    if (tab === 'scenes') {
      // The scene would run as long as it is visible.
      await page.waitForFunction(() => Number(document.body.dataset['steps']) > 0);
      await page.keyboard.press('Space');
      await page.waitForSelector('body[data-resting=true]');
    }
    await settled(page);
    await picture(page, `phone-${tab}`);
    // The other panels, in the other theme, and on a smaller screen.
    for (const [width, height] of [
      [360, 640],
      [390, 844],
    ]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: width === 360 ? 'dark' : 'light' });
      for (const segment of await page.$$('.segments button')) {
        await segment.tap();
        const name = await segment.textContent();
        await fits(page, `${tab} ${name}`);
        if (width === 360) await picture(page, `phone-${tab}-${name!.toLowerCase()}-dark`);
      }
    }
    if (tab !== 'models') continue;
    expect(await page.$$eval('.segments button', list => list.map(each => each.textContent))).toEqual([
      'Pairs',
      'Bodies',
      'Facts',
    ]);
    expect(await page.isVisible('[data-testid=facts] >> text=Triangles')).toBe(true);
    await page.tap('.segments >> text=Bodies');
    await page.tap('.tree .body >> nth=0');
    expect(await page.isVisible('.inspector [aria-label="Position x"]')).toBe(true);
    expect(await page.isVisible('[aria-label="Rotate (R)"]')).toBe(false);
    const hasGizmo = await page.evaluate(() => {
      const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
      return viewer.gizmo.helper.visible;
    });
    expect(hasGizmo).toBe(false);
  }
  await page.context().close();
});

/** Nothing is wider than the screen, and no element is cut off at the side. */
async function fits(page: Page, what: string): Promise<void> {
  const { width } = page.viewportSize()!;
  expect(await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]), what).toEqual([
    width,
    width,
  ]);
  const cut = await page.$$eval(
    '.bar > *, .tools > *, .tabs > *, .status > *, .side > *',
    (parts, right) =>
      parts.filter(part => part.getBoundingClientRect().right > right).map(part => part.className),
    width + 1,
  );
  expect(cut, what).toEqual([]);
}
