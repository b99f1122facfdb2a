import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePoses } from '@nearfield/clashes';
import { describe, expect, it } from 'vitest';
import { papers as allPapers } from '../../../bench/src/papers/index.ts';
import { scenes } from '../../../bench/src/scenes/index.ts';
import { bench, loadBench } from './commands/bench.ts';
import { papers } from './commands/papers.ts';
import { Progress } from './output/progress.ts';
import { boxObj, runIn, testFolder } from './testing.ts';
import { version } from './version.ts';

const oneLine = /^nearfield: [^\n]+\n$/;

describe('usage', () => {
  it.each([
    [[], /Usage: nearfield[\s\S]*npx nearfield check/],
    [['chekc'], /unknown command 'chekc'.*; "nearfield --help" lists the commands/],
    [['check'], /missing required argument 'file'; "nearfield check --help" shows the usage/],
    [['a.obj', 'b.obj'], /unknown command 'a\.obj'; to check files: nearfield check a\.obj/],
    [['check', 'a.obj', '--jsn'], /unknown option '--jsn'.*; "nearfield check --help" shows the usage/],
    [['check', 'a.obj', '--json=yes'], /--json/],
    [['check', 'a.obj', '--backend', 'quantum'], /--backend must be auto, gpu or cpu, not "quantum"/],
    [
      ['check', 'a.obj', '--method', 'raycast', '--backend', 'cpu'],
      /--method raycast needs a GPU; it cannot run with --backend cpu/,
    ],
    [
      ['check', 'a.obj', '--method', 'raycast', '--triangles'],
      /--method raycast finds pairs of bodies only; it cannot list --triangles/,
    ],
    [
      ['check', 'a.obj', '--method', 'guess'],
      /--method must be auto, hierarchy, visibility, raycast or layers, not "guess"/,
    ],
    [
      ['check', 'a.obj', '--method', 'visibility', '--backend', 'cpu'],
      /--method visibility needs a GPU; it cannot run with --backend cpu/,
    ],
    [['check', 'a.obj', '--resolution', '64'], /--resolution needs --method visibility, raycast or layers/],
    [
      ['check', 'a.obj', '--method', 'visibility', '--resolution', '0.5'],
      /--resolution takes a whole number of pixels from 1 to 8192, not "0\.5"/,
    ],
    [['sample', 'rings', '--resolution', '64'], /--resolution is for the gearbox/],
    [['check', 'a.obj', '--ignore', 'nothing'], /--ignore takes a relation/],
    [
      ['check', 'a.obj', '--clearance', '-1'],
      /--clearance takes a distance above 0, such as 5 or 5mm, not "-1"/,
    ],
    [
      ['check', 'a.obj', '--clearance', 'near'],
      /--clearance takes a distance above 0, such as 5 or 5mm, not "near"/,
    ],
    [['check', 'a.obj', '--out'], /argument missing; "nearfield check --help" shows the usage/],
    [
      ['check', 'a.obj', '--out', 'x.html', '--report', './x.html'],
      /--out x\.html and --report \.\/x\.html are the same file/,
    ],
    [['check', 'a.obj', '--report', 'x.json'], /--report must end in \.html, not "x\.json"/],
    [['sample', 'rings', '--report', 'x'], /--report must end in \.html/],
    [['check', 'missing.obj'], /missing\.obj: there is no such file\n/],
    [['check', '*.stl'], /no file matches \*\.stl/],
    [['check', 'house.rvt'], /house\.rvt: the format is not known.*; export it as GLB first/],
    [['check', 'folder'], /folder: is a folder/],
    [['check', 'bad.obj'], /bad\.obj: line 2: x is "x"/],
    [['check', 'a.obj', '--poses', 'missing.json'], /missing\.json: there is no such file/],
    [['check', 'a.obj', '--out', 'folder', '--backend', 'cpu'], /--out: folder is a folder/],
    [
      ['check', 'a.obj', '--out', 'no/x.json', '--backend', 'cpu'],
      /--out: no\/x\.json: there is no such folder/,
    ],
    [['self', 'a.obj', 'b.obj'], /too many arguments.*; "nearfield self --help" shows the usage/],
    [['distance', 'a.obj'], /missing required argument 'b'/],
    [['distance', 'a.obj', 'missing.obj'], /missing\.obj: there is no such file/],
    [['field', 'a.obj'], /required option .* not specified; "nearfield field --help" shows the usage/],
    [['studio', '--port', '99999'], /--port takes a number from 1 to 65535, not "99999"/],
  ] as [string[], RegExp][])('%j: status 2', async (words, message) => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0), 'bad.obj': '\nv x 1 2\n', 'house.rvt': 'ISO' });
    mkdirSync(join(folder, 'folder'));
    const { status, out, err } = await runIn(folder, words);
    expect(err).toMatch(message);
    if (words.length > 0) expect(err).toMatch(oneLine);
    expect([status, out]).toEqual([2, '']);
  });

  it('prints help and version to stdout: status 0', async () => {
    const help = await runIn('/', ['--help']);
    expect([help.status, help.err]).toEqual([0, '']);
    expect(help.out).toMatch(/check[\s\S]*self[\s\S]*bench/);
    expect((await runIn('/', ['check', '--help'])).out).toMatch(/--one-body/);
    expect(await runIn('/', ['--version'])).toEqual({ status: 0, out: `${version}\n`, err: '' });
  });

  it('its help says that --ignore takes "separate" with --clearance', async () => {
    expect((await runIn('/', ['check', '--help'])).out).toMatch(/separate\s+with\s+--clearance/);
  });

  it('has the version of package.json', () => {
    const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    expect(JSON.parse(text).version).toBe(version);
  });

  it('stops when cancelled: status 130', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0) });
    const { status, out, err } = await runIn(folder, ['check', 'a.obj'], { signal: AbortSignal.abort() });
    expect([status, out, err]).toEqual([130, '', 'nearfield: cancelled\n']);
  });

  it('stops while it draws a report: status 130, and no half of a report', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1, 1, 1, 2) });
    const controller = new AbortController();
    let hasBegun = false;
    const err = (text: string) => {
      if (hasBegun || !text.includes('drawing')) return;
      hasBegun = true;
      setTimeout(() => controller.abort());
    };
    const words = ['check', 'a.obj', 'b.obj', '--backend', 'cpu', '--report', 'x.html'];
    const terminal = { interactive: true, err, signal: controller.signal, samples: 4 };
    expect((await runIn(folder, words, terminal)).status).toBe(130);
    expect(hasBegun).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['a.obj', 'b.obj']);
  });

  it('escapes control characters of files and names', async () => {
    const folder = testFolder({ 'esc.obj': 'v 0 0 \u001b[31m\n' });
    const { err } = await runIn(folder, ['check', 'esc.obj']);
    expect(err).toMatch(oneLine);
    expect(err).not.toContain('\u001b');
  });
});

