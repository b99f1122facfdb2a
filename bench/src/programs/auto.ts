// Does `backend: 'auto'` choose well? One file for a machine with a GPU: asks every case of the scenes that both backends answer
// of the CPU on all threads, of the GPU, and of both with a choice, in turns, warm. scripts/build.mjs bundles it; only
// `webgpu` is external, and the library's threads look for jobs.js beside it.

import { type CpuNearfield, type Interferences, type Nearfield, open } from 'nearfield';
import type { Case, Question } from '../case.ts';
import { openDevice } from '../peers/device.ts';
import type { Engine, Session } from '../peers/engine.ts';
import { createNearfield } from '../peers/nearfield.ts';
import { settle } from '../run/measure.ts';
import { quantile } from '../run/quantile.ts';
import { choice } from '../scenes/choice.ts';
import { scenes as all } from '../scenes/index.ts';
import { bumpySphere, overlapping } from '../scenes/meshes/generated.ts';
import { significant } from '../tables/markdown.ts';
import { readWords } from './words.ts';

const usage = `usage: node auto.mjs [--time MS] [--most MS] [--cold BACKEND] [SCENE…]
Prints per case the median time of the CPU, of the GPU and of the choice between them; how many times as long as the better
one the choice took, and how many times as long whom it asked takes on average, trials included, which the machine's
other work does not disturb; and whom it asked, in runs: c3g40 is the CPU three times, then the GPU.
  --time MS       how long each engine is asked per case (default: 120)
  --most MS       leave out cases whose first answer takes longer (default: 3000)
  --cold BACKEND  instead: open the library with one backend and print what its first answers take`;
const scenes = [choice, ...all];
const options = { time: { type: 'string' }, most: { type: 'string' }, cold: { type: 'string' } } as const;
const { values, scenes: named } = readWords(
  usage,
  options,
  scenes.map(({ name }) => name),
);
const time = Number(values.time ?? 120);
const most = Number(values.most ?? 3000);

/** The questions that both backends answer. */
const questions: readonly Question[] = [
  ...([
    'pairs',
    'any',
    'bodies',
    'self',
    'motion',
    'build',
    'refit',
    'distance',
    'clearance',
    'closest',
    'nearest',
  ] as const),
  ...(['rays', 'hits', 'inBox', 'inSphere', 'scene', 'relations', 'points', 'check'] as const),
];
/** How many answers the choice gives at least and at most before anything is counted. Kernels are compiled meanwhile. */
const firstAnswers = 14;
const mostFirstAnswers = 300;
/** Turns per engine, at least. */
const leastTurns = 4;

if (values.cold !== undefined) await measureCold(values.cold as 'auto' | 'cpu' | 'gpu');
else await measureAll();
process.exit(0);

async function measureAll(): Promise<void> {
  const device = await openDevice();
  const engines = {
    cpu: await createNearfield('cpu async'),
    gpu: await createNearfield('gpu', device),
    auto: await createNearfield('auto', device),
  };
  console.log(`${engines.gpu.setting('pairs')}; medians in ms`);
  console.log('| case | CPU | GPU | auto | of the better | those asked | asked |');
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  const worst = { taken: 0, asked: 0 };
  for (const scene of scenes) {
    if (named.length > 0 && !named.includes(scene.name)) continue;
    for await (const job of scene.cases()) {
      if (!questions.includes(job.question)) continue;
      const name = `${job.scene}: ${job.name}, ${job.question}`;
      try {
        const row = await measure(job, engines);
        const better = Math.min(row.cpu, row.gpu);
        const expected = row.onCpu * row.cpu + (1 - row.onCpu) * row.gpu;
        worst.taken = Math.max(worst.taken, row.auto / better);
        if (!Number.isNaN(expected)) worst.asked = Math.max(worst.asked, expected / better);
        const ratios = [row.auto / better, expected / better].map(ratio =>
          Number.isNaN(ratio) ? '' : ratio.toFixed(2),
        );
        const cells = [row.cpu, row.gpu, row.auto].map(significant);
        console.log(`| ${[name, ...cells, ...ratios, runsOf(row.asked)].join(' | ')} |`);
      } catch (error) {
        console.log(`| ${name} | ${String(error)} |`);
      }
    }
  }
  console.log(`\nat worst ${worst.taken.toFixed(2)} of the better, ${worst.asked.toFixed(2)} by those asked`);
}

