// Every scene in the browser: it begins, goes on, and its numbers are those of the same sample stepped here.

import {
  createBoxes,
  createBreaking,
  createBunnies,
  createFoldingCloth,
  createLeaves,
  createRotating,
  type Moving,
} from '@nearfield/samples';
import { type Nearfield, open } from 'nearfield';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStudio, picture, useStudio } from './rig.ts';

useStudio();

const nf: Nearfield = await open({ backend: 'cpu' });
afterAll(() => nf.close());

/** What the panel says now, by label. */
const factsOn = (page: Page): Promise<Record<string, string>> =>
  page.$eval('[data-testid=facts]', list => {
    const items = [...list.children].map(item => item.textContent!);
    return Object.fromEntries(items.flatMap((item, i) => (i % 2 === 0 ? [[item, items[i + 1]]] : [])));
  });

/** Opens a scene with settings that a busy machine has time for, and lets it go on by some steps, then stops it. */
async function showScene(
  page: Page,
  name: string,
  settings: Record<string, number>,
  steps: number,
): Promise<number> {
  await page.evaluate(to => {
    location.hash = `scenes=${to}`;
  }, name);
  await page.waitForSelector(`.scene[data-scene=${name}][aria-selected=true]`);
  for (const [label, value] of Object.entries(settings)) {
    await page.fill(`[aria-label="${label}"]`, String(value));
  }
  await page.waitForFunction(least => Number(document.body.dataset['steps']) > least, steps, {
    timeout: 100_000,
  });
  await page.click('[title="Pause (Space)"]');
  // The step under way ends too.
  let last = -1;
  for (let now = 0; now !== last; ) {
    last = now;
    await page.waitForTimeout(300);
    now = Number(await page.getAttribute('body', 'data-steps'));
  }
  return last - 1;
}

describe('scenes', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openStudio('?draw=webgl&engine=cpu#scenes');
  });

  const moving: readonly [string, Record<string, number>, () => Moving][] = [
    [
      'rotating',
      { triangles: 3000, 'distance of the centres': 1.1 },
      () => createRotating(nf, { triangles: 3000, distance: 1.1 }),
    ],
    ['boxes', { boxes: 500 }, () => createBoxes(nf, { count: 500, turning: true })],
    ['leaves', { leaves: 40 }, () => createLeaves(nf, { leaves: 40 })],
    ['bunnies', { triangles: 3000 }, () => createBunnies(nf, { triangles: 3000 })],
    [
      'breaking',
      { triangles: 3000, pieces: 40 },
      () => createBreaking(nf, { triangles: 3000, fallingTriangles: 1000, pieces: 40 }),
    ],
  ];
  test.each(moving)('%s: the pairs of every step are those found here', async (name, settings, create) => {
    const steps = await showScene(page, name, settings, 3);
    await picture(page, `scene-${name}`);
    const sample = create();
    for (let i = 0; i < steps; i++) sample.advance();
    const found = await sample.scene.interferences({ detail: 'count' });
    let triangles = 0;
    for (const { triangleCount = 0 } of found) triangles += triangleCount;
    const facts = await factsOn(page);
    expect([facts['pairs of bodies'], facts['pairs of triangles']]).toEqual(
      [found.length, triangles].map(value => value.toLocaleString('en')),
    );
    sample.close();
  });

  test('cloth: what meets itself is what is found here', async () => {
    const steps = await showScene(page, 'cloth', { triangles: 2000 }, 5);
    const sample = createFoldingCloth(nf, { triangles: 2000 });
    for (let i = 0; i < steps; i++) sample.advance();
    const cloth = sample.bodies.reduce((a, b) => (b.mesh.triangleCount > a.mesh.triangleCount ? b : a));
    const { triangles } = await sample.scene.selfIntersections(cloth);
    expect((await factsOn(page))['pairs of its own triangles']).toBe(
      (triangles.length / 2).toLocaleString('en'),
    );
    await picture(page, 'scene-cloth');
    sample.close();
  });

  test.each(['tori', 'heart', 'rings', 'jaws', 'hail'])('%s goes on, and says what it finds', async name => {
    await showScene(page, name, name === 'jaws' ? { 'mm a pixel': 0.5 } : {}, 2);
    const facts = await factsOn(page);
    expect(Object.keys(facts).length).toBeGreaterThan(2);
    for (const value of Object.values(facts)) expect(value).not.toMatch(/NaN|undefined/);
    expect(await page.textContent('[data-testid=timing]')).toMatch(/median of \d+/);
    await picture(page, `scene-${name}`);
  });
});

test('on the GPU that three.js draws with, pairs are the same, and CULLIDE misses some of them', async () => {
  const page = await openStudio('?engine=gpu#scenes=rotating');
  expect(await page.textContent('[data-testid=engine]')).toMatch(/drawing and questions share one device/);
  const settings = { triangles: 3000, 'pixels a side': 64 };
  const steps = await showScene(page, 'bunnies', settings, 2);
  expect(await page.textContent('[data-testid=timing]')).toMatch(/on the GPU/);
  const sample = createBunnies(nf, { triangles: 3000 });
  for (let i = 0; i < steps; i++) sample.advance();
  const [pair] = await sample.scene.interferences({ detail: 'count' });
  const facts = await factsOn(page);
  const number = (label: string) => Number(facts[label].replaceAll(',', ''));
  expect(number('pairs of triangles')).toBe(pair.triangleCount);
  expect(number('missed by CULLIDE')).toBeGreaterThan(0);
  expect(number('found by CULLIDE') + number('missed by CULLIDE')).toBe(pair.triangleCount);
  await picture(page, 'scene-bunnies-gpu');
  sample.close();
  await page.context().close();
});
