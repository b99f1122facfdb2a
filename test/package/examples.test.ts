// The examples, with the packages as they are published: programs are run, pages are built. Those that take longest are built only in
// the full run.

import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { shapes } from 'nearfield';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../../scripts/browser.mjs';

const root = resolve(import.meta.dirname, '../..');
const folder = inject('folder');
const run = promisify(execFile);
const names = readdirSync(join(root, 'examples')).filter(name =>
  existsSync(join(root, 'examples', name, 'README.md')),
);

beforeAll(() => {
  // Beside the installed packages, so that imports find those. What an example needs besides is linked.
  cpSync(join(root, 'examples'), join(folder, 'examples'), {
    recursive: true,
    filter: file => !/node_modules|dist$/.test(file.slice(root.length)),
  });
  for (const name of ['express', 'three', 'react', 'react-dom', '@react-three/fiber', 'vite']) {
    const places = ['examples/react-three-fiber/node_modules', 'node_modules'].map(place =>
      join(root, place, name),
    );
    const to = join(folder, 'node_modules', name);
    mkdirSync(dirname(to), { recursive: true });
    if (!existsSync(to)) symlinkSync(places.find(existsSync)!, to, 'junction');
  }
});

describe('programs', () => {
  it.each([
    ['node', 'check.mjs', /^wall crossing pipe, 0\.200 to 0\.200 deep$/m],
    ['robot', 'motion.mjs', /^lower and post: contact between 0\.5228\d* and 0\.5228\d*$/m],
    ['dental', 'bite.mjs', /^deepest 0\.\d+ mm at /m],
    ['cloth', 'fall.mjs', /pairs that meet: 0$/m],
    ['particles', 'rain.mjs', /^ball: 13\d\d drops/m],
    ['bim', 'weeks.mjs', /^since week-1\.json: 1 new, 1 same$/m],
  ])('%s/%s', async (name, program, printed) => {
    const { stdout } = await run(process.execPath, [program], { cwd: join(folder, 'examples', name) });
    expect(stdout).toMatch(printed);
  });

  // Python is no part of the tools of this repository.
  const hasPython = spawnSync('python3', ['--version']).status === 0;
  it.runIf(hasPython)('python/check.py', async () => {
    const cwd = join(folder, 'examples/python');
    writeFileSync(join(cwd, 'a.off'), boxFile(0));
    writeFileSync(join(cwd, 'b.off'), boxFile(0.5));
    const { stdout } = await run('python3', ['check.py', 'a.off', 'b.off'], { cwd });
    expect(stdout).toMatch(/^a crossing b\s+1 pair of 2 bodies meet\s*$/);
  });

  it('the service answers on this machine, and says what is wrong with a file', async () => {
    const child = spawn(process.execPath, ['server.mjs'], {
      cwd: join(folder, 'examples/express'),
      env: { ...process.env, PORT: '0' },
    });
    try {
      const address = await new Promise<string>((resolve, reject) => {
        child.stdout.on('data', text => resolve(/http:\S+/.exec(String(text))![0]));
        child.on('exit', status => reject(new Error(`the service ended with ${status}`)));
      });
      const ask = async (files: unknown) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(address, { method: 'POST', headers, body: JSON.stringify({ files }) })).json();
      };
      const box = (name: string, x: number) => ({ name, base64: Buffer.from(boxFile(x)).toString('base64') });
      expect(await ask([box('a.off', 0), box('b.off', 0.5)])).toEqual({
        pairs: [{ a: 'a', b: 'b', relation: 'crossing' }],
      });
      expect(await ask([{ name: 'a.off', base64: 'AAAA' }])).toMatchObject({ code: 'bad-file' });
    } finally {
      child.kill();
    }
  });
});

/** A cube of size 1 as OFF. */
function boxFile(x: number): string {
  const { positions, indices } = shapes.box({ size: [1, 1, 1] });
  const rows = (numbers: ArrayLike<number>, prefix: string) =>
    Array.from(
      { length: numbers.length / 3 },
      (_, i) =>
        prefix +
        Array.from(numbers)
          .slice(3 * i, 3 * i + 3)
          .join(' '),
    );
  const moved = Array.from(positions, (value, i) => (i % 3 === 0 ? value + x : value));
  return `OFF\n${positions.length / 3} ${indices.length / 3} 0\n${rows(moved, '').join('\n')}\n${rows(indices, '3 ').join('\n')}\n`;
}

/** What goes wrong in a browser while a built page starts. */
async function errorsOf(page: string): Promise<string[]> {
  const { preview } = await import('vite');
  const server = await preview({ root: page, logLevel: 'error', preview: { port: 0, host: '127.0.0.1' } });
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage();
    const errors: string[] = [];
    tab.on('pageerror', error => errors.push(error.message));
    tab.on('console', message => {
      if (message.type() === 'error') errors.push(message.text());
    });
    const { port } = server.httpServer.address() as { port: number };
    await tab.goto(`http://127.0.0.1:${port}/`);
    // Every page shows what it found.
    const shows = () => /\d|crossing|separate/.test(document.body.innerText);
    const found = tab.waitForFunction(shows, null, { timeout: 60_000 });
    await found.catch(error => errors.push(error.message));
    return errors;
  } finally {
    await browser.close();
    await server.close();
  }
}

// Pages run in the browser of the tests.
describe.runIf(hasBrowser)('pages', () => {
  const pages = names.filter(name => existsSync(join(root, 'examples', name, 'index.html')));
  const short = ['worker'];

  it.each(pages.filter(name => short.includes(name) || process.env['NEARFIELD_SLOW']))(
    '%s builds',
    async name => {
      const { build } = await import('vite');
      const to = join(folder, 'examples', name);
      await build({
        root: to,
        logLevel: 'error',
        // The linked packages have a node_modules of their own. Without this, the page would get two copies.
        resolve: { dedupe: ['react', 'react-dom', 'three'] },
        build: { target: 'esnext', chunkSizeWarningLimit: 4000 },
      });
      expect(readdirSync(join(to, 'dist/assets')).some(file => file.endsWith('.js'))).toBe(true);
      expect(await errorsOf(to)).toEqual([]);
    },
  );
});

describe('every example', () => {
  it.each(names)('%s has a README, and is named in the list of guides', name => {
    expect(readFileSync(join(root, 'examples', name, 'README.md'), 'utf8')).toMatch(/^# /);
    const guides = join(root, 'docs/guides');
    const texts = readdirSync(guides).map(file => readFileSync(join(guides, file), 'utf8'));
    expect(texts.some(text => text.includes(`examples/${name}/`))).toBe(true);
  });
});
