// What is seen of models: which way is up, a chosen pair from a side that shows it, tools for looking and measuring.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { boxObj } from '../../../packages/cli/src/testing.ts';
import { meshoptGlb } from '../../../packages/io/src/testing/compressed.ts';
import type { Studio } from '../../../studio/src/studio.ts';
import { drop, openStudio, picture, settled, useStudio } from '../rig.ts';

useStudio();

/** Enough pixels to count some in a picture. */
const wanted = process.env['NEARFIELD_PICTURES'] ? {} : { deviceScaleFactor: 0.25 };

/** Where the eye is, as seen from the point it looks at, and which way is up. */
const eye = (page: Page) =>
  page.evaluate(() => {
    const { camera } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio.viewer;
    camera.update();
    const offset = camera.camera.position.clone().sub(camera.controls.target);
    return {
      ...offset.normalize(),
      away: camera.camera.position.distanceTo(camera.controls.target),
      up: camera.up,
    };
  });

/** The look of each body, by name. */
const looks = (page: Page) =>
  page.evaluate(() => {
    const { store, viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
    return Object.fromEntries(store.document.bodies.map(({ id, name }) => [name, viewer.bodies.lookOf(id)]));
  });

/** The share of the picture's pixels that are strongly red, and the colours at some places. */
const redPixels = (page: Page) =>
  page.evaluate(async () => {
    const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
    const image = await createImageBitmap(await viewer.picture());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
      if (data[i] > data[i + 1] + 50 && data[i] > data[i + 2] + 50) count++;
    return count;
  });

const choose = async (page: Page, names: RegExp) => {
  for (const row of await page.$$('.pair')) {
    if (names.test((await row.$eval('.names', ({ textContent }) => textContent))!)) await row.click();
  }
  await page.waitForSelector('.pair[aria-selected=true]');
  await settled(page);
};

test('a glTF is seen from above and its orbit turns about +y; other files have +z up', async () => {
  const page = await openStudio('?engine=cpu');
  await drop(page, [{ name: 'part.glb', content: await meshoptGlb('EXT_meshopt_compression') }]);
  await page.waitForSelector('.tree .body');
  await settled(page);
  const above = await eye(page);
  expect(above.up).toBe('y');
  expect(above.y).toBeGreaterThan(0.3);
  // A drag to the side keeps the height: the orbit is about the axis that is up.
  const { x, y, width, height } = (await (await page.$('canvas'))!.boundingBox())!;
  await page.mouse.move(x + width / 3, y + 0.8 * height);
  await page.mouse.down();
  await page.mouse.move(x + width / 3 + 120, y + 0.8 * height, { steps: 3 });
  await page.mouse.up();
  const turned = await eye(page);
  expect(turned.y).toBeCloseTo(above.y, 3);
  expect(Math.hypot(turned.x - above.x, turned.z - above.z)).toBeGreaterThan(0.1);
  await page.selectOption('[aria-label="Standard views and up axis"]', 'z up');
  await page.selectOption('[aria-label="Standard views and up axis"]', 'Top');
  const top = await eye(page);
  expect(top.up).toBe('z');
  expect(top.z).toBeCloseTo(1, 4);
  await page.context().close();
});

describe('a pair', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openStudio('?engine=cpu', wanted);
    // A case with a part in it, a wall that covers the view in front of all, and a block near the case.
    await drop(page, [
      { name: 'case.obj', content: boxObj(0, 0, 0, 10, 'case') },
      { name: 'part.obj', content: boxObj(4, 4, 4, 1, 'part') },
      { name: 'wall.obj', content: boxObj(-20, -60, -20, 40, 'wall') },
      { name: 'near.obj', content: boxObj(10.5, 9, 0, 10, 'near') },
      { name: 'peg.obj', content: boxObj(9, -0.5, 9.25, 3, 'peg') },
    ]);
    await page.waitForSelector('.pair');
    await page.fill('[aria-label=Clearance]', '1');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.pair[data-relation=separate]');
    await settled(page);
  });

  test('under the pointer has its names beside the pointer, and a click chooses it', async () => {
    await page.waitForFunction(() => {
      const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
      return viewer.marks.group.children.length > 0;
    });
    // From above.
    await page.selectOption('[aria-label="Standard views and up axis"]', 'Top');
    await eye(page);
    const at = await page.evaluate(() => {
      const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
      const { camera } = viewer.camera;
      camera.updateMatrixWorld();
      const { origin } = viewer.bodies;
      // The top of the case, where a side of the peg crosses it.
      const point = camera.position
        .clone()
        .set(9 - origin[0], 1 - origin[1], 10 - origin[2])
        .project(camera);
      const { left, top, width, height } = document.querySelector('canvas')!.getBoundingClientRect();
      return { x: left + ((point.x + 1) / 2) * width, y: top + ((1 - point.y) / 2) * height };
    });
    await page.mouse.move(at.x - 40, at.y - 40);
    await page.mouse.move(at.x, at.y);
    await page.waitForSelector('.pointed:visible');
    expect(await page.textContent('.pointed')).toMatch(/^case · peg: crossing, .* deep$/);
    await page.mouse.click(at.x, at.y);
    await page.waitForSelector('.pair[aria-selected=true]:has-text("peg")');
    await settled(page);
    await page.focus('canvas');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.pair[aria-selected=true]') === null);
  });

  test('that lies in another is seen through glass, and the rest as ghosts', async () => {
    await choose(page, /case.*part/);
    expect(await looks(page)).toEqual({
      case: 'glass',
      part: 'solid',
      wall: 'ghost',
      near: 'ghost',
      peg: 'ghost',
    });
    expect(await page.textContent('.label')).toMatch(/deep$/);
    await picture(page, 'pair-contained');
  });

  test('that crosses shows its curve, not whole triangles, and both bodies', async () => {
    await choose(page, /case.*peg/);
    const { away } = await eye(page);
    // Near the contact, not at a distance from which the wall would be seen as a whole.
    expect(away).toBeLessThan(40);
    expect(await redPixels(page)).toBeGreaterThan(3);
    await picture(page, 'pair-crossing');
    const seen = await page.evaluate(() => {
      const { viewer, store } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
      const { left, top, width, height } = document.querySelector('canvas')!.getBoundingClientRect();
      const names = new Map(store.document.bodies.map(({ id, name }) => [id, name]));
      const found = new Set<string>();
      for (let i = 1; i < 20; i++) {
        for (let j = 1; j < 20; j++) {
          const id = viewer.pick(left + (i * width) / 20, top + (j * height) / 20);
          if (id !== undefined) found.add(names.get(id)!);
        }
      }
      return [...found].sort();
    });
    expect(seen).toEqual(['case', 'peg']);
  });

  test('that is too close shows the line between its nearest points', async () => {
    await choose(page, /case.*near/);
    expect(await page.textContent('.label')).toBe('0.5 apart');
    const { away } = await eye(page);
    expect(away).toBeLessThan(60);
    await picture(page, 'pair-near');
  });

  test('has a map of clearance with its scale, which goes when a body moves', async () => {
    await page.click('text=Map of clearance');
    await page.waitForSelector('[data-testid=map-scale]');
    // The faces of the two are half a unit apart.
    expect(Number(await page.getAttribute('[data-testid=map-scale]', 'data-least'))).toBe(0.5);
    expect((await looks(page))['case']).toBe('hidden');
    await picture(page, 'map-of-clearance');
    await page.click('text=Map of clearance');
    await page.waitForSelector('[data-testid=map-scale]', { state: 'hidden' });
    expect((await looks(page))['near']).toBe('solid');
  });

  test('is moved out along its arrow, and undone', async () => {
    await choose(page, /case.*peg/);
    await page.click('text=Move out by');
    await settled(page);
    await page.waitForFunction(
      () => document.querySelector('.pair[aria-selected=true]')?.getAttribute('data-relation') !== 'crossing',
    );
    await page.focus('canvas');
    await page.keyboard.press('Control+z');
    await settled(page);
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Control+z');
    await settled(page);
    await page.waitForSelector('.pair[aria-selected=true][data-relation=crossing]');
  });

  test('hides the others, and is left with Escape', async () => {
    await page.click('.pair-card >> text=Hide others');
    expect((await looks(page))['wall']).toBe('hidden');
    await page.click('.pair-card >> text=Hide others');
    await page.focus('canvas');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.pair[aria-selected=true]') === null);
    expect(await page.$$('.label')).toEqual([]);
    expect(new Set(Object.values(await looks(page)))).toEqual(new Set(['solid']));
  });

  test('the list stays where it is when the section was open', async () => {
    await page.keyboard.press('s');
    await page.waitForSelector('.section-controls:visible');
    const down = await page.$eval('.pairs', list => {
      (list as HTMLElement).style.cssText = 'flex: none; height: 90px; min-height: 0';
      list.scrollTop = 1e6;
      return list.scrollTop;
    });
    expect(down).toBeGreaterThan(0);
    await page.click('.pair >> nth=-1');
    await page.waitForSelector('.pair[aria-selected=true]');
    await settled(page);
    expect(await page.$eval('.pairs', list => list.scrollTop)).toBe(down);
    await page.$eval('.pairs', list => list.removeAttribute('style'));
    await page.focus('canvas');
    await page.keyboard.press('Escape');
  });

  test('the section is set by its coordinate, and becomes a box; x-ray, explode and isolate change no pose', async () => {
    const planes = () =>
      page.evaluate(
        () =>
          (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio.viewer.bodies.planes.length,
      );
    await page.selectOption('[aria-label="Which section"]', 'plane 2');
    await page.fill('[aria-label="Coordinate of the section"]', '5');
    await page.keyboard.press('Enter');
    const constant = await page.evaluate(() => {
      const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
      return Math.abs(viewer.bodies.planes[0].constant);
    });
    expect(constant).toBeCloseTo(5, 6);
    expect(await planes()).toBe(1);
    await page.selectOption('[aria-label="Which section"]', 'box 3');
    expect(await planes()).toBe(6);
    await picture(page, 'section-box');
    await page.focus('canvas');
    await page.keyboard.press('s');
    expect(await planes()).toBe(0);
    const poses = () =>
      page.evaluate(() => {
        const { store } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
        return store.document.bodies.map(({ pose }) => [...pose].join()).join();
      });
    const before = await poses();
    await page.keyboard.press('x');
    expect(new Set(Object.values(await looks(page)))).toEqual(new Set(['glass']));
    await page.keyboard.press('x');
    await page.keyboard.press('e');
    await picture(page, 'exploded');
    await page.keyboard.press('e');
    await page.click('.tree .body >> nth=1');
    await page.keyboard.press('i');
    expect((await looks(page))['case']).toBe('ghost');
    await page.keyboard.press('i');
    expect(await poses()).toBe(before);
  });

  test('measures of bodies vanish with Escape; points and edges are measured too', async () => {
    const drawn = () =>
      page.evaluate(
        () =>
          (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio.viewer.ruler.group.children
            .length,
      );
    await page.focus('canvas');
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    await page.click('.tree .body:has-text("part")');
    await page.click('.tree .body:has-text("wall")');
    await page.waitForSelector('[data-testid=measure][data-distance]');
    // The wall ends at y = −20, the part begins at y = 4.
    expect(Number(await page.getAttribute('[data-testid=measure]', 'data-distance'))).toBe(24);
    expect(await drawn()).toBeGreaterThan(0);
    await page.focus('canvas');
    await page.keyboard.press('Escape');
    expect(await drawn()).toBe(0);
    expect(await page.isVisible('[data-testid=measure]')).toBe(false);
    await page.keyboard.press('m');
    await page.selectOption('[aria-label="What is measured"]', 'points');
    // Two opposite corners of the wall's front, a little inside of them.
    for (const corner of [
      [-19.9, -60, -19.9],
      [19.9, -60, 19.9],
    ]) {
      await page.evaluate(() => {
        const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
        viewer.fit({ atOnce: true });
        viewer.camera.update();
      });
      await page.selectOption('[aria-label="Standard views and up axis"]', 'Front');
      await eye(page);
      const at = await page.evaluate(([x, y, z]) => {
        const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
        const { camera } = viewer.camera;
        camera.updateMatrixWorld();
        const point = camera.position.clone().set(x, y, z).project(camera);
        const { left, top, width, height } = document.querySelector('canvas')!.getBoundingClientRect();
        return { x: left + ((point.x + 1) / 2) * width, y: top + ((1 - point.y) / 2) * height };
      }, corner);
      await page.mouse.click(at.x, at.y);
    }
    await page.waitForSelector('[data-testid=measure][data-distance]');
    expect(await page.textContent('[data-testid=measure]')).toMatch(/^corner to corner: 56.6 /);
    await picture(page, 'measure-points');
    await page.focus('canvas');
    await page.keyboard.press('Escape');
  });
});

