// One file for a machine with only a GPU: generates all GPU scenes, measures them warm many times, from call to
// JavaScript result, and prints a table. scripts/build.mjs bundles it; only `webgpu` is external. `node device.mjs
// [--quick] [--time MS] [--json FILE] [SCENE…]`

import { writeFileSync } from 'node:fs';
import type { Case, Frame, PaperFigures, Series } from '../case.ts';
import { comparePairs } from '../compare.ts';
import { type CullingRow, isSoftware, measureCulling } from '../culling/culling.ts';
import { thisMachine } from '../machine.ts';
import { measureParticles, type ParticleRow } from '../particles/measure.ts';
import { particles as particleScene } from '../particles/scene.ts';
import { particleCells, particleHeads, particleNote } from '../particles/table.ts';
import type { Engine, Session } from '../peers/engine.ts';
import { createImages, imageScenes } from '../peers/images.ts';
import { createNearfield, nearfieldScenes } from '../peers/nearfield.ts';
import { settle, summarise, type Task, type Times, takeTurns } from '../run/measure.ts';
import { exactAnswers } from '../run/round.ts';
import { type Growth, measureSeries, seriesEffort } from '../run/series.ts';
import { movingBoxes } from '../scenes/boxes.ts';
import { foldingSphere } from '../scenes/deform.ts';
import { coincident } from '../scenes/exact/coincident.ts';
import { flush } from '../scenes/exact/flush.ts';
import { growth } from '../scenes/growth.ts';
import { scenes } from '../scenes/index.ts';
import { distance } from '../scenes/measures/distance.ts';
import { fields } from '../scenes/measures/fields.ts';
import { wideGaps } from '../scenes/measures/gap.ts';
import { many } from '../scenes/measures/many.ts';
import { million } from '../scenes/million.ts';
import { clothCases } from '../scenes/motion.ts';
import { near } from '../scenes/near.ts';
import { pair } from '../scenes/pair.ts';
import { jaws } from '../scenes/papers/jaws.ts';
import { layers } from '../scenes/papers/layers.ts';
import { raycast } from '../scenes/papers/raycast.ts';
import { rotating } from '../scenes/papers/rotating.ts';
import { growing } from '../scenes/papers/series.ts';
import { visibility } from '../scenes/papers/visibility.ts';
import { trees } from '../scenes/trees.ts';
import { growthRows, paperRows, type TimedCase } from '../tables/images.ts';
import { cullingCells, cullingHeads, significant } from '../tables/markdown.ts';
import { readWords } from './words.ts';

interface Line {
  readonly scene: string;
  readonly name: string;
  readonly question: string;
  readonly triangles: number;
  readonly pairs: number;
  readonly missed: number;
  readonly false: number;
  readonly cold: number;
  readonly warm: Times;
  readonly count?: Times;
  readonly cpu: Times;
  readonly stats?: object;
  readonly engine: string;
  readonly paper?: PaperFigures;
  readonly series?: Series;
}