describe('progress', () => {
  it('is drawn and erased on a terminal only', () => {
    let drawn = '';
    const terminal = {
      out: () => {},
      err: (text: string) => {
        drawn += text;
      },
      columns: 80,
      cwd: '/',
      signal: new AbortController().signal,
    };
    const quiet = new Progress({ ...terminal, interactive: false });
    quiet.stage('reading');
    quiet.update(0.5);
    quiet.clear();
    expect(drawn).toBe('');
    const shown = new Progress({ ...terminal, interactive: true });
    shown.stage('checking');
    shown.clear();
    expect(drawn).toMatch(/checking +░+ +0 %/);
    expect(drawn.endsWith('\r\u001b[2K')).toBe(true);
  });
});

it('reads poses as doubles', () => {
  const numbers = [0.1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1e-300, 0, 0, 1];
  const bytes = new TextEncoder().encode(JSON.stringify([{ x: numbers }]));
  const { isMotion, frames } = parsePoses('p.json', bytes, [{ name: 'w' }, { name: 'x' }]);
  expect(isMotion).toBe(true);
  expect([...frames[0].get(1)!]).toEqual(numbers);
});

describe('bench', () => {
  it('explains how to get the benches if they are missing', async () => {
    await expect(loadBench('nearfield-bench-that-is-not-there')).rejects.toThrow(
      /^the benches are not installed: /,
    );
  });

  it('lists all scenes in its help', async () => {
    const { out } = await runIn('/', ['bench', '--help']);
    const named = /Scenes: ([^.]*)\./.exec(out)?.[1].split(/,\s*/);
    expect(named).toEqual(scenes.map(({ name }) => name));
  });

  it('lists all papers in the help of papers', async () => {
    const { out } = await runIn('/', ['papers', '--help']);
    const named = /Papers: ([^.]*)\./.exec(out)?.[1].split(/,\s*/);
    expect(named).toEqual(allPapers.map(({ name }) => name));
  });

  it('passes its arguments on', async () => {
    const calls: unknown[] = [];
    const record = async (...words: unknown[]) => {
      calls.push(words.slice(0, 2));
      return 0;
    };
    const load = async () => ({ runBench: record, runPapers: record });
    const terminal = {
      out: () => {},
      err: () => {},
      interactive: false,
      columns: 80,
      cwd: '/',
      signal: new AbortController().signal,
    };
    const both = { peers: true, against: 'there' };
    await expect(bench([], both, terminal, load)).rejects.toThrow('--peers or --against, not both');
    expect(await bench(['pair'], { peers: true, backend: 'gpu' }, terminal, load)).toBe(0);
    await expect(papers([], { time: '-1' }, terminal, load)).rejects.toThrow('--time must be a number');
    expect(await papers(['gress'], { time: '5' }, terminal, load)).toBe(0);
    expect(calls).toEqual([
      [['pair'], { peers: true, json: false, backend: 'gpu', against: undefined }],
      [['gress'], { backend: undefined, out: undefined, time: 5, machine: undefined }],
    ]);
  });
});

