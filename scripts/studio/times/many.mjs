// Many bodies: how many calls draw 20,000 of them, how much script a frame takes, how soon the clash under the pointer is named.
import { mainThread, opened, pageOf, patience, settled } from './served.mjs';

const frames = 60;

/** Boxes along a side, and where the uppermost layer begins. */
function sizesOf(count) {
  const side = Math.ceil(Math.cbrt(count));
  return { side, top: 2 * (Math.ceil(count / side ** 2) - 1) };
}

/** Boxes in a cube, and a beam along the front of the uppermost layer, which meets a row of them. */
function apart(count) {
  const { side, top } = sizesOf(count);
  const lines = [];
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)].map(v => 2 * v);
    lines.push(`o part ${i}`, ...box([x, y, z], [1, 1, 1]));
  }
  lines.push('o beam', ...box([0.5, -0.5, top + 0.5], [2 * side, 1, 0.4]));
  return lines.join('\n');
}

function box([x, y, z], [width, depth, height]) {
  const lines = [];
  for (let k = 0; k < 8; k++)
    lines.push(`v ${x + width * (k & 1)} ${y + depth * ((k >> 1) & 1)} ${z + height * (k >> 2)}`);
  for (const face of [
    [-8, -6, -5, -7],
    [-4, -3, -1, -2],
    [-8, -7, -3, -4],
    [-6, -2, -1, -5],
    [-8, -4, -2, -6],
    [-7, -5, -1, -3],
  ])
    lines.push(`f ${face.join(' ')}`);
  return lines;
}

export async function manyTimes(browser, url, count) {
  const { context, page } = await pageOf(browser, { scale: 0.125 });
  await page.goto(`${url}?draw=webgl`);
  await opened(page);
  const buffer = Buffer.from(apart(count));
  await page.setInputFiles('[data-testid=files]', [{ name: 'many.obj', mimeType: 'text/plain', buffer }]);
  await page.waitForSelector('.pair', patience);
  await settled(page);
  const pointed = await pointedTimes(page, sizesOf(count));
  const spent = await mainThread(page);
  const rows = [];
  for (const what of ['all bodies', 'a chosen pair']) {
    if (what === 'a chosen pair') {
      await page.focus('.pairs');
      await page.keyboard.press('j');
      await page.waitForSelector('.label', { state: 'attached', ...patience });
      await settled(page);
    }
    const before = await spent();
    const calls = await page.evaluate(async wanted => {
      const { viewer } = globalThis.nearfieldStudio;
      for (let i = 0; i < wanted; i++) {
        viewer.camera.camera.position.applyAxisAngle(viewer.camera.camera.up, 0.01);
        const drawn = new Promise(resolve => {
          const stop = viewer.listenDrawn(() => {
            stop();
            resolve();
          });
        });
        viewer.invalidate();
        await drawn;
      }
      return viewer.renderer.info.render.drawCalls;
    }, frames);
    const { script } = await spent();
    const perFrame = (script - before.script) / frames;
    rows.push({ bodies: count, what, calls, 'script per frame, CPU ms': Number(perFrame.toFixed(2)) });
  }
  await context.close();
  return { rows, pointed };
}

/** Moves the pointer to places where the beam enters a box; milliseconds until the names stand beside it. */
async function pointedTimes(page, sizes) {
  return page.evaluate(async ({ side, top }) => {
    const { viewer } = globalThis.nearfieldStudio;
    const canvas = document.querySelector('canvas');
    const words = document.querySelector('.pointed');
    const { camera } = viewer.camera;
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
    const times = [];
    let named = 0;
    for (let i = 1; i < side; i++) {
      const at = camera.position
        .clone()
        .set(2 * i + 0.5, 0, top + 0.9)
        .project(camera);
      const { left, top: above, width, height } = canvas.getBoundingClientRect();
      const place = { clientX: left + ((at.x + 1) / 2) * width, clientY: above + ((1 - at.y) / 2) * height };
      const start = performance.now();
      canvas.dispatchEvent(new PointerEvent('pointermove', { ...place, pointerType: 'mouse' }));
      await frame();
      times.push(performance.now() - start);
      if (!words.hidden) named++;
    }
    times.sort((a, b) => a - b);
    const [median, most] = [times[times.length >> 1], times.at(-1)].map(Math.round);
    return { moves: times.length, named, 'median, ms': median, 'most, ms': most };
  }, sizes);
}
