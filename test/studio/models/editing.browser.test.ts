// Moving bodies by numbers and in steps, the tree of a glTF, several bodies at once, and the picture of the view.

import { readFileSync } from 'node:fs';
import { decode } from 'fast-png';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { boxObj } from '../../../packages/cli/src/testing.ts';
import type { Studio } from '../../../studio/src/studio.ts';
import { drop, openStudio, settled, useStudio } from '../rig.ts';

useStudio();

type Global = { nearfieldStudio: Studio };

/** A tetrahedron in three nodes: two wheels on an axle, and a body beside it. */
function gltf(): string {
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
  const indices = Uint16Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2);
  const bytes = Buffer.concat([Buffer.from(positions.buffer), Buffer.from(indices.buffer)]);
  const at = (x: number) => ({ mesh: 0, translation: [x, 0, 0] });
  return JSON.stringify({
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    scene: 0,
    nodes: [
      { name: 'car', children: [1, 4] },
      { name: 'axle', children: [2, 3] },
      { name: 'left wheel', ...at(0) },
      { name: 'right wheel', ...at(4) },
      { name: 'hull', ...at(8) },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
      { bufferView: 1, componentType: 5123, count: 12, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 24 },
    ],
    buffers: [{ byteLength: 72, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
  });
}

test('the nodes of a glTF are groups of the tree; hiding a group hides what is in it', async () => {
  const page = await openStudio('?draw=webgl');
  await drop(page, [{ name: 'car.gltf', content: gltf() }]);
  await page.waitForSelector('.tree .body >> nth=2');
  await settled(page);
  const lines = await page.$$eval('.tree li', list =>
    list.map(item => [
      Number(item.getAttribute('aria-level')),
      (item.querySelector('.name') as HTMLElement).title || item.querySelector('.name')!.textContent,
    ]),
  );
  expect(lines.map(([level]) => level)).toEqual([1, 2, 3, 3, 2]);
  expect(lines[0][1]).toBe('car.gltf / car');
  expect(lines[1][1]).toBe('axle');
  await page.click('.tree li:nth-child(2) button[aria-label^="Hide"]');
  const visible = () =>
    page.evaluate(() =>
      (globalThis as unknown as Global).nearfieldStudio.store.document.bodies.map(body => body.visible),
    );
  expect(await visible()).toEqual([false, false, true]);
  await page.click('[aria-label=Undo]');
  expect(await visible()).toEqual([true, true, true]);
  await page.context().close();
});

describe('a body', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openStudio('?draw=webgl');
    await drop(page, [
      { name: 'a.obj', content: boxObj(0, 0, 0, 1, 'a') },
      { name: 'b.obj', content: boxObj(3, 0, 0, 1, 'b') },
    ]);
    await page.waitForSelector('.tree .body >> nth=1');
    await settled(page);
  });
  const poseOf = () =>
    page.evaluate(() => [...(globalThis as unknown as Global).nearfieldStudio.store.document.bodies[1].pose]);

  test('turns about its middle by the angle that is typed, and back', async () => {
    await page.click('.tree .body >> nth=1');
    const before = await poseOf();
    await page.fill('[aria-label="Rotation z"]', '90');
    await page.keyboard.press('Enter');
    const turned = await poseOf();
    // x goes to y, and the middle of the box stays.
    expect(turned.slice(0, 2).map(value => Math.round(1e9 * value) / 1e9 + 0)).toEqual([0, 1]);
    const middle = (m: number[]) =>
      [0, 1, 2].map(k => m[k] * 3.5 + m[4 + k] * 0.5 + m[8 + k] * 0.5 + m[12 + k]);
    for (const [k, value] of middle(turned).entries()) expect(value).toBeCloseTo(middle(before)[k], 9);
    expect(await page.inputValue('[aria-label="Rotation z"]')).toBe('90');
    await page.fill('[aria-label="Rotation z"]', '0');
    await page.keyboard.press('Enter');
    for (const [i, value] of (await poseOf()).entries()) expect(value).toBeCloseTo(before[i], 9);
  });

  test('moves in steps while snapping is on', async () => {
    await page.click('[aria-label^="Snap to steps"]');
    const before = await poseOf();
    const arrow = await page.evaluate(() => {
      const { viewer } = (globalThis as unknown as Global).nearfieldStudio;
      const { camera } = viewer.camera;
      const at = viewer.bodies.box([1]).getCenter(camera.position.clone());
      // The red arrow, which three.js draws at the same size at any distance.
      const size = (at.distanceTo(camera.position) * 1.9 * Math.tan((Math.PI * camera.fov) / 360) * 0.9) / 4;
      at.x += 0.4 * size;
      at.project(camera);
      const { left, top, width, height } = document.querySelector('canvas')!.getBoundingClientRect();
      return { x: left + ((at.x + 1) / 2) * width, y: top + ((1 - at.y) / 2) * height };
    });
    await page.mouse.move(arrow.x, arrow.y);
    await page.mouse.down();
    for (let i = 1; i <= 7; i++) await page.mouse.move(arrow.x + 9 * i, arrow.y + 3 * i);
    await page.mouse.up();
    await settled(page);
    const moved = (await poseOf())[12] - before[12];
    expect(moved).not.toBe(0);
    // The assembly is 4.2 across, so a step is 0.1; the body lands on a multiple of it.
    const steps = (await poseOf())[12] / 0.1;
    expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-6);
    await page.click('[aria-label^="Snap to steps"]');
  });

  test('is in the picture of the view, which is a PNG with its colours', async () => {
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('.export >> text=Picture')]);
    expect(saved.suggestedFilename()).toBe('nearfield.png');
    const { width, height, data, channels } = decode(readFileSync((await saved.path())!));
    expect(width * height).toBeGreaterThan(0);
    const seen = new Set<string>();
    for (let i = 0; i < data.length; i += channels) seen.add(`${data[i]} ${data[i + 1]} ${data[i + 2]}`);
    // The background, and the faces of two bodies in different light.
    expect(seen.size).toBeGreaterThan(4);
    await page.context().close();
  });
});
