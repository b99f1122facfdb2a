// How long does `nearfield check` take for many bodies, alone and with everything that a report of clashes needs?
// Writes a model, runs the built command line in turns, each run in a process of its own, and prints the median of
// clock, processor time of all threads and peak memory:
//   node bench/dist/command-line.js assembly 100000 3          alone, and with --json --clearance --rules, and the ratio
//   node bench/dist/command-line.js boxes 1000000 1 ../before  alone, beside another clone that has been built
// Build first: npm run build.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assemblyClearance } from '../scenes/assembly.ts';

const [scene = 'assembly', count = scene === 'boxes' ? '1000000' : '100000', turns = '3', other] =
  process.argv.slice(2);
const here = fileURLToPath(new URL('../..', import.meta.url));

/** Two tests that name every pair. */
const rules = {
  sets: { even: { name: ['part *0', 'part *2', 'part *4', 'part *6', 'part *8'] }, odd: { not: 'even' } },
  tests: [
    { name: 'even and odd', between: ['even', 'odd'], severity: 'critical' },
    { name: 'the rest', all: true },
  ],
};

/** What a run took: seconds, and megabytes. */
interface Run {
  readonly clock: number;
  readonly processor: number;
  readonly memory: number;
}

const folder = mkdtempSync(join(tmpdir(), 'nearfield-bench-'));
const model = join(folder, 'parts.glb');
const usage = join(folder, 'usage.json');
/** The process itself notes its times: other processes cannot read the time of its threads. */
const noted = `import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(${JSON.stringify(usage)},JSON.stringify(process.resourceUsage())))`;

function run(root: string, options: readonly string[]): Run {
  const program = join(root, 'packages/cli/dist/main.js');
  const words = ['--import', `data:text/javascript,${encodeURIComponent(noted)}`, program, 'check', model];
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [...words, '--backend', 'cpu', ...options], {
    stdio: ['ignore', openSync(join(folder, 'answer'), 'w'), 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0 && status !== 1) throw new Error(`check ended with ${status}: ${stderr}`);
  const clock = (performance.now() - start) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usage, 'utf8'));
  return { clock, processor: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 };
}

const median = (runs: readonly Run[], of: (run: Run) => number): number =>
  runs.map(of).sort((p, q) => p - q)[runs.length >> 1];

try {
  spawnSync(process.execPath, [fileURLToPath(new URL(`${scene}-file.js`, import.meta.url)), count, model], {
    stdio: 'inherit',
  });
  writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules));
  const everything = ['--json', '--clearance', `${assemblyClearance}`, '--rules', join(folder, 'rules.json')];
  const cases: { name: string; root: string; options: readonly string[]; runs: Run[] }[] = [];
  for (const [where, root] of [['', here], ...(other === undefined ? [] : [['before: ', resolve(other)]])]) {
    cases.push({ name: `${where}alone`, root, options: [], runs: [] });
    if (scene === 'assembly')
      cases.push({
        name: `${where}${everything.slice(0, 2).join(' ')} --rules`,
        root,
        options: everything,
        runs: [],
      });
  }
  for (let turn = 0; turn < Number(turns); turn++) {
    for (const { root, options, runs } of cases) runs.push(run(root, options));
  }
  const [first] = cases;
  for (const { name, runs } of cases) {
    const of = (what: keyof Run): number => median(runs, each => each[what]);
    const ratio = (what: keyof Run): string => (of(what) / median(first.runs, each => each[what])).toFixed(2);
    const figures = [
      `clock ${of('clock').toFixed(1)} s (× ${ratio('clock')})`,
      `processor ${of('processor').toFixed(1)} s (× ${ratio('processor')})`,
      `memory ${of('memory').toFixed(0)} MB (× ${ratio('memory')})`,
    ];
    console.log(`${name.padEnd(36)} ${figures.join('  ')}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
