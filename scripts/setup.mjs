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
  execFileSync(npm, ['ci', '--no-fund', '--no-audit'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
}

export const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
