// Takes docs/studio.png, the README's picture of the studio: the sample gearbox with a chosen clash, in a real browser.
// Run it again after the look of the studio has changed.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../browser.mjs';
import { checkUsage } from '../usage.mjs';

checkUsage(`usage: node scripts/pictures/studio.mjs
Takes docs/studio.png, the README's picture of the studio. Needs node scripts/build.mjs first.`);
process.chdir(fileURLToPath(new URL('../..', import.meta.url)));

const [width, height] = [1440, 900];
const program = ['packages/cli/dist/main.js', 'studio', '--port', '4398'];
const server = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
const url = await new Promise((resolve, reject) => {
  server.stdout.on('data', chunk => {
    const found = /http:\S+/.exec(String(chunk));
    if (found) resolve(found[0]);
  });
  server.on('exit', () => reject(new Error('the studio is not served')));
});
const browser = await launchBrowser();
try {
  // Twice as many pixels as are kept: a software GPU draws edges without smoothing them.
  const context = await browser.newContext({
    ...{ viewport: { width, height }, deviceScaleFactor: 2, reducedMotion: 'reduce' },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(180_000);
  await page.goto(`${url}?draw=webgl`);
  await page.click('text=Open the sample gearbox');
  await page.waitForSelector('.pair');
  const settled = () => page.waitForFunction(() => document.body.dataset.state === 'idle');
  await settled();
  await page.click('.pair:has-text("lay pinion"):has-text("output gear")');
  await page.waitForSelector('.label', { state: 'attached' });
  await settled();
  // As it looks on a hardware GPU, which shades the view by itself.
  await page.keyboard.press('a');
  await page.waitForFunction(() => document.body.dataset.shaded === document.body.dataset.drawn);
  const large = (await page.screenshot()).toString('base64');
  const small = await page.evaluate(
    async ([bytes, w, h]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${bytes}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [w, h];
      const context = canvas.getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, w, h);
      return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length);
    },
    [large, width, height],
  );
  const png = Buffer.from(small, 'base64');
  writeFileSync('docs/studio.png', png);
  console.log(`docs/studio.png: ${Math.ceil(png.length / 1024)} KiB`);
} finally {
  await browser.close();
  server.kill();
}
