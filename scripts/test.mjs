// `npm test`: sets everything up, then format, lint and types, all tests on the CPU and on the software GPU, the studio in a
// browser and the built packages as a user would install them.
//
// No part keeps two processors busy by itself, and none waits for another that it does not need: three rows of steps go on
// beside each other. Tests read the sources, so that only the browser and the packages wait for the build.
import { spawn } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { setUp } from './setup.mjs';
import { checkUsage } from './usage.mjs';

checkUsage(
  `usage: npm test, or npm run test:full
Installs, builds, then format, lint, types, all tests, the software GPU, the browser and the packed packages.
--full runs the random suites at full size, for hours (npm run test:full).
Some tests alone: npx vitest run --project cpu PATH`,
  ['--full'],
);
const isFull = process.argv.includes('--full');
if (isFull) process.env['NEARFIELD_SLOW'] = '1';
setUp();
const { buildKernels } = await import('./kernels.mjs');

// By their files: npx takes a second to find each, and keeps to itself that it is to stop.
const vitest = project => ['node', 'node_modules/vitest/vitest.mjs', 'run', '--project', project];

/** The first that fails ends its row. Tests and the build wait for the kernels. */
const rows = [
  [
    [
      'format and lint',
      ['node', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
    ],
    ['types', ['node', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
    ['build', ['node', 'scripts/build.mjs']],
    ['tests in a browser', vitest('browser')],
    ['packed packages', vitest('package')],
  ],
  [['tests', vitest('cpu')]],
  [['tests on the software GPU', ['node', 'scripts/soft-gpu.mjs', ...vitest('gpu')]]],
];
/** Those that read the sources as they are. */
const withoutKernels = ['format and lint', 'types'];
/** Those that nobody waits long for: where one fails, all else is stopped. */
const early = ['format and lint', 'types', 'build'];
/** How far a step gives way: else these end long before the software GPU's, which alone does not keep two processors busy. */
const patience = { tests: 1, 'tests in a browser': 2 };

console.log(
  isFull
    ? 'Hours. Random suites print or name their seeds; NEARFIELD_SEED repeats those that change from run to run.'
    : 'Some minutes. What each step printed follows when it has ended.',
);
const running = new Set();
let stopped = false;
// Later, so that the first steps are under way: compiling keeps this process busy.
const kernels = new Promise(resolve => setImmediate(resolve)).then(() => buildKernels());
const failed = [];
await Promise.all(rows.map(runRow));
if (failed.length > 0) {
  // Last, where a reader looks: what failed may stand thousands of lines above.
  for (const { name, printed } of failed) console.error(`\n── ${name} failed; it ended so:\n${printed}`);
  console.error(`\nfailed: ${failed.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

async function runRow(steps) {
  for (const [name, words] of steps) {
    if (!withoutKernels.includes(name)) await kernels;
    if (stopped) return;
    if (await run(name, words)) continue;
    if (early.includes(name)) {
      stopped = true;
      for (const child of running) child.kill();
    }
    return;
  }
}

/**
 * Runs a command, and prints all it printed when it has ended: another may be printing. A full run takes hours, so it prints at
 * once. Says whether the command went well.
 */
function run(name, [command, ...rest]) {
  const start = performance.now();
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  if (name in patience && child.pid !== undefined)
    setPriority(child.pid, Math.min(19, getPriority() + patience[name]));
  running.add(child);
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      printed.push(chunk);
      if (isFull) process.stdout.write(chunk);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', status => {
      running.delete(child);
      process.stdout.write(`\n── ${name}\n`);
      const text = Buffer.concat(printed).toString();
      if (!isFull) process.stdout.write(text);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      if (status === 0) console.log(`── ${name}: ${seconds} s`);
      // What was stopped because another failed did not fail.
      else if (!stopped) failed.push({ name, printed: text.split('\n').slice(-40).join('\n') });
      resolve(status === 0);
    });
  });
}
