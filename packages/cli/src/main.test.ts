// The program in a process of its own: behaviour that only real streams show.

import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import { boxObj, testFolder } from './testing.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// In the repository, where Node finds the packages that are not bundled.
const main = join(root, '.cache', `main-test-${process.pid}.mjs`);
const program = [process.execPath, main];
beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('main.ts', import.meta.url))],
    outfile: main,
    // tsconfig.json says where the sources of our own packages are.
    tsconfig: join(root, 'tsconfig.json'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    packages: 'external',
    loader: { '.wgsl': 'text', '.wasm': 'binary' },
  });
  return () => rmSync(main);
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
