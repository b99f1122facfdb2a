// The site builds: no page links to something that is not there, and every program that a guide shows exists. The API reference, the
// studio and the colours of programs are left to the full run.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { checkSite } from '../../site/check.mjs';

const root = resolve(import.meta.dirname, '../..');

it('builds from the documents, programs and results of this repository', () => {
  // In a folder, as GitHub's pages of a project are: every address has to begin with it.
  const words = [
    'site/build.mjs',
    '--built',
    '--base=/nearfield/',
    ...(process.env['NEARFIELD_SLOW'] ? [] : ['--part']),
  ];
  execFileSync(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  const page = (name: string) => readFileSync(join(root, 'site/dist', name), 'utf8');
  expect(page('guides/robot.html')).toContain('firstContact');
  expect(page('cli/help.html')).toContain('--tolerance');
  expect(page('benchmarks/index.html')).toContain('.svg');
  for (const file of ['source/examples/node/check.mjs.txt', 'downloads/examples/node.tgz', 'THIRD-PARTY.txt'])
    expect(existsSync(join(root, 'site/dist', file))).toBe(true);
  expect(page('guides/robot.html')).toContain('href="/nearfield/source/examples/robot/motion.mjs.txt"');
});

it('a dead link, a heading that is not there and an address outside of the folder fail the build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  const page = (links: string) =>
    writeFileSync(join(folder, 'index.html'), `<h1 id="here">A page</h1>${links}`);
  page('<a href="/docs/index.html#here">good</a> <a href="https://example.org/">elsewhere</a>');
  expect(() => checkSite(folder, '/docs/')).not.toThrow();
  for (const dead of ['/docs/gone.html', '#gone', '/index.html']) {
    page(`<a href="${dead}">dead</a>`);
    expect(() => checkSite(folder, '/docs/')).toThrow(`index.html: ${dead}`);
  }
});