test('a scene names its paper and the number to look at, and goes back to steps that were', async () => {
  const page = await openStudio('?draw=webgl#scenes=rotating&triangles=3000');
  await page.waitForFunction(() => Number(document.body.dataset['steps']) >= 4, undefined, {
    timeout: 60_000,
  });
  await page.keyboard.press('Space');
  await page.waitForSelector('body[data-resting=true]');
  expect(await page.getAttribute('.paper a', 'href')).toMatch(/^https:.*Object-Space/);
  const facts = () => page.textContent('[data-testid=facts]');
  const last = { facts: await facts(), look: await page.textContent('[data-testid=look]') };
  expect(last.look).toMatch(/^[\d,]+ pairs of triangles$/);
  const slide = page.locator('[aria-label="Step of the scene"]');
  const count = Number(await slide.getAttribute('max'));
  expect(count).toBeGreaterThan(2);
  // As wide as the charts below it.
  expect((await slide.boundingBox())!.width).toBeGreaterThan(200);
  const poseOf = () =>
    page.evaluate(() => {
      const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
      const matrices: number[] = [];
      viewer.scene.traverse(each => {
        if ('instanceMatrix' in each)
          matrices.push(...(each.instanceMatrix as { array: Float32Array }).array);
      });
      return matrices.join();
    });
  const there = await poseOf();
  await slide.fill('0');
  await page.waitForSelector('body[data-back="0"]');
  expect(await poseOf()).not.toBe(there);
  await slide.fill(String(count));
  await page.waitForSelector(`body[data-back="${count}"]`);
  expect(await facts()).toBe(last.facts);
  expect(await poseOf()).toBe(there);
  expect(await page.$$eval('.chart svg', list => list.length)).toBe(2);
  await picture(page, 'scene-scrubbed');
  await page.context().close();
});

