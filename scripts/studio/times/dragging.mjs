// Two spheres of 72,000 triangles are read, and one is dragged into the other: how long is the main thread busy at a time?
import { shapes } from '../../../packages/nearfield/dist/index.js';
import { mainThread, opened, pageOf, patience, settled } from './served.mjs';

/** Steps of a drag. */
const steps = 60;

/** Two spheres side by side, by the names of their files. */
export const sphereTexts = () => [0, 1.5].map(x => ({ name: `at ${x}.obj`, text: sphere(x) }));

/** Reads two spheres side by side and drags one into the other; counts how often pairs were updated. */
export async function dragTimes(browser, address, files) {
  const { context, page } = await pageOf(browser, { width: 960, height: 540 });
  await page.goto(address);
  await opened(page);
  const spent = await mainThread(page);
  const longest = () => page.evaluate(() => Math.round(Math.max(0, ...globalThis.longTasks.splice(0))));
  await longest();
  const start = (await spent()).all;
  await page.setInputFiles('[data-testid=files]', files);
  await page.waitForSelector('.pair', patience);
  await settled(page);
  const reading = {
    'reading, busy': Math.round((await spent()).all - start),
    'longest task': await longest(),
  };
  await page.click('.tree .body >> nth=1');
  await page.evaluate(() => {
    globalThis.waits = [];
    globalThis.answers = 0;
    let last = performance.now();
    const frame = now => {
      globalThis.waits.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const count = () => globalThis.answers++;
    new MutationObserver(count).observe(document.body, { attributeFilter: ['data-revision'] });
  });
  await longest();
  const at = await page.evaluate(() => {
    const { viewer } = globalThis.nearfieldStudio;
    const { camera } = viewer.camera;
    const middle = viewer.bodies.box([1]).getCenter(camera.position.clone());
    // The red arrow, which three.js draws at the same size at any distance.
    const size =
      (middle.distanceTo(camera.position) * 1.9 * Math.tan((Math.PI * camera.fov) / 360) * 0.9) / 4;
    middle.x += 0.4 * size;
    middle.project(camera);
    const { left, top, width, height } = document.querySelector('canvas').getBoundingClientRect();
    return { x: left + ((middle.x + 1) / 2) * width, y: top + ((1 - middle.y) / 2) * height };
  });
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  const before = (await spent()).all;
  for (let i = 1; i <= steps; i++) {
    await page.mouse.move(at.x - i, at.y);
    await page.waitForTimeout(16);
  }
  const answers = await page.evaluate(() => globalThis.answers);
  const busy = ((await spent()).all - before) / steps;
  await page.mouse.up();
  await settled(page);
  const wait = await page.evaluate(() => Math.round(Math.max(...globalThis.waits.slice(2))));
  const dragging = { 'a step of a drag, busy': Math.round(busy), 'longest task of it': await longest() };
  await context.close();
  return { ...reading, ...dragging, 'longest frame': wait, answers };
}

function sphere(x) {
  const { positions, indices } = shapes.icosphere({ frequency: 60 });
  const lines = [];
  for (let i = 0; i < positions.length; i += 3)
    lines.push(`v ${positions[i] + x} ${positions[i + 1]} ${positions[i + 2]}`);
  for (let i = 0; i < indices.length; i += 3)
    lines.push(`f ${indices[i] + 1} ${indices[i + 1] + 1} ${indices[i + 2] + 1}`);
  return lines.join('\n');
}
