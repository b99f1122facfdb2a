// A scene in a page of the studio: runs it for some steps, reads its figures, and compares hail with the same hail here.

import { createHail } from '@nearfield/samples';
import type { Nearfield } from 'nearfield';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** A software GPU draws few pixels fast; saved pictures need more. */
export const small = process.env['NEARFIELD_PICTURES'] ? {} : { viewport: { width: 800, height: 480 } };

/** The figures of the panel, by label. */
export const factsOn = (page: Page): Promise<Record<string, string>> =>
  page.$eval('[data-testid=facts]', list => {
    const items = [...list.children].map(item => item.textContent!);
    return Object.fromEntries(items.flatMap((item, i) => (i % 2 === 0 ? [[item, items[i + 1]]] : [])));
  });

/** Formats a number as the panel does. */
export function written(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en');
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

/**
 * Runs the scene for at least this many steps and stops it inside the page. Stopped from here, it would run some more
 * steps, and bodies that meet may have parted by then. Returns the number of steps.
 */
export async function runScene(page: Page, steps: number): Promise<number> {
  await page.evaluate(
    count =>
      new Promise<void>(resolve => {
        const stop = () => {
          const button = document.querySelector<HTMLButtonElement>('[title="Pause (Space)"]');
          if (button === null || Number(document.body.dataset['steps']) <= count) return;
          observer.disconnect();
          button.click();
          resolve();
        };
        const observer = new MutationObserver(stop);
        observer.observe(document.body, { attributes: true, attributeFilter: ['data-steps'] });
        stop();
      }),
    steps,
  );
  await page.waitForSelector('body[data-resting=true]');
  return Number(await page.getAttribute('body', 'data-steps')) - 1;
}

/**
 * Opens a scene with settings small enough for a busy machine, in its address, and `live` settings, with their
 * sliders.
 */
export async function showScene(
  page: Page,
  name: string,
  settings: Record<string, number | boolean>,
  steps: number,
  live: Record<string, number> = {},
): Promise<number> {
  const given = Object.entries(settings).map(([control, value]) => `&${control}=${value}`);
  await page.evaluate(
    to => {
      location.hash = to;
    },
    `scenes=${name}${given.join('')}`,
  );
  await page.waitForSelector(`.scene[data-scene=${name}][aria-selected=true]`);
  let made = await runScene(page, steps);
  if (Object.keys(live).length > 0) {
    for (const [label, value] of Object.entries(live)) {
      await page.fill(`[aria-label="${label}"]`, String(value));
    }
    await page.click('[title="Play (Space)"]');
    made = await runScene(page, made + 1);
  }
  // A sentence, a legend, its paper, and times beside the paper's.
  expect((await page.textContent('.right .sentence'))!.length).toBeGreaterThan(40);
  expect(await page.textContent('.right .paper')).toMatch(/[A-Z][\wß]+.* \((199|200)\d\)\.$/);
  expect(await page.textContent('[data-testid=timing]')).toMatch(/median of \d+.* mspaper, (199|200)\d/);
  return made;
}

/** Compares the hail of the page with the same hail here, on the CPU. */
export async function expectHail(nf: Nearfield, page: Page, particles: number, steps: number): Promise<void> {
  const hail = await createHail(nf, { particles, lookAhead: 0.15 });
  const struck = new Map<string, number>();
  let [impacts, total] = [0, 0];
  for (let i = 0; i <= steps; i++) {
    const step = await hail.step(i === 0 ? 1.5 : 1 / 60);
    impacts = step.impacts.count;
    total += impacts;
    for (const { collider } of step.impacts) {
      const name = hail.parts[collider].collider.name!;
      struck.set(name, (struck.get(name) ?? 0) + 1);
    }
  }
  const { stones, 'impacts in this step': last, 'impacts so far': all, ...most } = await factsOn(page);
  expect([stones, last, all]).toEqual([particles, impacts, total].map(written));
  expect(Object.keys(most)).toHaveLength(4);
  for (const [name, count] of Object.entries(most)) expect(count, name).toBe(written(struck.get(name)!));
  hail.close();
}