const usage = `usage: node device.mjs [--quick] [--time MS] [--json FILE] [SCENE…]
Measures the GPU beside the CPU and prints a table. --quick leaves out the largest meshes and runs shorter; --time says how
many milliseconds each engine is asked a question for. Lock the GPU's clock first (nvidia-smi -lgc), or a GPU with
little to do lowers it.`;
const options = { quick: { type: 'boolean' }, time: { type: 'string' }, json: { type: 'string' } } as const;
const names = scenes.map(({ name }) => name);
const { values, scenes: named } = readWords(usage, options, names);
const time = values.time === undefined ? (values.quick ? 100 : 800) : Number(values.time);
if (!(time > 0)) throw new Error(`--time must be a number of milliseconds, not '${values.time}'`);
/** The number of turns per engine. The least disturbed turn is shown beside the median of all. */
const turns = 8;
const cpu = await createNearfield('cpu');
/** The engines of the current scene, the plain one first. */
let engines: { readonly scene: string; readonly list: readonly Engine[] } = { scene: '', list: [] };
const setting = (await enginesOf(pair.name))[0].setting('pairs');
console.log(`${setting}; ${JSON.stringify(thisMachine())}\n`);
console.log(
  '| case | pairs | missed/false | GPU, ms | all turns | quartiles | count only | cold | CPU, ms |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
const lines: Line[] = [];
const culling: { name: string; rows: readonly CullingRow[] }[] = [];
for await (const job of cases()) {
  const wanted = named.length === 0 || named.includes(job.scene);
  if (!wanted) continue;
  try {
    for (const engine of await enginesOf(job.scene)) {
      if (engine.cannot(job) !== undefined) continue;
      const line = await measureLine(job, engine);
      lines.push(line);
      print(line);
    }
    if (job.scene === visibility.name) await addCulling(job);
  } catch (error) {
    console.log(`| ${job.scene}: ${job.name}, ${job.question} | fails: ${String(error)} |`);
  }
}
for (const { name, rows } of culling) {
  console.log(`\nWhat images leave to test, before any exact test: ${name}:\n`);
  for (const cells of [cullingHeads, cullingHeads.map(() => '---'), ...rows.map(cullingCells)]) {
    console.log(`| ${cells.join(' | ')} |`);
  }
}
const grown: Growth[] = [];
// Growth is measured only if its scene is named: sizes are large, and all of a series are in memory at once.
for (const scene of named) await addGrowth(scene);
for (const [heads, ...rows] of [growthRows(timedCases(), grown), paperRows(timedCases())]) {
  if (heads === undefined) continue;
  console.log();
  for (const cells of [heads, heads.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`);
}
const particles: ParticleRow[] = [];
if (named.length === 0 || named.includes(particleScene.name)) await addParticles();
if (typeof values.json === 'string') {
  const machine = thisMachine(setting);
  writeFileSync(values.json, JSON.stringify({ machine, lines, culling, growth: grown, particles }));
}
for (const engine of [...engines.list, cpu]) engine.close?.();

/** Close the engines of other scenes, because a process polls all its devices while it waits for one. */
async function enginesOf(scene: string): Promise<readonly Engine[]> {
  if (engines.scene === scene) return engines.list;
  for (const engine of engines.list) engine.close?.();
  const list = [await createNearfield('gpu')];
  for (const [kind, takesPart] of nearfieldScenes) {
    if (kind.startsWith('gpu') && takesPart.includes(scene)) list.push(await createNearfield(kind));
  }
  for (const [kind, takesPart] of imageScenes) {
    if (takesPart.includes(scene)) list.push(await createImages(kind));
  }
  engines = { scene, list };
  return list;
}

async function* cases(): AsyncGenerator<Case> {
  for (const scene of [pair, near]) yield* scene.cases();
  if (!values.quick) yield* million.cases();
  yield movingBoxes('axis-aligned');
  yield movingBoxes('turned');
  yield foldingSphere(64);
  yield* clothCases();
  yield* trees.cases();
  yield* flush.cases();
  yield* rotating.cases();
  if (!values.quick) yield* growth.cases();
  yield* coincident.cases();
  yield* distance.cases();
  if (!values.quick) yield* many.cases();
  yield* fields.cases();
  yield* wideGaps(!values.quick);
  // These scenes run only on request, because they take a while to create.
  for (const scene of [visibility, raycast, layers, jaws]) {
    if (named.length === 0 || named.includes(scene.name)) yield* scene.cases();
  }
}

async function measureLine(job: Case, engine: Engine): Promise<Line> {
  const [fast, exact] = [await start(engine, job), await start(cpu, job)];
  let [pairs, missed, made] = [0, 0, 0];
  for (const frame of job.frames.slice(0, 8)) {
    const truth = exact.session.pairs(await settle(exact.session.ask(frame))).slice();
    const compared = comparePairs(truth, fast.session.pairs(await settle(fast.session.ask(frame))));
    pairs += compared.found + compared.missed;
    missed += compared.missed;
    made += compared.false;
  }
  const answer = (await settle(fast.session.ask(job.frames[0]))) as { stats?: object };
  const { frames } = job;
  const effort = { turns, turnTime: time / turns, cycle: frames.length };
  const ask = (session: Session): Task => {
    const { write } = session;
    const before = write && ((run: number) => write(frames[run % frames.length]));
    return Object.assign((run: number) => session.ask(frames[run % frames.length]), { before });
  };
  const rebuild = (engine: Engine) => async () => (await start(engine, job)).session.close();
  // Positions that are on the GPU stay there: the tree is rebuilt, but the body is not.
  const inBuffers = engine.name === 'Nearfield gpu buffers';
  const [own, other] =
    job.question === 'build'
      ? [inBuffers ? ask(fast.session) : rebuild(engine), rebuild(cpu)]
      : [ask(fast.session), ask(exact.session)];
  const { count } = fast.session;
  const tasks = count ? [own, (run: number) => count(frames[run % frames.length])] : [own];
  // The GPU is timed without the CPU engine in between, because an application does not run both in turn.
  const [warm, counted] = (await takeTurns(tasks, effort)).map(summarise);
  const [slow] = (await takeTurns([other], effort)).map(summarise);
  fast.session.close();
  exact.session.close();
  return {
    scene: job.scene,
    name:
      engine === engines.list[0] ? job.name : `${job.name}, by ${engine.name.replace('Nearfield gpu ', '')}`,
    question: job.question,
    triangles: job.bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0),
    pairs,
    missed,
    false: made,
    cold: fast.cold,
    warm,
    cpu: slow,
    engine: engine.name,
    ...(job.paper && { paper: job.paper }),
    ...(job.series && { series: job.series }),
    ...(counted && { count: counted }),
    ...(answer?.stats && { stats: answer.stats }),
  };
}

/** Merges the lines of a case over all engines. */
function timedCases(): TimedCase[] {
  const all = new Map<
    string,
    { -readonly [K in keyof TimedCase]: TimedCase[K] } & { times: Map<string, number> }
  >();
  for (const { scene, name, engine, paper, series, warm, cpu: slow } of lines) {
    const own = name.replace(/, by [^,]*$/, '');
    const key = `${scene}: ${own}`;
    const timed = all.get(key) ?? {
      name: own,
      paper,
      series,
      times: new Map([['Nearfield cpu', slow.median]]),
    };
    timed.times.set(engine, warm.median);
    all.set(key, timed);
  }
  return [...all.values()].filter(
    ({ series, paper }) => series !== undefined || paper?.machine !== undefined,
  );
}

/** Adds the table of what images leave to test. These tables follow all scenes. */
async function addCulling(job: Case): Promise<void> {
  const rows = await measureCulling(job, (await exactAnswers(job, cpu))!);
  if (rows !== undefined) culling.push({ name: job.name, rows });
}

/** Measures how the image methods grow with size, all sizes in turn. */
async function addGrowth(scene: string): Promise<void> {
  const software = isSoftware(setting);
  for (const jobs of growing.get(scene)?.(software) ?? []) {
    for (const engine of (await enginesOf(scene)).slice(1)) {
      const growth = await measureSeries(jobs, engine, seriesEffort(5 * time, software));
      if (growth !== undefined) grown.push(growth);
    }
  }
}

/** Adds the GPU's rows, and the CPU's if they are fast. */
async function addParticles(): Promise<void> {
  console.log('\nParticles:\n');
  for (const cells of [particleHeads, particleHeads.map(() => '---')])
    console.log(`| ${cells.join(' | ')} |`);
  for (const [backend, patience] of [
    ['gpu', 20_000],
    ['cpu', values.quick ? 500 : 4000],
  ] as const) {
    const report = (row: ParticleRow) => console.log(`| ${particleCells(row).join(' | ')} |`);
    particles.push(...(await measureParticles({ backend, time: time / 2, frames: 120, patience, report })));
  }
  console.log(`\n${particleNote}`);
}

async function start(engine: Engine, job: Case): Promise<{ session: Session; cold: number }> {
  const begun = performance.now();
  const session = await settle(engine.load(job));
  await settle(session.ask(job.frames[0] satisfies Frame));
  return { session, cold: performance.now() - begun };
}

function print(line: Line): void {
  const { scene, name, question, pairs, warm, count, cold } = line;
  const cells = [
    `${scene}: ${name}, ${question}`,
    pairs,
    `${line.missed}/${line.false}`,
    significant(warm.calm),
    significant(warm.median),
    `${significant(warm.low)}–${significant(warm.high)}`,
    count ? significant(count.calm) : '',
    significant(cold),
    significant(line.cpu.median),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
