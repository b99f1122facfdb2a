// The program in a process of its own: behaviour that only real streams show.

import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import { boxObj, testFolder } from './testing.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// In the repository, where Node finds the packages that are not bundled.
const folderOfMain = join(root, '.cache', `main-test-${process.pid}`);
const main = join(folderOfMain, 'main.mjs');
const program = [process.execPath, main];
beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('main.ts', import.meta.url))],
    outdir: folderOfMain,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    // tsconfig.json says where the sources of our own packages are.
    tsconfig: join(root, 'tsconfig.json'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    packages: 'external',
    loader: { '.wgsl': 'text', '.wasm': 'binary' },
  });
  return () => rmSync(folderOfMain, { recursive: true });
});
const two = { 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1, 1, 1, 2) };
const words = ['check', 'a.obj', 'b.obj', '--backend', 'cpu', '--json'];

it('keeps its exit status if the reader of stdout stops early', async () => {
  const folder = testFolder(two);
  const child = spawn(program[0], [...program.slice(1), ...words, '--triangles'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // As `| head -c 0` does.
  child.stdout.destroy();
  let err = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text;
  });
  const status = await new Promise(resolve => child.on('close', resolve));
  expect([status, err]).toEqual([1, '']);
});

it.skipIf(process.platform === 'win32').each(['/dev/stdout', 'pipe'])(
  'keeps its exit status if the reader of --out %s stops early',
  async out => {
    const folder = testFolder({ 'many.obj': grids() });
    const command = [...program, 'check', 'many.obj', ...words.slice(3), '--triangles', '--out', out];
    const quotedCommand = command.map(word => `'${word}'`).join(' ');
    // More than a pipe holds.
    const script =
      out === 'pipe'
        ? `mkfifo pipe; head -c 5 pipe > /dev/null & ${quotedCommand}; echo "status $?"`
        : `{ ${quotedCommand}; echo "status $?" >&2; } | head -c 5 > /dev/null`;
    const child = spawn('sh', ['-c', script], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', piece => {
        text += piece;
      });
    }
    await new Promise(resolve => child.on('close', resolve));
    expect(text).toContain('status 1');
    expect(text).not.toContain('EPIPE');
  },
);

it.skipIf(process.platform === 'win32')('--out /dev/stdout writes everything to a socket', async () => {
  const folder = testFolder({ 'many.obj': grids() });
  const given = [...program.slice(1), 'check', 'many.obj', ...words.slice(3), '--triangles'];
  // Between two programs in Node, stdout is a socket.
  const child = spawn(program[0], [...given, '--out', '/dev/stdout'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', piece => {
    text += piece;
  });
  const status = await new Promise(resolve => child.on('close', resolve));
  expect(status).toBe(1);
  expect(JSON.parse(text).pairs).toHaveLength(1);
  expect(text.length).toBeGreaterThan(2 ** 18);
});

/** Two grids in one plane: very many triangle pairs. */
function grids(): string {
  const side = 60;
  let text = '';
  for (const name of ['a', 'b']) {
    text += `o ${name}\n`;
    const base = text.includes('o b') ? (side + 1) ** 2 : 0;
    for (let i = 0; i <= side; i++) for (let j = 0; j <= side; j++) text += `v ${i} ${j} 0\n`;
    for (let i = 0; i < side; i++) {
      for (let j = 0; j < side; j++) {
        const at = base + i * (side + 1) + j + 1;
        text += `f ${at} ${at + side + 1} ${at + side + 2} ${at + 1}\n`;
      }
    }
  }
  return text;
}

it.skipIf(process.platform === 'win32')(
  '--out /dev/stdout writes at the position of stdout, between the output of others',
  async () => {
    const folder = testFolder(two);
    const file = openSync(join(folder, 'all.txt'), 'w');
    const command = [...program, ...words, '--out', '/dev/stdout'].map(word => `'${word}'`).join(' ');
    const child = spawn('sh', ['-c', `echo before; ${command}; echo "status $?"`], {
      cwd: folder,
      stdio: ['ignore', file, 'ignore'],
    });
    await new Promise(resolve => child.on('close', resolve));
    closeSync(file);
    const text = readFileSync(join(folder, 'all.txt'), 'utf8');
    const [, answer] = /^before\n(\{[\s\S]*\})\nstatus 1\n$/.exec(text) ?? [];
    expect(JSON.parse(answer).pairs).toHaveLength(1);
  },
);

/** Says on stdout that Ctrl-C is handled from now on, before the program itself is loaded. */
const announce = `process.on('newListener', name => name === 'SIGINT' && process.stdout.write('ready'))`;

/** The exit status of the program if it gets SIGINT some milliseconds after it began to handle it. */
async function interrupted(folder: string, given: readonly string[], after: number): Promise<number | null> {
  const preload = `data:text/javascript,${encodeURIComponent(announce)}`;
  const child = spawn(program[0], ['--import', preload, ...program.slice(1), ...given], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  await new Promise(resolve => child.stdout.once('data', resolve));
  await new Promise(resolve => setTimeout(resolve, after));
  child.kill('SIGINT');
  return ended;
}

it.skipIf(process.platform === 'win32')(
  'Ctrl-C at any moment gives status 130 and leaves no half file',
  { timeout: 120_000 },
  async () => {
    // Boxes that overlap: the check takes a second, and their report much longer than the last moment.
    const side = 16;
    const boxes = Array.from({ length: side ** 3 }, (_, i) => {
      const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)];
      return boxObj(0.9 * x, 0.9 * y, 0.9 * z, 1, `box ${i}`);
    });
    const outputs = ['--out', 'x.json', '--out', 'x.html'];
    const given = ['check', 'many.obj', '--backend', 'cpu', '--clearance', '0.01', ...outputs];
    for (const after of [0, 100, 400, 1000, 2000]) {
      const folder = testFolder({ 'many.obj': boxes.join('') });
      expect(await interrupted(folder, given, after), `after ${after} ms`).toBe(130);
      const left = readdirSync(folder).filter(name => name !== 'many.obj' && name !== 'x.json');
      expect(left, `after ${after} ms`).toEqual([]);
      if (existsSync(join(folder, 'x.json'))) JSON.parse(readFileSync(join(folder, 'x.json'), 'utf8'));
    }
  },
);
