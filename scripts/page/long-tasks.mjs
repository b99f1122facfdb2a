// How long do the CPU's questions block a page? Opens a page with the built library in Chromium, with and without cross-origin
// isolation, asks large questions, and prints the longest task of the page's main thread in milliseconds of its own processor
// time, which other programs on the machine do not lengthen. Build first: node scripts/build.mjs.
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { launchBrowser } from '../browser.mjs';
import { checkUsage } from '../usage.mjs';

const help = `usage: node scripts/page/long-tasks.mjs
Prints, per question to the CPU, the longest tasks of a page's main thread: at its first answer and at the next.`;

const dist = fileURLToPath(new URL('../../packages/nearfield/dist', import.meta.url));

/** Runs in the page. The bodies of a question are made before it is measured. */
const page = `import { open, shapes } from './index.js';
const moved = (x, y, z) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
const two = triangles => scene => {
  const mesh = shapes.displacedSphere({ triangles });
  scene.add(mesh);
  scene.add(mesh, { pose: moved(0.7, 0.1, 0.2) });
};
const boxes = count => scene => {
  const random = shapes.createRandom(7);
  const box = shapes.box();
  const side = 1.08 * Math.cbrt(count);
  for (let i = 0; i < count; i++) scene.add(box, { pose: moved(...[0, 0, 0].map(() => random.between(0, side))) });
};
const points = Float64Array.from({ length: 300_000 }, (_, i) => Math.sin(i));
globalThis.questions = {
  'pairs of 2 × 1,000,000 triangles': [two(1_000_000), scene => scene.interferences()],
  'distance of 2 × 1,000,000 triangles': [two(1_000_000), scene => scene.distance(...scene.bodies)],
  'self-intersections of 300,000 triangles': [two(300_000), scene => scene.selfIntersections(scene.bodies[0])],
  '100,000 points near 300,000 triangles': [two(300_000), scene => scene.closest(scene.bodies[0], points)],
  'pairs of 100,000 boxes': [boxes(100_000), scene => scene.interferences({ detail: 'any' })],
  'relations of 20,000 boxes': [boxes(20_000), async scene => (await scene.interferences()).relations()],
  '20,000 boxes within 0.1': [boxes(20_000), scene => scene.within(0.1)],
};
const nf = await open({ backend: 'cpu' });
globalThis.load = name => {
  globalThis.scene = nf.scene();
  questions[name][0](scene);
};
globalThis.ask = async name => void (await questions[name][1](scene));
globalThis.isLoaded = true;`;

const { outputFiles } = await build({
  stdin: { contents: page, resolveDir: dist },
  ...{ bundle: true, format: 'esm', target: 'es2022', write: false, external: ['webgpu'], logLevel: 'error' },
});
const program = outputFiles[0].text;

/** The page, its program, and the library's jobs for other threads. @param {boolean} isIsolated */
function serve(isIsolated) {
  const isolation = {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  };
  const server = createServer(({ url }, response) => {
    const type = url === '/' ? 'text/html' : 'text/javascript';
    response.writeHead(200, { 'content-type': type, ...(isIsolated ? isolation : {}) });
    if (url === '/')
      response.end('<!doctype html><title>t</title><script type="module" src="/page.js"></script>');
    else if (url === '/page.js') response.end(program);
    else createReadStream(`${dist}/shared/jobs.js`).pipe(response);
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** The longest tasks of the page's main thread while something runs, in milliseconds of its processor time, the longest first. */
async function longestTasks(browser, tab, run) {
  await browser.startTracing(tab, {
    categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'],
  });
  await run();
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents
    .filter(
      ({ name, pid, tid, tdur }) =>
        name === 'ThreadControllerImpl::RunTask' && tdur > 0 && mains.has(`${pid} ${tid}`),
    )
    .map(({ tdur }) => tdur / 1000)
    .sort((a, b) => b - a);
}

async function measure(isIsolated) {
  const server = await serve(isIsolated);
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.waitForFunction('globalThis.isLoaded');
    const isShared = await tab.evaluate('crossOriginIsolated');
    process.stdout.write(`\n${isShared ? 'isolated, all threads' : 'not isolated, one thread'}\n`);
    for (const name of await tab.evaluate('Object.keys(questions)')) {
      await tab.evaluate(`load(${JSON.stringify(name)})`);
      const answers = [];
      for (let i = 0; i < 2; i++) {
        const tasks = await longestTasks(browser, tab, () => tab.evaluate(`ask(${JSON.stringify(name)})`));
        answers.push(
          `${tasks.slice(0, 3).map(Math.round).join(', ')} ms of ${Math.round(tasks.reduce((a, b) => a + b, 0))}`,
        );
      }
      process.stdout.write(`${name.padEnd(42)} ${answers.join(';  ')}\n`);
    }
  } finally {
    await browser.close();
    server.close();
  }
}

checkUsage(help, []);
for (const isIsolated of [true, false]) await measure(isIsolated);
