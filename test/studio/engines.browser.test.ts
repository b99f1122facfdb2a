// Which engine answers in the page: the worker, whose long questions can be cancelled; the GPU that draws, with the
// same answers; and a browser without WebGPU.

import { type Mesh, mesh } from 'nearfield';
import { expect, test } from 'vitest';
import { boxObj } from '../../packages/cli/src/testing.ts';
import type { Studio } from '../../studio/src/studio.ts';
import { files, objOf } from './models/model-files.ts';
import { drop, gpuStudio, listedPairs, openStudio, picture, settled, useStudio } from './rig.ts';

useStudio();

/** Closed below by triangles that meet in the middle. */
function coneOf(sides: number): Mesh {
  const rim = Array.from({ length: sides }, (_, i) => {
    const angle = (2 * Math.PI * i) / sides;
    return [Math.cos(angle), Math.sin(angle), 0];
  });
  const indices = rim.flatMap((_, i) => {
    const [from, to] = [2 + i, 2 + ((i + 1) % sides)];
    return [0, from, to, 1, to, from];
  });
  return mesh(Float64Array.of(0, 0, 1, 0, 0, 0, ...rim.flat()), Uint32Array.from(indices));
}

test('a long question can be cancelled, and the page stays responsive meanwhile', async () => {
  const page = await openStudio('?engine=cpu');
  // Copies in one place: all sides of one meet all sides of the other at their tip and at the bottom, which makes
  // three million pairs per two copies.
  const cone = objOf(coneOf(1200), 'cone');
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  await drop(
    page,
    names.map(name => ({ name: `${name}.obj`, content: cone })),
  );
  await page.waitForFunction(
    count => document.querySelectorAll('.tree .body').length === count,
    names.length,
  );
  await page.waitForSelector('.job[data-lane=pairs] button', { timeout: 60_000 });
  const order = await page.evaluate(async () => {
    const events: string[] = [];
    document.querySelector('.mark')!.addEventListener('click', () => events.push('click'));
    (document.querySelector('.mark') as HTMLElement).click();
    for (let i = 0; i < 200 && document.querySelector('.job button'); i++) {
      (document.querySelector('.job button') as HTMLButtonElement).click();
      events.push('cancel');
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    return events;
  });
  expect(order[0]).toBe('click');
  expect(order).toContain('cancel');
  await settled(page);
  expect(await page.$$('.pair')).toEqual([]);
  expect(await page.$$('.message')).toEqual([]);
  // The list says that it is outdated, and a smaller question is answered again.
  expect(await page.isVisible('[data-testid=old]')).toBe(true);
  for (let i = 0; i < 4; i++) {
    await page.click('.tree .body >> nth=0');
    await page.keyboard.press('Delete');
  }
  await page.click('.tree .body >> nth=0');
  await page.fill('[aria-label="Position x"]', '3');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=No two of these bodies meet.');
  expect(await page.isVisible('[data-testid=old]')).toBe(false);
  await settled(page);
  await page.context().close();
});

test('the GPU that draws finds the same pairs as the worker at every pose, and can be cancelled', async () => {
  const page = await gpuStudio('models', { width: 900, height: 480 });
  expect(await page.textContent('[data-testid=engine]')).toMatch(
    /Pairs on the GPU, the rest on .* in a worker; drawing and questions share one device/,
  );
  await drop(page, [...files, { name: 'on.obj', content: boxObj(6, 0, 0, 1, 'on') }]);
  await page.waitForFunction(
    () => / on the GPU$/.test(document.querySelector('[data-testid=pair-count]')!.textContent!),
    undefined,
    { timeout: 120_000 },
  );
  await settled(page);
  const listed = await listedPairs(page);
  expect(listed.map(({ relation }) => relation)).toContain('crossing');
  // A GPU leaves coincident faces to exact arithmetic.
  expect(listed.find(({ names }) => /far.*on/.test(names))?.relation).toBe('touching');
  await page.click('.tree .body >> nth=3');
  await page.fill('[aria-label="Position x"]', '-5');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /far/.test(document.querySelector('.pairs')!.textContent!));
  await settled(page);
  const both = await page.evaluate(async () => {
    const { pairs, tasks, store } = (globalThis as unknown as { nearfieldStudio: Studio }).nearfieldStudio;
    const { bodies } = store.document;
    const assemblyAt = (by: number) => ({
      placed: {
        ids: Uint32Array.from(bodies, ({ id }) => id),
        poses: Float64Array.from(
          bodies.flatMap(({ id, pose }) =>
            [...pose].map((value, i) => (id === 0 && i === 12 ? value + by : value)),
          ),
        ),
      },
      ...{ names: new Map(), unit: undefined, clearance: 2, tolerance: undefined, rules: undefined },
    });
    const answers: { gpu: string; cpu: string; backends: string }[] = [];
    for (const by of [0, 0.5, 0.125]) {
      const question = { assembly: assemblyAt(by) };
      // Another answer between the two, so that the second is found anew.
      const gpu = await pairs.ask(question, {});
      await tasks.pairs({ assembly: { ...question.assembly, clearance: 3 } });
      const cpu = await tasks.pairs(question);
      const json = ({ columns }: typeof gpu) =>
        JSON.stringify(columns, (_, value) =>
          ArrayBuffer.isView(value) ? [...(value as Uint32Array)] : value,
        );
      answers.push({ gpu: json(gpu), cpu: json(cpu), backends: `${gpu.backend} ${cpu.backend}` });
    }
    const cancel = new AbortController();
    const assembly = { ...assemblyAt(0), clearance: undefined };
    const cancelled = pairs.ask({ assembly }, { signal: cancel.signal }).catch(error => error.name);
    cancel.abort();
    const after = (await pairs.ask({ assembly }, {})).columns.relations.length;
    return { answers, cancelled: await cancelled, after };
  });
  for (const { gpu, cpu, backends } of both.answers) {
    expect(backends).toBe('gpu cpu');
    expect(gpu.length).toBeGreaterThan(100);
    expect(gpu).toBe(cpu);
  }
  expect(both.cancelled).toBe('AbortError');
  expect(both.after).toBe((await listedPairs(page)).length);
  await picture(page, 'models-gpu');
});

test('without WebGPU the page draws with WebGL and gives the same answers', async () => {
  const page = await openStudio('', {
    before:
      'Object.defineProperty(Navigator.prototype, "gpu", { get: undefined }); delete Navigator.prototype.gpu;',
  });
  expect(await page.textContent('[data-testid=engine]')).toMatch(
    /drawing with WebGL: this browser has no WebGPU/,
  );
  await drop(page, [
    { name: 'a.obj', content: boxObj(0, 0, 0, 1, 'a') },
    { name: 'b.obj', content: boxObj(0.5, 0.5, 0.5, 1, 'b') },
  ]);
  await page.waitForSelector('.pair[data-relation=crossing]');
  await settled(page);
  await page.context().close();
});
