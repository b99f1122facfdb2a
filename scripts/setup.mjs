// Installs the packages of package-lock.json, if that has not been done. Needs only Node and npm.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export function setUp() {
  process.chdir(root);
  const installed = 'node_modules/.package-lock.json';
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs) return;
  console.error('Installing the packages of package-lock.json …');
  runNpm(['ci', '--no-fund', '--no-audit'], { stdio: ['ignore', 2, 2] });
}

/**
 * Runs npm and returns what it printed, as `execFileSync` does. On Windows npm is a script, which only a shell
 * starts: words with spaces are quoted for it.
 */
export function runNpm(words, options = {}) {
  const isWindows = process.platform === 'win32';
  const given = isWindows ? words.map(word => (/\s/.test(word) ? `"${word}"` : word)) : words;
  return execFileSync(isWindows ? 'npm.cmd' : 'npm', given, { ...options, shell: isWindows });
}