test('ambient shading darkens the crease between two bodies when the view is at rest, and nothing else', async () => {
  const page = await openStudio('?engine=cpu', { ...wanted, reducedMotion: 'reduce' });
  // A small box on a large one: the large one is darker around it.
  await drop(page, [
    { name: 'on.obj', content: `${boxObj(0, 0, 0, 4, 'large')}${boxObj(1, 1, 4, 2, 'small')}` },
  ]);
  await page.waitForSelector('.pair');
  await settled(page);
  const button = '[aria-label^="Ambient shading"]';
  // On a software GPU it waits to be asked for.
  expect(await page.getAttribute(button, 'aria-pressed')).toBe('false');
  const pixels = () =>
    page.evaluate(async () => {
      const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
      const image = await createImageBitmap(await viewer.picture());
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
      canvas.drawImage(image, 0, 0);
      const { data } = canvas.getImageData(0, 0, image.width, image.height);
      return Array.from(
        { length: data.length / 4 },
        (_, i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2],
      );
    });
  const plain = await pixels();
  await page.click(button);
  await page.waitForFunction(() => document.body.dataset['shaded'] === document.body.dataset['drawn']);
  const shaded = await pixels();
  const darker = shaded.filter((value, i) => value < plain[i] - 20).length;
  const lighter = shaded.filter((value, i) => value > plain[i] + 20).length;
  expect(darker).toBeGreaterThan(0.002 * plain.length);
  expect(darker).toBeLessThan(0.25 * plain.length);
  expect(lighter).toBeLessThan(0.002 * plain.length);
  // Moving draws without it, and rest brings it back.
  const drawn = await page.evaluate(() => Number(document.body.dataset['drawn']));
  await page.selectOption('[aria-label="Standard views and up axis"]', 'Front');
  await page.waitForFunction(
    before =>
      Number(document.body.dataset['drawn']) > before &&
      document.body.dataset['shaded'] === document.body.dataset['drawn'],
    drawn,
  );
  await page.context().close();
});
