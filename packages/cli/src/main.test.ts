// The program itself, in a process of its own: what only its streams show.

import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { boxObj, testFolder } from './testing.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const hooks = new URL('../../../test/modules/register.mjs', import.meta.url).href;
const program = [process.execPath, '--import', hooks, main];
const two = { 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1, 1, 1, 2) };
const words = ['check', 'a.obj', 'b.obj', '--backend', 'cpu', '--json'];

it('keeps its exit status if the reader of its answer stops early', async () => {
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

it.skipIf(process.platform === 'win32')(
  '--out /dev/stdout goes where stdout is, between what others write',
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
