// Measures the studio in a real Chromium: how long it takes to open, how long its main thread is busy at a time while models are read,
// asked about, dragged and reviewed, and what a frame of many bodies costs. Long work should run elsewhere. The GPU is the software
// one, so drawing is slower than usual; processor time is what the page itself uses.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkUsage } from '../usage.mjs';
import { dragTimes, sphereTexts } from './times/dragging.mjs';
import { manyTimes } from './times/many.mjs';
import { openingTimes } from './times/opening.mjs';
import { openServed } from './times/served.mjs';
import { crowdText, taskTimes } from './times/tasks.mjs';

const files = process.argv.slice(2).filter(word => existsSync(word));
checkUsage(
  `usage: node scripts/studio/times.mjs [FILE...]
Prints, in milliseconds: the medians of five openings each way, also on a line of 10 Mbit/s; the longest tasks of the main thread
while 2,000 bodies with 21,600 pairs are read, measured, scrolled and reviewed, and while each FILE is read and measured; calls and
script per frame of 20,000 bodies, and how soon the clash under the pointer is named; and a drag of one of two bodies of 72,000
triangles, with pairs found by the worker and by the GPU. Needs node scripts/build.mjs first.`,
  files,
);

// Files: contents that a script sends to the page would be decoded by the page's main thread.
const folder = mkdtempSync(join(tmpdir(), 'nearfield-studio-times-'));
const crowd = join(folder, '2,000 boxes.obj');
writeFileSync(crowd, crowdText());
const unseen = await openServed(false);
try {
  console.log('Opening');
  console.table(await openingTimes(unseen.browser, unseen.url));
  console.log('Longest tasks of the main thread');
  const rows = await taskTimes(unseen.browser, unseen.url, crowd, { isReviewed: true });
  for (const file of files) rows.push(...(await taskTimes(unseen.browser, unseen.url, file)));
  console.table(rows);
  console.log('Many bodies');
  const many = await manyTimes(unseen.browser, unseen.url, 20_000);
  console.table(many.rows);
  console.log('The clash under the pointer');
  console.table([many.pointed]);
} finally {
  await unseen.close();
}
const seen = await openServed(true);
try {
  console.log('Dragging');
  const spheres = sphereTexts().map(({ name, text }) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  });
  const rows = [];
  for (const engine of ['cpu', 'gpu'])
    rows.push({ asked: engine, ...(await dragTimes(seen.browser, `${seen.url}?engine=${engine}`, spheres)) });
  console.table(rows);
} finally {
  await seen.close();
  rmSync(folder, { recursive: true });
}
