// Scenes on the GPU that draws them: the same pairs and impacts as here, and what happens when it is lost. In a file of
// its own, because the last test loses the GPU of the page that all files share.

import { createBunnies, createHail } from '@nearfield/samples';
import { type Nearfield, open } from 'nearfield';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gpuStudio, picture, useStudio } from '../rig.ts';
import { expectHail, factsOn, runScene, showScene, small } from './scene-page.ts';

useStudio();

const nf: Nearfield = await open({ backend: 'cpu' });
afterAll(() => nf.close());

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
    await expectHail(nf, page, 500, steps);
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
    await expectHail(nf, page, 500, steps);
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
