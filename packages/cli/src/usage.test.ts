import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayHaveVulkan } from './backend.ts';
import { bench, loadBench } from './commands/bench.ts';
import { parsePoses } from './poses.ts';
import { Progress } from './progress.ts';
import { boxObj, runIn, testFolder } from './testing.ts';
import { version } from './version.ts';

const oneLine = /^nearfield: [^\n]+\n$/;

describe('usage', () => {
  it.each([
    [[], /Usage: nearfield/],
    [['chekc'], /unknown command 'chekc'/],
    [['check'], /missing required argument 'file'/],
    [['check', 'a.obj', '--jsn'], /unknown option '--jsn'/],
    [['check', 'a.obj', '--json=yes'], /--json/],
    [['check', 'a.obj', '--backend', 'quantum'], /--backend is auto, gpu or cpu, not "quantum"/],
    [['check', 'a.obj', '--method', 'raycast'], /--method raycast is not in this version/],
    [['check', 'a.obj', '--method', 'guess'], /--method is auto or hierarchy, not "guess"/],
    [['check', 'a.obj', '--ignore', 'nothing'], /--ignore takes a relation/],
    [['check', 'a.obj', '--clearance', '1'], /--clearance is not in this version/],
    [['check', 'a.obj', '--out'], /argument missing/],
    [['check', 'a.obj', '--out', 'x', '--report', './x'], /--out and --report both name x/],
    [['check', 'missing.obj'], /missing\.obj: there is no such file/],
    [['check', 'folder'], /folder: is not a regular file/],
    [['check', 'bad.obj'], /bad\.obj: line 2: x is "x"/],
    [['check', 'a.obj', '--poses', 'missing.json'], /missing\.json: there is no such file/],
    [['check', 'a.obj', '--out', 'folder', '--backend', 'cpu'], /--out: folder is a folder/],
    [
      ['check', 'a.obj', '--out', 'no/x.json', '--backend', 'cpu'],
      /--out: no\/x\.json: there is no such folder/,
    ],
    [['self', 'a.obj', 'b.obj'], /too many arguments/],
    [['distance', 'a.obj', 'b.obj', '--json'], /distance is not in this version/],
    [['penetration', 'a.obj', 'b.obj'], /penetration is not in this version/],
    [['studio', '--port', '80'], /studio is not in this version/],
  ] as [string[], RegExp][])('%j: status 2', async (words, message) => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0), 'bad.obj': '\nv x 1 2\n' });
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

  it('has the version of the package', () => {
    const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    expect(JSON.parse(text).version).toBe(version);
  });

  it('stops when it is told to: status 130', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0) });
    const { status, out, err } = await runIn(folder, ['check', 'a.obj'], { signal: AbortSignal.abort() });
    expect([status, out, err]).toEqual([130, '', 'nearfield: cancelled\n']);
  });

  it('shows no control characters of files or names', async () => {
    const folder = testFolder({ 'esc.obj': 'v 0 0 \u001b[31m\n' });
    const { err } = await runIn(folder, ['check', 'esc.obj']);
    expect(err).toMatch(oneLine);
    expect(err).not.toContain('\u001b');
  });
});

describe('progress', () => {
  it('is drawn on a terminal and wiped, and nowhere else', () => {
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
  const { isMotion, frames } = parsePoses('p.json', bytes, ['w', 'x']);
  expect(isMotion).toBe(true);
  expect([...frames[0].get(1)!]).toEqual(numbers);
});

describe('bench', () => {
  it('says where the benches are when they are not here', async () => {
    await expect(loadBench('nearfield-bench-that-is-not-there')).rejects.toThrow(
      /^the benches are not here: /,
    );
  });

  it('hands its words on', async () => {
    const calls: unknown[] = [];
    const load = async () => ({
      runBench: async (...words: unknown[]) => {
        calls.push(words.slice(0, 2));
        return 0;
      },
    });
    const terminal = {
      out: () => {},
      err: () => {},
      interactive: false,
      columns: 80,
      cwd: '/',
      signal: new AbortController().signal,
    };
    expect(await bench(['pair'], { peers: true, backend: 'gpu' }, terminal, load)).toBe(0);
    expect(calls).toEqual([[['pair'], { peers: true, json: false, backend: 'gpu' }]]);
  });
});

it('looks for the Vulkan loader where the linker would', () => {
  const folder = testFolder({
    'libvulkan.so.1': '',
    cache: 'libm.so.6\0libvulkan.so.1\0',
    bare: 'libm.so.6\0',
  });
  const path = (name: string) => join(folder, name);
  expect(mayHaveVulkan(undefined, path('bare'), [])).toBe(false);
  expect(mayHaveVulkan('/nowhere:', path('bare'), ['/nowhere'])).toBe(false);
  expect(mayHaveVulkan(undefined, path('cache'), [])).toBe(true);
  expect(mayHaveVulkan(`/nowhere:${folder}`, path('bare'), [])).toBe(true);
  expect(mayHaveVulkan(undefined, path('bare'), [folder])).toBe(true);
  // Without a cache nothing is certain.
  expect(mayHaveVulkan(undefined, path('missing'), [])).toBe(true);
});
