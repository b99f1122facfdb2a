#!/usr/bin/env node
// The program `nearfield`. It is not part of the build, because npm links only programs that exist at install time,
// and a fresh clone is installed before it is built.
import { existsSync } from 'node:fs';

const built = new URL('../dist/main.js', import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  console.error('nearfield: not built yet; run npm run build');
  process.exitCode = 2;
}
