// Models in the browser: the page lists the same pairs as the command line for the same files and poses.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shapes } from 'nearfield';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { boxObj, runIn } from '../../../packages/cli/src/testing.ts';
import { dracoGlb, dracoTetrahedron, meshoptGlb } from '../../../packages/io/src/testing/compressed.ts';
import type { Studio } from '../../../studio/src/studio.ts';
import { drop, listedPairs, openStudio, picture, settled, useStudio } from '../rig.ts';
import { files, tetrahedronPly } from './model-files.ts';

useStudio();

/** Enough pixels to count some in a picture. */
const wanted = process.env['NEARFIELD_PICTURES'] ? {} : { deviceScaleFactor: 0.25 };

async function download(page: Page, button: string): Promise<string> {
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click(`.export >> text=${button}`)]);
  return readFileSync((await saved.path())!, 'utf8');
}

/** Waits until the view has stopped moving. */
async function stillness(page: Page): Promise<void> {
  const place = () =>
    page.evaluate(() => {
      const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
      return viewer.camera.camera.position.toArray().join();
    });
  for (let last = ''; last !== (await place()); ) {
    last = await place();
    await page.waitForTimeout(400);
  }
}

/** The middle of the red arrow on the screen: three.js draws it at the same size at any distance. */
function redArrow(page: Page): Promise<{ x: number; y: number }> {
  return page.evaluate(() => {
    const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
    const { camera } = viewer.camera;
    const at = viewer.bodies.box([2]).getCenter(camera.position.clone());
    const size = (at.distanceTo(camera.position) * 1.9 * Math.tan((Math.PI * camera.fov) / 360) * 0.9) / 4;
    at.x += 0.4 * size;
    at.project(camera);
    const { left, top, width, height } = document.querySelector('canvas')!.getBoundingClientRect();
    return { x: left + ((at.x + 1) / 2) * width, y: top + ((1 - at.y) / 2) * height };
  });
}

/** A point on the outer ring of the gizmo, right of its middle, and one farther along the ring. */
function ring(page: Page): Promise<Record<'from' | 'to', { x: number; y: number }>> {
  return page.evaluate(() => {
    const { viewer } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
    const { camera } = viewer.camera;
    const middle = viewer.bodies.box([2]).getCenter(camera.position.clone());
    const size =
      (middle.distanceTo(camera.position) * 1.9 * Math.tan((Math.PI * camera.fov) / 360) * 0.9) / 4;
    const { left, top, width, height } = document.querySelector('canvas')!.getBoundingClientRect();
    const place = (angle: number) => {
      const at = middle.clone();
      const axis = (column: number) => at.clone().setFromMatrixColumn(camera.matrixWorld, column);
      const [right, up] = [axis(0), axis(1)];
      at.addScaledVector(right, 0.75 * size * Math.cos(angle)).addScaledVector(
        up,
        0.75 * size * Math.sin(angle),
      );
      at.project(camera);
      return { x: left + ((at.x + 1) / 2) * width, y: top + ((1 - at.y) / 2) * height };
    };
    return { from: place(0), to: place(0.6) };
  });
}