describe('reports before the work', () => {
  const folder = () => testFolder({ 'a.obj': boxObj(0, 0, 0), 'b.obj': boxObj(0.5, 0.5, 0.5) });

  it.each(['--out', '--report'])('that %s cannot be written', async option => {
    const { status, out, err } = await runIn(folder(), ['check', 'a.obj', 'b.obj', option, 'no/x.html']);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toBe(`nearfield: ${option}: no/x.html: there is no such folder\n`);
  });

  it('that one body has no pairs', async () => {
    const { status, err } = await runIn(folder(), ['check', 'a.obj', '--backend', 'cpu']);
    expect(status).toBe(0);
    expect(err).toMatch(/nearfield self/);
  });

  it.each([
    ['[]', /motion\.json: the motion has no frames/],
    [
      JSON.stringify({ b: [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }),
      /motion\.json: "b": .* are 5 0 0 1: are they in row-major order\?/,
    ],
  ])('what is wrong with the poses %s', async (poses, message) => {
    const cwd = folder();
    writeFileSync(join(cwd, 'motion.json'), poses);
    const { status, err } = await runIn(cwd, ['check', 'a.obj', 'b.obj', '--poses', 'motion.json']);
    expect(status).toBe(2);
    expect(err).toMatch(message);
  });
});

it('aligns names with wide characters', async () => {
  const cwd = testFolder({ 'a.obj': boxObj(0, 0, 0, 1, '部品'), 'b.obj': boxObj(0.5, 0.5, 0.5, 1, 'part') });
  const words = ['check', 'a.obj', 'b.obj', '--backend', 'cpu'];
  const { out } = await runIn(cwd, words);
  expect(out).toContain('a        b        relation');
  expect(out).toContain('#0 部品  #1 part  crossing');
  expect((await runIn(cwd, [...words, '--ignore', 'crossing'])).out).toContain(
    '1 pair: 1 crossing; all ignored.',
  );
});
