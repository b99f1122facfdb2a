// `npm test`: sets everything up, then format, lint and types, all tests on the CPU and beside them the GPU tests on the
// software GPU, and last the studio in a browser and the built packages as a user would install them.
import { spawn } from 'node:child_process';
import { setUp } from './setup.mjs';
import { checkUsage } from './usage.mjs';

checkUsage(`usage: npm test
Installs, builds, then format, lint, types, all tests, the software GPU, the browser and the packed packages.
Some tests alone: npx vitest run --project cpu PATH`);
setUp();
const { buildAll } = await import('./build.mjs');

const vitest = project => ['npx', 'vitest', 'run', '--project', project];

/** What has to pass first. */
const checks = [
  ['format and lint', ['npx', 'biome', 'check', '--error-on-warnings', '.']],
  ['types', ['npx', 'tsc', '-p', 'tsconfig.json']],
];
/** One after the other; and beside them all the time the software GPU, which does not keep two processors busy by itself. */
const suites = [
  ['tests', vitest('cpu')],
  ['tests in a browser', vitest('browser')],
  ['packed packages', vitest('package')],
];
const besideThem = ['tests on the software GPU', ['node', 'scripts/soft-gpu.mjs', ...vitest('gpu')]];

await buildAll();
for (const [name, words] of checks) if (await report(name, run(words, false))) process.exit(1);
const beside = run(besideThem[1], true);
let failed = false;
for (const [name, words] of suites) failed = (await report(name, run(words, false))) || failed;
failed = (await report(besideThem[0], beside)) || failed;
if (failed) process.exit(1);

/** Runs a command; what it prints is held back where another is printing. */
function run([command, ...rest], held) {
  const start = performance.now();
  const stdio = held ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const child = spawn(command, rest, { stdio, shell: process.platform === 'win32' });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => printed.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', status => {
      resolve({ status, printed, seconds: (performance.now() - start) / 1000 });
    });
  });
}

/** Prints how a step went, and says whether it failed. */
async function report(name, running) {
  console.log(`\n── ${name}`);
  const { status, printed, seconds } = await running;
  process.stdout.write(Buffer.concat(printed));
  if (status === 0) console.log(`── ${name}: ${seconds.toFixed(1)} s`);
  else console.error(`\n${name}: failed`);
  return status !== 0;
}
