// The pages of docs/contributing can be followed word for word. Every run checks that their steps fit today's files. A full run
// (NEARFIELD_SLOW=1) follows them in a copy of the repository, and every command of a page ends as the page says.

import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  filesIn,
  follow,
  imagined,
  pages,
  root,
  type Step,
  stepsOf,
  takeBack,
} from './worked-examples/pages.ts';

const git = (words: readonly string[], cwd: string) => execFileSync('git', words, { cwd, encoding: 'utf8' });

describe('the steps fit the files of today', () => {
  // One after another, as a reader follows them: the kernel changes what the question added.
  const files = imagined();
  takeBack(files);

  it.each(pages)('%s', page => {
    const steps = stepsOf(page);
    for (const step of steps) follow(step, files);
    const commands = steps.flatMap(step => (step.kind === 'run' ? step.commands : []));
    expect(commands).toContain('npm run check');
    const named = commands.flatMap(command => command.match(/\S+\.(test\.ts|mjs)\b/g) ?? []);
    expect(named.filter(path => !files.exists(path))).toEqual([]);
    expect(steps.some(step => step.kind === 'run' && step.failure !== undefined)).toBe(true);
  });
});

it('a step that does not fit is refused', () => {
  const place = { before: '  "private": true,\n', after: '' };
  const change: Step = { kind: 'change', path: 'package.json', places: [place] };
  const files = imagined();
  follow(change, files);
  expect(files.read('package.json')).not.toContain('private');
  expect(() => follow(change, files)).toThrow('package.json has these lines 0 times');
  const again: Step = { kind: 'new', path: 'package.json', text: '' };
  expect(() => follow(again, files)).toThrow('package.json is not new');
  const moved: Step = { kind: 'run', commands: ['mv package.json other.json'], failure: undefined };
  follow(moved, files);
  expect(() => follow(change, files)).toThrow('there is no package.json');
});

it('takes back pages that were followed here, and names what is missing if they were followed in part', () => {
  const files = imagined();
  takeBack(files);
  const all = pages.flatMap(stepsOf);
  const paths = all.flatMap(step => (step.kind === 'run' ? [] : step.path));
  const textsOf = () => paths.map(path => (files.exists(path) ? files.read(path) : undefined));
  const before = textsOf();
  for (const step of all) follow(step, files);
  expect(textsOf()).not.toEqual(before);
  takeBack(files);
  expect(textsOf()).toEqual(before);
  for (const step of all) if (step.kind !== 'change') follow(step, files);
  expect(() => takeBack(files)).toThrow(/has these lines 0 times/);
});

describe.runIf(process.env['NEARFIELD_SLOW'])('a reader finishes', () => {
  let folder: string;
  afterAll(() => rmSync(folder, { recursive: true }));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nearfield-worked-examples-'));
    const listed = git(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], root).split('\0');
    for (const path of listed.filter(path => path !== '' && existsSync(join(root, path)))) {
      cpSync(join(root, path), join(folder, path));
      const installed = join(dirname(path), 'node_modules');
      if (basename(path) === 'package.json' && existsSync(join(root, installed)))
        linkPackages(join(root, installed), join(folder, installed));
    }
    takeBack(filesIn(folder));
    git(['init', '-q'], folder);
    git(['add', '-A'], folder);
    const { status, printed } = await run('npm run check', folder);
    expect(status, printed).toBe(0);
  });

  it.each(pages)('%s', async page => {
    const files = filesIn(folder);
    for (const step of stepsOf(page)) {
      if (step.kind !== 'run') {
        follow(step, files);
        continue;
      }
      for (const command of step.commands) {
        const { status, printed } = await run(command, folder);
        if (step.failure === undefined) expect(status, `${command}\n${printed}`).toBe(0);
        else {
          expect(status, command).not.toBe(0);
          expect(printed).toContain(step.failure);
        }
      }
    }
  });
});

/** Links to what is installed. Links among the packages of the repository stay relative, so they lead to the copy's own. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (name.startsWith('@')) linkPackages(source, target);
    else if (!name.startsWith('.') || name === '.bin') symlinkSync(source, target);
  }
}

/** Runs a command as in a shell of a reader: without what this test run has set. */
function run(command: string, cwd: string): Promise<{ status: number | null; printed: string }> {
  const own = /^(VITEST|NEARFIELD_|NODE_ENV$|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$)/;
  const kept = Object.entries(process.env).filter(([name]) => !own.test(name));
  const env = { ...Object.fromEntries(kept), NO_COLOR: '1' };
  return new Promise((resolve, reject) => {
    const child = spawn(command, { cwd, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        printed += part;
      });
    child.on('error', reject);
    child.on('close', status => resolve({ status, printed }));
  });
}
