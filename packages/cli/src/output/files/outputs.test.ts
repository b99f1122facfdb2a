// Outputs are written completely or not at all, never over another file, and stay readable with any names.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Files } from '../../files.ts';
import { boxObj, runIn, testFolder } from '../../testing.ts';
import { gathered } from './write-result.ts';

const two = { 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1, 1, 1, 2) };
const check = ['check', 'a.obj', 'b.obj', '--backend', 'cpu'];

/** Windows has no file modes, and refuses to replace a file that is open. */
const onUnix = it.skipIf(process.platform === 'win32');

describe('a file is replaced as a whole', () => {
  it('a failure in the middle leaves the old file, and no temporary one', async () => {
    const folder = testFolder({ 'x.json': 'old' });
    function* failing() {
      yield '{ "half": ';
      throw new Error('no more');
    }
    const files = new Files(folder);
    await expect(files.write('x.json', '--out', failing())).rejects.toThrow('no more');
    await expect(files.write('new.json', '--out', failing())).rejects.toThrow('no more');
    const partly = files.replace('x.json', '--out', async handle => {
      await handle.write('half');
      throw new Error('no more');
    });
    await expect(partly).rejects.toThrow('no more');
    expect(readFileSync(join(folder, 'x.json'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['x.json']);
  });

  it('Ctrl-C while it is written leaves the old file, and no temporary one', async () => {
    const folder = testFolder({ 'x.json': 'old' });
    const cancel = new AbortController();
    function* pieces() {
      for (let i = 0; i < 5; i++) {
        if (i === 3) cancel.abort(new Error('cancelled'));
        yield 'x'.repeat(70_000);
      }
    }
    const writing = new Files(folder).write('x.json', '--out', gathered(pieces(), cancel.signal));
    await expect(writing).rejects.toThrow('cancelled');
    expect(readFileSync(join(folder, 'x.json'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['x.json']);
  });

  onUnix('a reader that has the old file open reads it to its end', async () => {
    const folder = testFolder({ ...two, 'x.json': 'old '.repeat(1000) });
    const reader = openSync(join(folder, 'x.json'), 'r');
    expect((await runIn(folder, [...check, '--json', '--out', 'x.json'])).status).toBe(1);
    const bytes = Buffer.alloc(5000);
    expect(bytes.toString('utf8', 0, readSync(reader, bytes))).toBe('old '.repeat(1000));
    closeSync(reader);
    expect(JSON.parse(readFileSync(join(folder, 'x.json'), 'utf8')).pairs).toHaveLength(1);
  });

  onUnix('a link stays, its target is replaced and keeps its mode; .part files of others stay', async () => {
    const folder = testFolder({
      ...two,
      'real.json': 'old',
      'real.json.part': 'theirs',
      'link.json.part': 'theirs',
    });
    chmodSync(join(folder, 'real.json'), 0o640);
    symlinkSync('real.json', join(folder, 'between.json'));
    symlinkSync('between.json', join(folder, 'link.json'));
    symlinkSync('made.json', join(folder, 'dangling.json'));
    for (const [name, target] of [
      ['link.json', 'real.json'],
      ['dangling.json', 'made.json'],
    ]) {
      expect((await runIn(folder, [...check, '--json', '--out', name])).status).toBe(1);
      expect(lstatSync(join(folder, name)).isSymbolicLink()).toBe(true);
      expect(JSON.parse(readFileSync(join(folder, target), 'utf8')).pairs).toHaveLength(1);
    }
    expect(statSync(join(folder, 'real.json')).mode & 0o777).toBe(0o640);
    for (const part of ['real.json.part', 'link.json.part']) {
      expect(readFileSync(join(folder, part), 'utf8')).toBe('theirs');
    }
    expect(readdirSync(folder).filter(name => name.endsWith('.tmp'))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('a pipe and a device are written directly', async () => {
    const folder = testFolder(two);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    // Open at both ends, so that neither end waits.
    const pipe = openSync(join(folder, 'pipe'), 'r+');
    expect((await runIn(folder, [...check, '--json', '--out', 'pipe'])).status).toBe(1);
    const bytes = Buffer.alloc(65536);
    expect(JSON.parse(bytes.toString('utf8', 0, readSync(pipe, bytes))).pairs).toHaveLength(1);
    closeSync(pipe);
    expect(statSync(join(folder, 'pipe')).isFIFO()).toBe(true);
    expect((await runIn(folder, [...check, '--out', '/dev/null'])).status).toBe(1);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    symlinkSync('/dev/null', join(folder, 'null.vti'));
    const field = await runIn(folder, [
      'field',
      'a.obj',
      '--backend',
      'cpu',
      '--resolution',
      '4',
      '--out',
      'null.vti',
    ]);
    expect([field.status, field.err]).toEqual([
      2,
      'nearfield: --out: null.vti is a pipe or a device, not a file\n',
    ]);
    if (!existsSync('/dev/full')) return;
    const full = await runIn(folder, [...check, '--out', '/dev/full']);
    expect([full.status, full.err]).toEqual([2, 'nearfield: --out: /dev/full: cannot be written (ENOSPC)\n']);
  });
});

describe('refuses the same file for two outputs', () => {
  it.each(['x.html', './x.html', 'sub/../x.html', 'soft.html', 'hard.html'])(
    '--out %s --report x.html',
    async out => {
      const folder = testFolder({ ...two, 'x.html': 'old' });
      mkdirSync(join(folder, 'sub'));
      symlinkSync('x.html', join(folder, 'soft.html'));
      linkSync(join(folder, 'x.html'), join(folder, 'hard.html'));
      const { status, err } = await runIn(folder, [...check, '--out', out, '--report', 'x.html']);
      expect(status).toBe(2);
      expect(err).toBe(`nearfield: --out ${out} and --report x.html are the same file\n`);
      expect(readFileSync(join(folder, 'x.html'), 'utf8')).toBe('old');
    },
  );

  it('refuses it through a link too, even if the file does not exist yet', async () => {
    const folder = testFolder(two);
    symlinkSync('x.html', join(folder, 'soft.html'));
    const { status, err } = await runIn(folder, [...check, '--out', 'soft.html', '--report', 'x.html']);
    expect([status, err]).toEqual([2, 'nearfield: --out soft.html and --report x.html are the same file\n']);
    expect(existsSync(join(folder, 'x.html'))).toBe(false);
  });

  it('a map that is its own description, and a description that is an input', async () => {
    const folder = testFolder({ ...two, 'm.raw.json': '{}' });
    const words = ['map', 'a.obj', 'b.obj', '--backend', 'cpu', '--resolution', '8', '--out', 'm.raw'];
    symlinkSync('m.raw.json', join(folder, 'm.raw'));
    expect((await runIn(folder, words)).err).toMatch(/--out m\.raw and --out m\.raw\.json are the same file/);
    const poses = await runIn(folder, [...words.slice(0, -1), 'n.raw', '--poses', 'm.raw.json']);
    expect(poses.status).toBe(1);
    linkSync(join(folder, 'm.raw.json'), join(folder, 'o.raw.json'));
    const overwritten = await runIn(folder, [...words.slice(0, -1), 'o.raw', '--poses', 'm.raw.json']);
    expect(overwritten.err).toMatch(/is an input and will not be overwritten/);
  });
});

describe('names with invisible characters', () => {
  const names = ['bolt\u202egpj\u200be\u{e0041}', 'a\u001b[2Jb', 'left\u2066right', 'c\u009bd'];

  it('are escaped in the table, in JSON, in the report and in messages', async () => {
    const text = names.map((name, i) => boxObj([0, 0.5, 5, 9][i], 0, 0, 1, name)).join('');
    const folder = testFolder({ 'names.obj': text });
    const words = ['check', 'names.obj', '--backend', 'cpu'];
    const table = await runIn(folder, [...words, '--report', 'r.html']);
    const json = await runIn(folder, [...words, '--json']);
    const page = readFileSync(join(folder, 'r.html'), 'utf8');
    const hidden = /[^\P{Cc}\n\t]|[\p{Cf}\u2028\u2029]/u;
    for (const output of [table.out, json.out, page]) {
      expect(output).not.toMatch(hidden);
      expect(output).toContain('bolt\\u202egpj');
      expect(output).toContain('gpj\\u200be\\udb40\\udc41');
    }
    expect(JSON.parse(json.out).bodies.map((body: { name: string }) => body.name)).toEqual(names);
    writeFileSync(join(folder, 'poses.json'), JSON.stringify({ 'x\u202ey': [] }));
    const message = await runIn(folder, [...words, '--poses', 'poses.json']);
    expect(message.status).toBe(2);
    expect(message.err).toContain('no body is called "x\\u202ey"');
    expect(message.err).not.toMatch(hidden);
  });
});

it('a message is cut in the middle if names are very long', async () => {
  const name = 'n'.repeat(50_000);
  const open = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -3\n';
  const folder = testFolder({ 'long.obj': `o ${name}\n${open}o other\n${open}` });
  const { status, err } = await runIn(folder, ['check', 'long.obj', '--backend', 'cpu']);
  expect(status).toBe(1);
  expect(err).toMatch(/^nearfield: .*nnn…nnn.*\n$/);
  expect(err).toMatch(/[^n]\n$/);
  expect(err.length).toBeLessThan(2100);
});

it('poses that name a body twice are refused, with the frame and the key', async () => {
  const pose = '[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]';
  const folder = testFolder({
    ...two,
    'one.json': `{ "a": ${pose}, "\\u0061": ${pose} }`,
    'motion.json': `[{ "a": ${pose}, "b": ${pose} }, { "b": ${pose}, "b": ${pose} }]`,
  });
  for (const [file, message] of [
    ['one.json', 'one.json: "a" is given twice'],
    ['motion.json', 'motion.json: frame 1: "b" is given twice'],
  ]) {
    const { status, err } = await runIn(folder, [...check, '--poses', file]);
    expect([status, err]).toEqual([2, `nearfield: ${message}\n`]);
  }
});

it('--max-expansion raises the memory limit of a file', async () => {
  let text = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';
  for (let i = 0; i < 20_000; i++) text += `g ${i}\nf 1 2 3\n`;
  const folder = testFolder({ 'groups.obj': text });
  const words = ['distance', 'groups.obj', 'missing.obj', '--backend', 'cpu', '--max-expansion'];
  const refused = await runIn(folder, [...words, '1']);
  expect(refused.status).toBe(2);
  expect(refused.err).toMatch(
    /^nearfield: groups\.obj: the file expands to more than 16 MiB .*--max-expansion/,
  );
  // With the raised limit the first file is read.
  expect((await runIn(folder, [...words, '300'])).err).toBe(
    'nearfield: missing.obj: there is no such file\n',
  );
  expect((await runIn(folder, [...words, '-3'])).err).toMatch(/--max-expansion takes a number above 0/);
});

it('--threads and --max-memory change no answer, and refuse what they do not understand', async () => {
  const folder = testFolder(two);
  // Without the line of times.
  const table = (out: string) => out.slice(out.indexOf('\n'));
  const plain = await runIn(folder, check);
  for (const limits of [
    ['--threads', '1'],
    ['--threads', '3'],
    ['--max-memory', '64'],
    ['--max-memory', '0.5GiB'],
  ]) {
    const { status, out } = await runIn(folder, [...check, ...limits]);
    expect([status, table(out)], limits.join(' ')).toEqual([plain.status, table(plain.out)]);
  }
  for (const value of ['0', '-1', '1.5', 'many', '1000', '']) {
    const { status, err } = await runIn(folder, [...check, `--threads=${value}`]);
    expect([status, err]).toEqual([
      2,
      `nearfield: --threads takes a whole number from 1 to 256, not "${value}"\n`,
    ]);
  }
  for (const value of ['0', '16', '2TB', '-5GB', '']) {
    const { status, err } = await runIn(folder, [...check, `--max-memory=${value}`]);
    expect(status).toBe(2);
    expect(err).toMatch(/^nearfield: --max-memory takes at least 17 megabytes, or a size such as 2GB/);
  }
});

it('--max-memory refuses a model whose tree needs more', async () => {
  const size = 400;
  let text = '';
  for (let y = 0; y <= size; y++) for (let x = 0; x <= size; x++) text += `v ${x} ${y} 0\n`;
  for (let y = 0; y < size; y++) {
    for (let x = 1; x <= size; x++) {
      const at = y * (size + 1) + x;
      text += `f ${at} ${at + 1} ${at + size + 2} ${at + size + 1}\n`;
    }
  }
  const folder = testFolder({ 'sheet.obj': text });
  const { status, err } = await runIn(folder, [
    'self',
    'sheet.obj',
    '--backend',
    'cpu',
    '--max-memory',
    '17',
  ]);
  expect(status).toBe(2);
  expect(err).toMatch(/^nearfield: a tree of 320000 triangles: no memory for \d+ MB more .* at most 16 MB/);
});
