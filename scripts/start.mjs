// `npm start`: sets everything up, checks the sample assembly, writes its report, and serves the studio.
import { spawnSync } from 'node:child_process';
import { setUp } from './setup.mjs';
import { checkUsage } from './usage.mjs';

checkUsage(
  `usage: npm start [-- --no-serve]
Installs, builds, checks the sample gearbox, writes nearfield-report.html, then serves the studio until Ctrl-C.
--no-serve ends after the report.`,
  ['--no-serve'],
);
setUp();
const { buildAll } = await import('./build.mjs');
await buildAll({ types: false });
const run = (...words) =>
  spawnSync(process.execPath, ['packages/cli/dist/main.js', ...words], { stdio: 'inherit' }).status;
const status = run('sample', '--report', 'nearfield-report.html');
// The sample has interferences on purpose, so status 1 is expected.
if (status !== 1) process.exit(status ?? 2);
if (!process.argv.includes('--no-serve')) process.exit(run('studio') ?? 0);
