// Every scene in the browser: it starts, continues, and gives the same numbers as the same sample stepped here.

import {
  createBoxes,
  createBreaking,
  createBunnies,
  createFoldingCloth,
  createHeart,
  createLeaves,
  createRings,
  createRotating,
  createTori,
  jawParts,
  jawStages,
  type Moving,
  type Sample,
} from '@nearfield/samples';
import { type Nearfield, open } from 'nearfield';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStudio, picture, useStudio } from '../rig.ts';
import { expectHail, factsOn, showScene, small, written } from './scene-page.ts';

useStudio();

const nf: Nearfield = await open({ backend: 'cpu' });
afterAll(() => nf.close());

describe('scenes', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openStudio('?draw=webgl&engine=cpu#scenes', small);
  });
  // Otherwise the last scene would run beside the tests that follow.
  afterAll(() => page.context().close());

  // The dragon is struck after about fourteen steps, and then breaks into more and more pieces.
  const moving: readonly [string, Record<string, number>, number, () => Moving][] = [
    [
      'rotating',
      { triangles: 3000, distance: 1.1 },
      3,
      () => createRotating(nf, { triangles: 3000, distance: 1.1 }),
    ],
    ['boxes', { count: 500 }, 3, () => createBoxes(nf, { count: 500, turning: true })],
    ['leaves', { leaves: 40 }, 3, () => createLeaves(nf, { leaves: 40 })],
    ['bunnies', { triangles: 3000 }, 3, () => createBunnies(nf, { triangles: 3000 })],
    [
      'breaking',
      { triangles: 3000, pieces: 40 },
      15,
      () => createBreaking(nf, { triangles: 3000, fallingTriangles: 1000, pieces: 40 }),
    ],
  ];
  test.each(moving)('%s: every step has the pairs found here', async (name, settings, least, create) => {
    const steps = await showScene(page, name, settings, least);
    await picture(page, `scene-${name}`);
    const sample = create();
    for (let i = 0; i < steps; i++) sample.advance();
    const found = await sample.scene.interferences({ detail: 'count' });
    let triangles = 0;
    for (const { triangleCount = 0 } of found) triangles += triangleCount;
    if (name === 'breaking') expect(sample.bodies.length).toBeGreaterThan(10);
    const facts = await factsOn(page);
    expect([facts['pairs of bodies'], facts['pairs of triangles']]).toEqual(
      [found.length, triangles].map(written),
    );
    sample.close();
  });

  test('cloth: its self-intersections are those found here', async () => {
    const steps = await showScene(page, 'cloth', { triangles: 2000 }, 5);
    const sample = createFoldingCloth(nf, { triangles: 2000 });
    for (let i = 0; i < steps; i++) sample.advance();
    const cloth = sample.bodies.reduce((a, b) => (b.mesh.triangleCount > a.mesh.triangleCount ? b : a));
    const { triangles } = await sample.scene.selfIntersections(cloth);
    expect((await factsOn(page))['pairs of its own triangles']).toBe(written(triangles.length / 2));
    await picture(page, 'scene-cloth');
    sample.close();
  });

  // Rings take eight steps at once, and some time to fall.
  const deep: readonly [string, Record<string, number>, number, number, number, () => Sample][] = [
    ['tori', {}, 2, 1, 0.035, () => createTori(nf)],
    ['heart', { tolerance: 0.04 }, 2, 1, 0.04, () => createHeart(nf)],
    ['rings', { count: 2 }, 23, 8, 0.03, () => createRings(nf, { count: 2 })],
  ];
  test.each(deep)('%s: points in both and their ways out equal those found here', async (name, ...rest) => {
    const [settings, atLeast, each, tolerance, create] = rest;
    const steps = await showScene(page, name, settings, atLeast, { 'arrow length factor': 3 });
    const drawn = await arrowsOn(page);
    await picture(page, `scene-${name}`);
    const sample = create();
    for (let i = 0; i < each * steps; i++) await sample.step();
    const volume = await sample.scene.intersectionVolume(sample.scene.bodies, { tolerance, depths: true });
    const { depth, direction } = volume.depths!;
    const { 'points drawn, one in': every = '1', ...facts } = await factsOn(page);
    const numbers = [volume.count, Math.max(0, ...depth), volume.volume];
    expect(Object.keys(facts)).toEqual(['penetrating points', 'deepest', 'common volume']);
    expect(Object.values(facts)).toEqual(numbers.map(written));
    expect(volume.count).toBeGreaterThan(0);
    // Each arrow begins at its point and is three times as long as the way to the surface.
    const expected = Array.from(volume.points, (value, i) => {
      const from = Math.fround(value);
      return [from, Math.fround(from + Math.fround(3 * depth[Math.floor(i / 3)] * direction[i]))];
    });
    expect(drawn).toEqual(expected.filter((_, i) => Math.floor(i / 3) % Number(every) === 0));
    sample.close();
  });

  test('jaws: the figures of the map equal those measured here, on the teeth and flat', async () => {
    const steps = await showScene(page, 'jaws', { pixel: 0.5, all: false }, 2);
    const { upper, lower, poseAt } = jawParts({ teeth: 'five', triangles: 112_000 });
    const scene = nf.scene();
    const [from, to] = [poseAt(jawStages[1]), poseAt(jawStages[2])];
    const share = (20 + steps) / 40;
    expect(share).toBeLessThan(1);
    const pose = from.map((value, i) => value + share * (to[i] - value));
    const [a, b] = [scene.add(upper.mesh, { pose: upper.pose }), scene.add(lower.mesh, { pose })];
    const map = await scene.distanceMap(a, b, { pixel: 0.5, direction: [0, 0, -1], within: 3 });
    const { measured, least, mean, contactArea, penetrationArea } = map.statistics;
    expect(Object.values(await factsOn(page))).toEqual(
      [measured, least, mean, contactArea, penetrationArea].map(written),
    );
    expect(penetrationArea).toBeGreaterThan(0);
    const size = await page.$eval('.hood-canvas', canvas => {
      const { width, height } = canvas as HTMLCanvasElement;
      const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
      let painted = 0;
      for (let i = 3; i < data.length; i += 4) if (data[i] > 0) painted++;
      return [width, height, painted];
    });
    const covered = map.coverage.filter(Boolean).length;
    expect(size).toEqual([map.columns, map.rows, covered]);
    expect(await page.textContent('.hood-legend:not([hidden])')).toMatch(/overlap of 1 mm.*touching.*3 mm/s);
    await picture(page, 'scene-jaws');
    scene.close();
  });

  test('hail: impacts, in total and per object, equal those found here; maps can be chosen', async () => {
    const steps = await showScene(page, 'hail', { count: 500 }, 3);
    await expectHail(nf, page, 500, steps);
    await page.selectOption('[aria-label="impact map"]', 'house, front roof');
    await page.check('.right label:has-text("sound") input');
    await page.click('[title="One step"]');
    await page.waitForFunction(() =>
      /^Impact map, house, front roof: [\d,]+ impacts$/.test(
        document.querySelector('.hood-said')!.textContent!,
      ),
    );
    await page.uncheck('.right label:has-text("sound") input');
    await picture(page, 'scene-hail');
  });

  test('pauses while the page is hidden, and fills the view at every size', async () => {
    const stepsNow = () => page.getAttribute('body', 'data-steps').then(Number);
    const hide = (isHidden: boolean) =>
      page.evaluate(value => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await page.click('[title="Play (Space)"]');
    await hide(true);
    // One step may have been pending.
    await page.waitForTimeout(300);
    const rested = await stepsNow();
    await page.waitForTimeout(300);
    expect(await stepsNow()).toBe(rested);
    await hide(false);
    await page.waitForFunction(before => Number(document.body.dataset['steps']) > before, rested);
    for (const size of [
      { width: 1200, height: 760 },
      { width: 800, height: 480 },
    ]) {
      await page.setViewportSize(size);
      await page.waitForFunction(() => {
        const canvas = document.querySelector<HTMLCanvasElement>('.view canvas')!;
        const { clientWidth, clientHeight } = canvas.parentElement!;
        const whole = [clientWidth, clientHeight].map(side => Math.floor(side * devicePixelRatio));
        return canvas.width === whole[0] && canvas.height === whole[1];
      });
    }
  });
});

/** The drawn arrows: where each coordinate begins and ends. */
const arrowsOn = (page: Page): Promise<number[][]> =>
  page.evaluate(() => {
    const { viewer } = (globalThis as never as { nearfieldStudio: never })['nearfieldStudio'] as {
      viewer: { marks: { group: { children: { isLineSegments?: true; geometry: never }[] } } };
    };
    const lines = viewer.marks.group.children.find(child => child.isLineSegments)!;
    const { array } = (lines.geometry as { attributes: { position: { array: Float32Array } } }).attributes
      .position;
    const ends: number[][] = [];
    // A shaft and two strokes for the head.
    for (let i = 0; i < array.length; i += 18) {
      for (let axis = 0; axis < 3; axis++) ends.push([array[i + axis], array[i + 3 + axis]]);
    }
    return ends;
  });
