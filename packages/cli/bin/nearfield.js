#!/usr/bin/env node
// The program `nearfield`. Apart from what is built, because npm links only programs that exist when it installs, and
// a fresh clone is installed before it is built.
import { existsSync } from 'node:fs';

const built = new URL('../dist/main.js', import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  console.error('nearfield: it has not been built: npm run build');
  process.exitCode = 2;
}