describe('own models', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openStudio('?engine=cpu', wanted);
  });

  test('names the engine, and opens empty', async () => {
    expect(await page.textContent('[data-testid=engine]')).toMatch(/in a worker; drawing with WebGPU/);
    expect(await page.isVisible('text=Open the sample gearbox')).toBe(true);
    await picture(page, 'empty');
  });

  test('dropped files appear in the tree, and their pairs in the list', async () => {
    await drop(page, files);
    await page.waitForSelector('.pair');
    await settled(page);
    expect(await page.$$eval('.tree .body .name', names => names.map(name => name.textContent))).toEqual([
      'ball',
      'ring',
      'corner',
      'far',
    ]);
    const listed = await listedPairs(page);
    expect(listed.length).toBeGreaterThan(1);
    expect(listed.some(({ amount }) => / deep$/.test(amount))).toBe(true);
    const facts = await page.textContent('[data-testid=facts]');
    const triangles = [720, 4, 12].reduce((sum, count) => sum + count) + shapes.torus().triangleCount;
    expect(facts).toContain(`Bodies4Triangles${triangles.toLocaleString('en')}`);
    expect(facts).toMatch(/Pairs crossing\d+.*Deepest.*AnsweredCPU/);
  });

  /** The page's JSON equals the command line's for the poses that the page exports. */
  async function compareWithCommandLine(wanted = 0): Promise<void> {
    const cwd = mkdtempSync(join(tmpdir(), 'nearfield-studio-'));
    for (const { name, content } of files) writeFileSync(join(cwd, name), content);
    writeFileSync(join(cwd, 'poses.json'), await download(page, 'Poses'));
    const mine = JSON.parse(await download(page, 'JSON'));
    const words = [
      'check',
      ...files.map(({ name }) => name),
      '--poses',
      'poses.json',
      '--triangles',
      '--json',
    ];
    const clearance = wanted > 0 ? ['--clearance', String(wanted)] : [];
    const { out } = await runIn(cwd, [...words, '--backend', 'cpu', ...clearance]);
    const theirs = JSON.parse(out);
    for (const times of [mine, theirs]) {
      expect(times.backend.kind).toBe('cpu');
      expect(Object.keys(times.timing)).toEqual(['read', 'build', 'query', 'judge']);
      // Times and the number of threads depend on the browser.
      for (const field of ['backend', 'timing']) delete times[field];
    }
    expect(Object.keys(mine)).toEqual(Object.keys(theirs));
    expect(mine).toEqual(theirs);
    // The list of the page is the same too.
    const listed = await listedPairs(page);
    expect(listed.length).toBe(theirs.pairs.length);
  }

  test('the list equals that of the command line', () => compareWithCommandLine());

  test('the report has the text of the command line’s and the same number of pictures', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'nearfield-studio-'));
    for (const { name, content } of files) writeFileSync(join(cwd, name), content);
    const mine = await download(page, 'Report');
    await runIn(cwd, ['check', ...files.map(({ name }) => name), '--backend', 'cpu', '--report', 'r.html']);
    const theirs = readFileSync(join(cwd, 'r.html'), 'utf8');
    const textOf = (html: string) =>
      page.evaluate(source => {
        const parsed = new DOMParser().parseFromString(source, 'text/html');
        for (const image of parsed.querySelectorAll('img')) image.replaceWith(`[${image.alt}]`);
        for (const script of parsed.querySelectorAll('script, time')) script.remove();
        return parsed.body.textContent!;
      }, html);
    const pictures = [...mine.matchAll(/src="(data:image\/png;base64,[^"]+)"/g)].map(([, uri]) => uri);
    expect(pictures.length).toBe([...theirs.matchAll(/<img /g)].length);
    // Times and engine depend on the browser.
    const comparable = (text: string) =>
      text
        .replace(/Found in .*/, '')
        .replace(/Date.*?Unit/, '')
        .replace(/Method.*?Program/, '')
        .replace(/\s+/g, ' ');
    expect(comparable(await textOf(mine))).toBe(comparable(await textOf(theirs)));
    const widths = await page.evaluate(
      list =>
        Promise.all(
          list.map(async uri => {
            const image = new Image();
            image.src = uri;
            await image.decode();
            return image.naturalWidth;
          }),
        ),
      pictures,
    );
    expect(widths).toEqual([1120, ...pictures.slice(1).map(() => 600)]);
  });

  test('typing a position moves the body, the list follows, and undo restores it', async () => {
    const before = await listedPairs(page);
    await page.click('.tree .body >> nth=3');
    await page.fill('[aria-label="Position x"]', '-3.75');
    await page.keyboard.press('Enter');
    await page
      .waitForFunction(() => document.querySelectorAll('.pair').length === 4, undefined, { timeout: 20_000 })
      .catch(() => {});
    await settled(page);
    const after = await listedPairs(page);
    expect(after).not.toEqual(before);
    expect(after.some(({ names }) => names.includes('far'))).toBe(true);
    await compareWithCommandLine();
    await page.click('[aria-label=Undo]');
    await settled(page);
    await page.waitForFunction(count => document.querySelectorAll('.pair').length === count, before.length);
    await settled(page);
    const names = (list: typeof before) => list.map(row => [row.names, row.relation]);
    expect(names(await listedPairs(page))).toEqual(names(before));
    await page.click('[aria-label=Redo]');
    await settled(page);
  });

  test('dragging the arrow moves the body, and the list updates meanwhile', async () => {
    await page.click('.tree .body >> nth=2');
    await page.keyboard.press('f');
    await settled(page);
    await stillness(page);
    const poseOf = async () => Number(await page.inputValue('[aria-label="Position x"]'));
    const [x, revision] = [await poseOf(), Number(await page.getAttribute('body', 'data-revision'))];
    const arrow = await redArrow(page);
    await page.mouse.move(arrow.x, arrow.y);
    await page.mouse.down();
    for (let i = 1; i <= 6; i++) await page.mouse.move(arrow.x + 6 * i, arrow.y + 2 * i);
    await page.waitForFunction(was => Number(document.body.dataset['revision']) > was, revision);
    await page.mouse.up();
    await settled(page);
    expect(await poseOf()).not.toBe(x);
    await compareWithCommandLine();
  });

  test('the ring and the keys rotate the body, each as one change', async () => {
    const poseNow = () =>
      page.evaluate(() => {
        const { store } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
        return Array.from(store.document.bodies[2].pose);
      });
    const isTurned = (pose: number[]) => Math.abs(pose[0] - 1) > 1e-3 || Math.abs(pose[5] - 1) > 1e-3;
    const before = await poseNow();
    await page.focus('canvas');
    await page.keyboard.press('r');
    const { from, to } = await ring(page);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (let i = 1; i <= 4; i++) {
      await page.mouse.move(from.x + ((to.x - from.x) * i) / 4, from.y + ((to.y - from.y) * i) / 4);
    }
    await page.mouse.up();
    await settled(page);
    const byHand = await poseNow();
    expect(isTurned(byHand)).toBe(true);
    await compareWithCommandLine();
    await page.focus('canvas');
    await page.keyboard.press('Control+z');
    expect(await poseNow()).toEqual(before);
    await page.keyboard.press('Shift+ArrowLeft');
    await settled(page);
    const [cos, sin] = await poseNow();
    expect(cos).toBeCloseTo(Math.cos(Math.PI / 18), 12);
    expect(Math.abs(sin)).toBeCloseTo(Math.sin(Math.PI / 18), 12);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('g');
    await settled(page);
    expect(await poseNow()).toEqual(before);
  });

  test('a clearance lists pairs that are too close, with their distance', async () => {
    await page.fill('[aria-label=Clearance]', '4');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.pair[data-relation=separate]');
    await settled(page);
    await compareWithCommandLine(4);
    await page.fill('[aria-label=Clearance]', '0');
    await page.keyboard.press('Enter');
    await settled(page);
  });

  test('choosing a pair flies to it and shows where the two meet', async () => {
    await page.focus('.pairs');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.pair[aria-selected=true]');
    await settled(page);
    await stillness(page);
    await picture(page, 'pair');
    const red = await page.evaluate(async () => {
      const blob = await (
        globalThis as unknown as { nearfieldStudio: Studio }
      ).nearfieldStudio.viewer.picture();
      const image = await createImageBitmap(blob);
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
      canvas.drawImage(image, 0, 0);
      const { data } = canvas.getImageData(0, 0, image.width, image.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4)
        if (data[i] > 150 && data[i + 1] < 110 && data[i + 2] < 110) count++;
      return count;
    });
    // The glow along the curve, at a quarter of the pixels per side.
    expect(red).toBeGreaterThan(5);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.pair[aria-selected=true]') === null);
  });

  test('opening can be undone and redone, with its pairs', async () => {
    const [bodies, pairs] = [await page.$$('.tree .body'), await listedPairs(page)];
    await drop(page, [{ name: 'late.obj', content: boxObj(0, 0, 0, 1, 'late') }]);
    const isListed = (wanted: boolean) =>
      page.waitForFunction(
        is => [...document.querySelectorAll('.pair')].some(row => /late/.test(row.textContent!)) === is,
        wanted,
      );
    await isListed(true);
    await settled(page);
    const after = await listedPairs(page);
    for (const [button, is] of [
      ['Undo', false],
      ['Redo', true],
      ['Undo', false],
    ] as const) {
      await page.click(`[aria-label=${button}]`);
      await isListed(is);
      await settled(page);
      const names = (list: typeof pairs) => list.map(row => [row.names, row.relation]);
      expect(names(await listedPairs(page))).toEqual(names(is ? after : pairs));
      expect((await page.$$('.tree .body')).length).toBe(bodies.length + (is ? 1 : 0));
    }
  });

  test('hiding, colouring, cutting and removing can all be undone', async () => {
    const names = () =>
      page.$$eval('.tree .body', items =>
        items.map(item => `${item.className} ${(item.querySelector('input') as HTMLInputElement).value}`),
      );
    const before = await names();
    await page.click('.tree .body >> nth=1');
    await page.keyboard.press('F2');
    await page.keyboard.type('washer');
    await page.keyboard.press('Enter');
    expect(await page.textContent('.tree .body >> nth=1')).toBe('washer');
    expect((await listedPairs(page)).some(row => /washer/.test(row.names))).toBe(true);
    await page.click('[aria-label="Hide ball"]');
    await page.fill('[aria-label="Colour of washer"]', '#123456');
    await page.focus('canvas');
    await page.keyboard.press('s');
    expect(await page.isVisible('.section-controls')).toBe(true);
    await page.click('.tree .body >> nth=0');
    await page.keyboard.press('Delete');
    await settled(page);
    expect((await names()).length).toBe(before.length - 1);
    for (let i = 0; i < 5; i++) await page.keyboard.press('Control+z');
    await settled(page);
    expect(await names()).toEqual(before);
    expect(await page.textContent('.tree .body >> nth=1')).toBe('ring');
    expect(await page.isVisible('.section-controls')).toBe(false);
  });

  test('a message names a broken file, and the others are read', async () => {
    const count = (await page.$$('.tree .body')).length;
    await drop(page, [
      { name: 'broken.glb', content: 'glTF\x02\x00\x00\x00not a file at all' },
      { name: 'house.ifc', content: 'ISO-10303-21;' },
      { name: 'nan.obj', content: 'v 0 0 nan\nf 1 1 1\n' },
      { name: 'good.obj', content: boxObj(20, 0, 0, 1, 'good') },
    ]);
    await page.waitForFunction(was => document.querySelectorAll('.tree .body').length === was + 1, count);
    const messages = await page.$$eval('.message span', list => list.map(item => item.textContent!));
    expect(messages.map(text => text.split(/[:, ]/)[0]).sort()).toEqual([
      'broken.glb',
      'house.ifc',
      'nan.obj',
    ]);
    for (const button of await page.$$('.message button')) await button.click();
    await settled(page);
  });

  test('compressed glTF and PLY are read, chosen as files', async () => {
    const count = (await page.$$('.tree .body')).length;
    const chosen = [
      { name: 'draco.glb', content: dracoGlb(await dracoTetrahedron()) },
      { name: 'meshopt.glb', content: await meshoptGlb('EXT_meshopt_compression') },
      { name: 'text.ply', content: tetrahedronPly },
    ];
    await page.setInputFiles(
      '[data-testid=files]',
      chosen.map(({ name, content }) => ({ name, mimeType: '', buffer: Buffer.from(content) })),
    );
    // glTF is in metres, and the files before did not state their unit.
    expect(await page.textContent('[data-testid=unit] h2')).toMatch(/^In which unit is .+\?$/);
    await page.selectOption('[data-testid=unit] select', 'm');
    await page.click('[data-testid=unit] >> text=Open');
    await page.waitForFunction(was => document.querySelectorAll('.tree .body').length === was + 3, count);
    await settled(page);
    // glTF has +y up; the other files do not say.
    const messages = await page.$$eval('.message', all => all.map(({ textContent }) => textContent));
    expect(messages).toEqual([expect.stringContaining('does not say which axis points up')]);
    for (const [i, { name }] of chosen.entries()) {
      await page.click(`.tree .body >> nth=${count + i}`);
      expect(await page.textContent('.inspector .hint')).toBe(`4 triangles, ${name}`);
    }
    await page.focus('canvas');
    await page.keyboard.press('Control+z');
    await settled(page);
  });

  test('measures the distance between two bodies', async () => {
    await page.focus('canvas');
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    await page.click('.tree .body:has-text("good")');
    await page.click('.tree .body:has-text("ball")');
    await page.waitForSelector('[data-testid=measure][data-distance]');
    const distance = Number(await page.getAttribute('[data-testid=measure]', 'data-distance'));
    expect(distance).toBeGreaterThan(18);
    expect(distance).toBeLessThan(20);
    await page.focus('canvas');
    await page.keyboard.press('m');
  });
});
