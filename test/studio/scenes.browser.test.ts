// Every scene in the browser: it starts, continues, and gives the same numbers as the same sample stepped here.

import {
  createBoxes,
  createBreaking,
  createBunnies,
  createFoldingCloth,
  createHail,
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
import { gpuStudio, openStudio, picture, useStudio } from './rig.ts';

useStudio();

const nf: Nearfield = await open({ backend: 'cpu' });
afterAll(() => nf.close());

/** A software GPU draws few pixels fast; saved pictures need more. */
const small = process.env['NEARFIELD_PICTURES'] ? {} : { viewport: { width: 800, height: 480 } };

/** The figures of the panel, by label. */
const factsOn = (page: Page): Promise<Record<string, string>> =>
  page.$eval('[data-testid=facts]', list => {
    const items = [...list.children].map(item => item.textContent!);
    return Object.fromEntries(items.flatMap((item, i) => (i % 2 === 0 ? [[item, items[i + 1]]] : [])));
  });

/** Formats a number as the panel does. */
function written(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en');
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

/**
 * Runs the scene for at least this many steps and stops it inside the page. Stopped from here, it would run some more
 * steps, and bodies that meet may have parted by then. Returns the number of steps.
 */
async function runScene(page: Page, steps: number): Promise<number> {
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
async function showScene(
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
    await expectHail(page, 500, steps);
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

/** Compares the hail of the page with the same hail here, on the CPU. */
async function expectHail(page: Page, particles: number, steps: number): Promise<void> {
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

describe('on the GPU that three.js draws with', () => {
  let page: Page;
  beforeAll(async () => {
    page = await gpuStudio('scenes=bunnies&triangles=3000&resolution=128', small.viewport);
  });

  test('pairs are the same, and CULLIDE misses some', async () => {
    expect(await page.textContent('[data-testid=engine]')).toMatch(/drawing and questions share one device/);
    const steps = await showScene(page, 'bunnies', { triangles: 3000, resolution: 128 }, 2, {
      'pixels per side': 64,
    });
    expect(await page.textContent('[data-testid=timing]')).toMatch(/on the GPU/);
    const sample = createBunnies(nf, { triangles: 3000 });
    for (let i = 0; i < steps; i++) sample.advance();
    const [pair] = await sample.scene.interferences({ detail: 'count' });
    const facts = await factsOn(page);
    const number = (label: string) => Number(facts[label].replaceAll(',', ''));
    expect(number('pairs of triangles')).toBe(pair.triangleCount);
    expect(number('pixels per side')).toBe(64);
    expect(number('missed by CULLIDE')).toBeGreaterThan(0);
    // If it misses most of them, the page says why.
    const isFew = number('found by CULLIDE') < pair.triangleCount! / 2;
    expect(await page.isVisible('[data-testid=note]')).toBe(isFew);
    if (isFew) expect(await page.textContent('[data-testid=note]')).toMatch(/smaller than a pixel/);
    expect(number('found by CULLIDE') + number('missed by CULLIDE')).toBe(pair.triangleCount);
    await picture(page, 'scene-bunnies-gpu');
    sample.close();
  });

  test('hail runs and draws on the GPU: the same impacts, and stones at the same places', async () => {
    const steps = await showScene(page, 'hail', { count: 500 }, 2);
    expect(await page.textContent('[data-testid=timing]')).toMatch(/on the GPU/);
    await expectHail(page, 500, steps);
    const drawn = await stonesOn(page);
    const hail = await createHail(nf, { particles: 500 });
    const { position, alive } = hail.particles.stateSync(1.5 + steps / 60);
    let living = 0;
    for (let i = 0; i < 500; i++) {
      expect(drawn[4 * i + 3] >= 0, `stone ${i}`).toBe(alive[i] > 0);
      if (alive[i] === 0) continue;
      living++;
      for (let k = 0; k < 3; k++) {
        const place = drawn[4 * i + k] + hail.particles.origin[k];
        // Two millimetres, because positions are single precision and bounces amplify the error.
        expect(Math.abs(place - position[3 * i + k]), `stone ${i}`).toBeLessThan(2e-3);
      }
    }
    expect(living).toBeGreaterThan(100);
    hail.close();
    await picture(page, 'scene-hail-gpu');
  });

  test('if the device is lost, a line says so, WebGL draws and the CPU answers', async () => {
    await page.evaluate(() => {
      const { device } = (globalThis as never as { nearfieldStudio: { device: GPUDevice } }).nearfieldStudio;
      device.destroy();
    });
    await page.waitForSelector('.message:has-text("The GPU was lost")');
    expect(await page.textContent('[data-testid=engine]')).toMatch(/drawing with WebGL: the GPU was lost/);
    await page.click('.message button');
    await page.fill('[aria-label="stones"]', '500');
    const steps = await runScene(page, 2);
    expect(await page.textContent('[data-testid=timing]')).toMatch(/on the CPU/);
    await expectHail(page, 500, steps);
    expect(await page.$$('.message')).toEqual([]);
    await picture(page, 'scene-lost');
    await page.context().close();
  });
});

/** The buffer that three.js draws stones from: position and age per stone. */
const stonesOn = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    interface Drawn {
      geometry?: { attributes: { place?: object } };
    }
    const { viewer, device } = (globalThis as never as { nearfieldStudio: never })['nearfieldStudio'] as {
      device: GPUDevice;
      viewer: {
        scene: { children: Drawn[] };
        renderer: { backend: { get(key: object): { buffer: GPUBuffer } } };
      };
    };
    const { place } = viewer.scene.children.find(child => child.geometry?.attributes.place)!.geometry!
      .attributes;
    const { buffer } = viewer.renderer.backend.get(place!);
    const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
    const copy = device.createBuffer({ size: buffer.size, usage });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, copy, 0, buffer.size);
    device.queue.submit([encoder.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    const numbers = [...new Float32Array(copy.getMappedRange())];
    copy.destroy();
    return numbers;
  });
