// `npm test`: sets everything up, then format, lint and types, all tests on the CPU, the GPU tests on the
// software GPU, and last the built packages as a user would install them.
import { spawnSync } from 'node:child_process';
import { setUp } from './setup.mjs';
import { checkUsage } from './usage.mjs';

checkUsage(`usage: npm test
Installs, builds, then format, lint, types, all tests, the software GPU and the packed packages.
Some tests alone: npx vitest run --project cpu PATH`);
setUp();
const { buildAll } = await import('./build.mjs');

const steps = [
  ['format and lint', ['npx', 'biome', 'check', '--error-on-warnings', '.']],
  ['types', ['npx', 'tsc', '-p', 'tsconfig.json']],
  ['tests', ['npx', 'vitest', 'run', '--project', 'cpu']],
  ['tests on the software GPU', ['node', 'scripts/soft-gpu.mjs', 'npx', 'vitest', 'run', '--project', 'gpu']],
  ['packed packages', ['npx', 'vitest', 'run', '--project', 'package']],
];

await buildAll();
for (const [name, [command, ...rest]] of steps) {
  const start = performance.now();
  console.log(`\n── ${name}`);
  const { status } = spawnSync(command, rest, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) {
    console.error(`\n${name}: failed`);
    process.exit(status ?? 1);
  }
  console.log(`── ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