type Name = 'cpu' | 'gpu' | 'auto';
type Medians = Record<Name, number> & { readonly onCpu: number; readonly asked: string };

const names: readonly Name[] = ['cpu', 'gpu', 'auto'];

async function measure(job: Case, engines: Record<Name, Engine>): Promise<Medians> {
  const sessions: Partial<Record<Name, Session>> = {};
  try {
    return await measureIn(sessions, job, engines);
  } finally {
    // A row that fails leaves no session open beside those that follow.
    for (const session of Object.values(sessions)) session.close();
  }
}

async function measureIn(
  sessions: Partial<Record<Name, Session>>,
  job: Case,
  engines: Record<Name, Engine>,
): Promise<Medians> {
  const samples: Record<Name, number[]> = { cpu: [], gpu: [], auto: [] };
  let asked = '';
  for (const name of names) {
    const session = (sessions[name] = await settle(engines[name].load(job)));
    const start = performance.now();
    for (let i = 0; i < mostFirstAnswers; i++) {
      const before = performance.now();
      const answer = await settle(session.ask(job.frames[i % job.frames.length]));
      if (i === 0 && performance.now() - before > most)
        throw new Error(`takes ${performance.now() - before} ms`);
      if (name === 'auto') asked += letterOf(answer);
      else if (i >= 3) break;
      if (performance.now() - start > time && (name !== 'auto' || i >= firstAnswers)) break;
    }
  }
  const begun = asked.length;
  const start = performance.now();
  for (let turn = 0; turn < leastTurns || (turn < 8 && performance.now() - start < 3 * time); turn++) {
    // To and fro, so that none always follows the GPU, which leaves caches and clocks cold.
    for (const name of turn % 2 === 0 ? names : [...names].reverse()) {
      const from = performance.now();
      do {
        for (const frame of job.frames) {
          const before = performance.now();
          const answer = await settle(sessions[name]!.ask(frame));
          samples[name].push(performance.now() - before);
          if (name === 'auto') asked += letterOf(answer);
        }
      } while (performance.now() - from < time / 8);
    }
    if (performance.now() - start > 3 * most) break;
  }
  const counted = asked.slice(begun);
  // Some answers do not say who gave them.
  const onCpu = counted.includes('.') ? NaN : counted.replaceAll('g', '').length / counted.length;
  const medianOf = (times: number[]) =>
    quantile(
      times.sort((a, b) => a - b),
      0.5,
    );
  return {
    cpu: medianOf(samples.cpu),
    gpu: medianOf(samples.gpu),
    auto: medianOf(samples.auto),
    onCpu,
    asked,
  };
}

/** cccg as c3g1; at most the first runs. */
function runsOf(letters: string): string {
  const runs = letters.match(/(.)\1*/g) ?? [];
  const shown = runs.slice(0, 12).map(run => `${run[0]}${run.length}`);
  return `${shown.join('')}${runs.length > shown.length ? '…' : ''}`;
}

/** Who gave an answer: c or g; a dot if it does not say. */
function letterOf(answer: unknown): string {
  const { backend, stats } = answer as Partial<Interferences> & { backend?: string };
  return (backend ?? stats?.backend)?.[0] ?? '.';
}

/** What the first answers of a process take: opening, then questions that are asked at once. */
async function measureCold(backend: Name): Promise<void> {
  const bodies = overlapping(bumpySphere(70_000), 0.3);
  const start = performance.now();
  const device = backend === 'cpu' ? undefined : await openDevice();
  const opened = performance.now();
  const nf: Nearfield | CpuNearfield = await open({ backend, device });
  const ready = performance.now();
  const scene = nf.scene();
  for (const { mesh, pose } of bodies) scene.add(mesh, { pose });
  const answers: string[] = [];
  for (let i = 0; i < 40 && performance.now() - ready < 4000; i++) {
    const before = performance.now();
    const answer = await scene.interferences();
    answers.push(`${letterOf(answer)} ${significant(performance.now() - before)}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  console.log(
    `cold, ${backend}: device ${significant(opened - start)} ms, open ${significant(ready - opened)}, ` +
      `answers ${answers.slice(0, 12).join(', ')}; last ${answers.at(-1)}`,
  );
}
