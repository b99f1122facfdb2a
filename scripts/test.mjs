// `npm test`: sets everything up, then checks format, lint and types, runs all tests on the CPU and on the software
// GPU, the studio in a browser, and the built packages as a user would install them.
// No part keeps two processors busy by itself, so three rows of steps run side by side. Tests read the sources, so
// only the browser and the packages wait for the build.
import { spawn } from 'node:child_process';
import { availableParallelism, getPriority, setPriority } from 'node:os';
import { setUp } from './setup.mjs';
import { hasSoftGpu } from './soft-gpu.mjs';
import { checkUsage } from './usage.mjs';

checkUsage(
  `usage: npm test, or npm run test:full
Installs, builds, then checks format, lint, types, all tests, the software GPU, the browser and the packed packages.
Elsewhere than on Linux on x64 it leaves out the software GPU and the browser.
--full runs the random suites at full size, for hours (npm run test:full).
To run only some tests: npx vitest run --project cpu PATH`,
  ['--full'],
);
const isFull = process.argv.includes('--full');
if (isFull) process.env['NEARFIELD_SLOW'] = '1';
setUp();
const { buildKernels } = await import('./kernels.mjs');
const { buildReportScripts } = await import('./report-scripts.mjs');

// Called by file path: npx takes a second to find each command, and does not pass on signals.
const vitest = (project, ...more) => [
  ...['node', 'node_modules/vitest/vitest.mjs', 'run', '--project', project],
  ...more,
];
/** Processes for the tests on the CPU: with two processors Vitest would take one, and the other would have nothing to do in the end. */
const workers = `--maxWorkers=${Math.max(2, availableParallelism() - 1)}`;

/** The first step that fails ends its row. Tests and the build wait for the kernels. */
const rows = [
  [
    [
      'format and lint',
      ['node', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
    ],
    ['types', ['node', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
    ['build', ['node', 'scripts/build.mjs']],
    ...(hasSoftGpu ? [['tests in a browser', vitest('browser')]] : []),
    ['packed packages', vitest('package')],
  ],
  [['tests', vitest('cpu', workers)]],
  ...(hasSoftGpu
    ? [[['tests on the software GPU', ['node', 'scripts/soft-gpu.mjs', ...vitest('gpu')]]]]
    : []),
];
/** Types and tests need what the compiler of the kernels writes. */
const withoutKernels = ['format and lint'];
/** Short steps: if one of these fails, everything else is stopped. */
const early = ['format and lint', 'types', 'build'];
/**
 * The niceness of a step. Otherwise these steps would end long before the software GPU's, which alone does not keep
 * two processors busy.
 */
const patience = { tests: 1, 'tests in a browser': 2 };

console.log(
  isFull
    ? 'This takes hours. Random suites print or name their seeds; NEARFIELD_SEED repeats seeds that change from run to run.'
    : 'This takes some minutes. The output of each step follows when the step has ended.',
);
if (!hasSoftGpu)
  console.log(
    `Left out: the software GPU and the browser, which come for Linux on x64. This is ${process.platform} on ${process.arch}.`,
  );
const running = new Set();
let stopped = false;
// Later, when the first steps are running, because compiling keeps this process busy.
const kernels = new Promise(resolve => setImmediate(resolve)).then(buildReportScripts).then(buildKernels);
const failed = [];
await Promise.all(rows.map(runRow));
if (failed.length > 0) {
  // At the end, where a reader looks: the failure itself may be thousands of lines above.
  for (const { name, printed } of failed)
    console.error(`\n── ${name} failed; its output ended with:\n${printed}`);
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
 * Runs a command and prints its output when it has ended, because others run at the same time. A full run takes
 * hours, so it prints at once. Returns whether the command succeeded.
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
      // A step that was stopped because another failed has not failed itself.
      else if (!stopped) failed.push({ name, printed: text.split('\n').slice(-40).join('\n') });
      resolve(status === 0);
    });
  });
}
