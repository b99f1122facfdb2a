// Files that exist and are writable, but that a rename cannot replace: mounted ones, ones on a device of their own, ones in a folder
// that may not be written to. The system's refusals are injected: a test has neither mounts nor another user.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Files } from '../../files.ts';
import { boxObj, runIn, testFolder } from '../../testing.ts';

/** The calls that the system refuses, by name. */
const refused = new Map<string, (path: string) => string | undefined>();
/** The path that is listed as mounted. */
let mounted = '';

const real = { ...promises };
const refusing =
  <A extends unknown[], R>(name: string, call: (...given: A) => Promise<R>) =>
  async (...given: A): Promise<R> => {
    const code = refused.get(name)?.(String(given[0]));
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return call(...given);
  };

beforeAll(() => {
  Object.assign(promises, {
    rename: refusing('rename', real.rename),
    access: refusing('access', real.access),
    readFile: async (path: string, ...rest: unknown[]) =>
      path === '/proc/self/mountinfo'
        ? `36 35 98:0 /x ${mounted.replaceAll(' ', '\\040')} rw - ext3 /dev/root rw\n`
        : (real.readFile as (...given: unknown[]) => unknown)(path, ...rest),
  });
  // Update what modules import by name.
  syncBuiltinESMExports();
});
afterEach(() => {
  refused.clear();
  mounted = '';
});
afterAll(() => {
  Object.assign(promises, real);
  syncBuiltinESMExports();
});

const two = { 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1, 1, 1, 2) };
const check = ['check', 'a.obj', 'b.obj', '--backend', 'cpu', '--json', '--out', 'x y.json'];
const said =
  'nearfield: --out: x y.json cannot be replaced as a whole, so it was written in place\nnearfield: the answer is in x y.json\n';

/** The answer is in the old file, no other is left, and one line says how. */
async function expectInPlace(old = 'old '.repeat(10_000)): Promise<void> {
  const folder = testFolder({ ...two, 'x y.json': old });
  const file = join(folder, 'x y.json');
  if (mounted !== '') mounted = file;
  const { ino } = statSync(file);
  const { status, err } = await runIn(folder, check);
  expect([status, err]).toEqual([1, said]);
  expect(JSON.parse(readFileSync(file, 'utf8')).pairs).toHaveLength(1);
  expect(statSync(file).ino).toBe(ino);
  expect(readdirSync(folder)).toEqual(['a.obj', 'b.obj', 'x y.json']);
}

describe('the answer is written into the existing file', () => {
  it.each(['EBUSY', 'EXDEV', 'EPERM'])('if the rename fails with %s after the work', async code => {
    refused.set('rename', () => code);
    await expectInPlace();
  });

  it('if its folder is not writable', async () => {
    refused.set('access', path => (path.endsWith('.json') ? undefined : 'EACCES'));
    refused.set('rename', () => 'EACCES');
    await expectInPlace();
  });

  it('if something is mounted on it, without trying a rename', async () => {
    mounted = 'known when there is a folder';
    refused.set('rename', () => {
      throw new Error('renamed');
    });
    await expectInPlace();
  });
});

it('any other failure leaves the old file', async () => {
  const folder = testFolder({ ...two, 'x y.json': 'old' });
  refused.set('rename', () => 'EIO');
  const { status, err } = await runIn(folder, check);
  expect([status, err]).toEqual([2, 'nearfield: --out: x y.json: cannot be written (EIO)\n']);
  expect(readFileSync(join(folder, 'x y.json'), 'utf8')).toBe('old');
});

it('a new file is not created in a folder that is not writable', async () => {
  const folder = testFolder(two);
  refused.set('access', () => 'EACCES');
  const { status, err } = await runIn(folder, check);
  expect([status, err]).toEqual([2, 'nearfield: --out: x y.json: no permission to write it\n']);
  expect(readdirSync(folder)).toEqual(['a.obj', 'b.obj']);
});

it('a field, written in any order, is also written into the existing file', async () => {
  const folder = testFolder({ ...two, 'f.vti': 'old '.repeat(10_000) });
  const words = ['field', 'a.obj', '--backend', 'cpu', '--resolution', '4', '--out', 'f.vti'];
  refused.set('rename', () => 'EBUSY');
  const { status, err } = await runIn(folder, words);
  expect([status, err]).toEqual([
    0,
    'nearfield: --out: f.vti cannot be replaced as a whole, so it was written in place\n',
  ]);
  refused.clear();
  await runIn(folder, [...words.slice(0, -1), 'g.vti']);
  expect(readFileSync(join(folder, 'f.vti'))).toEqual(readFileSync(join(folder, 'g.vti')));
  refused.set('access', path => (path === dirname(join(folder, 'f.vti')) ? 'EROFS' : undefined));
  expect((await runIn(folder, words)).status).toBe(0);
  expect(readFileSync(join(folder, 'f.vti'))).toEqual(readFileSync(join(folder, 'g.vti')));
});

it('prints no note if the file is replaced', async () => {
  const notes: string[] = [];
  const folder = testFolder({ x: 'old' });
  await new Files(folder, message => notes.push(message)).write('x', '--out', 'new');
  expect([readFileSync(join(folder, 'x'), 'utf8'), notes]).toEqual(['new', []]);
});
