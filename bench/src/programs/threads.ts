// How much do more threads gain? One file for any machine with Node: asks large questions with 1, 2, 4, 8, 16
// threads, each in a process of its own, beside a loop of pure arithmetic on as many threads, which shows what the
// machine itself gains. scripts/build.mjs bundles it, with the library's jobs in it.

import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';
import { type CheckQuestion, checkAssembly } from '@nearfield/clashes';
import framesThread from 'frames-thread';
import jobs from 'library-jobs';
import { type Nearfield, open, shapes } from 'nearfield';
import { limitMachine } from '../../../packages/cli/src/backend.ts';
import { Files } from '../../../packages/cli/src/files.ts';
import { findFrames } from '../../../packages/cli/src/frames/frames.ts';
import { readFiles } from '../../../packages/cli/src/input/reading/read-files.ts';
import { assemblyParts } from '../scenes/assembly.ts';
import { readWords } from './words.ts';

const usage = `usage: node threads.mjs [PART...] [--threads LIST] [--turns N] [--parts N] [--frames N] [--bodies N] [--points N] [--files N] [--json]

Times large questions on the CPU with several numbers of threads. Each is asked several times in a process of its own: the first
time, when threads are started and code is compiled, and the least clock of the other times. Behind both stands how many times as
fast that is as with the first number of threads, and this gain as a share of that of the loop. For the least clock: the processor
time of all threads, that of the busiest thread of the process (on Linux), and how the clock divides into stages, each with the
processor time of the calling thread (on Linux).
  arithmetic      a loop of arithmetic, without memory
  pairs           which parts of an assembly meet, and their relations
  check           the same as "nearfield check" asks it, without reading and writing
  frames          "nearfield check" of a motion of some parts
  files           reading OBJ files of 100,000 triangles each
  points          the nearest points of a model of 100,000 triangles
  rays            the first hits of that many rays with this model
  boxes           the triangles of this model in that many boxes
  --threads LIST  numbers of threads (default: 1,2,4,8,16 up to the number of cores, and that)
  --turns N       how often a question is asked (default: 4)
  --parts N       how many parts the assembly has (default: 100000)
  --frames N      how many frames the motion has (default: 1000)
  --bodies N      how many parts move (default: 200)
  --files N       how many files (default: 64)
  --points N      how many points, rays or boxes (default: 1000000)
  --json          prints the rows as JSON, not as a table`;

/** How long a stage took on the clock, and the processor time of the calling thread, in seconds. */
interface Stage {
  clock: number;
  processor: number;
}

/** How long one answer took, in seconds. */
interface Turn {
  readonly clock: number;
  readonly processor: number;
  readonly busiest: number | undefined;
  readonly stages: Readonly<Record<string, Stage>>;
  /** What was found: the same every time, and for all numbers of threads. */
  readonly found: number;
}

interface Row {
  readonly part: Part;
  readonly threads: number;
  readonly first: Turn;
  /** The one of the other turns that took the least time on the clock; the first if there are no others. */
  readonly least: Turn;
  readonly isSame: boolean;
}

const { values, scenes } = readWords(
  usage,
  {
    ...{ threads: { type: 'string' }, turns: { type: 'string' }, parts: { type: 'string' } },
    ...{ frames: { type: 'string' }, bodies: { type: 'string' }, points: { type: 'string' } },
    ...{ files: { type: 'string' }, json: { type: 'boolean' }, measure: { type: 'string' } },
  },
  ['arithmetic', 'pairs', 'check', 'frames', 'files', 'points', 'rays', 'boxes'],
);

function numberOf(name: string, usual: number): number {
  return whole(values[name] ?? `${usual}`);
}

function whole(text: unknown): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  process.stderr.write(`expected a whole number from 1, got ${text}\n${usage}\n`);
  process.exit(2);
}

/** The arithmetic: a sum of terms that a compiler cannot simplify. */
const loop = `let sum = 0;
for (let i = 1; i <= count; i++) sum = sum * 0.999 + 1 / (i + sum * 1e-9);`;
const loopCount = 1_000_000_000;

/** The questions. The preparation before a question is returned is not timed. */
const questions = {
  async arithmetic(threads) {
    const code = `const { parentPort, workerData: count } = require('node:worker_threads');
parentPort.on('message', () => { ${loop} parentPort.postMessage(sum); });
parentPort.postMessage(0);`;
    const workers = Array.from(
      { length: threads },
      () => new Worker(code, { eval: true, workerData: Math.floor(loopCount / threads) }),
    );
    const reply = () =>
      Promise.all(workers.map(worker => new Promise(resolve => worker.once('message', resolve))));
    await reply();
    return async () => {
      const replies = reply();
      for (const worker of workers) worker.postMessage('go');
      await replies;
      return { found: loopCount };
    };
  },

  async pairs(threads) {
    const parts = assemblyParts(numberOf('parts', 100_000));
    const nf = await open({ backend: 'cpu', threads });
    return async time => {
      const scene = nf.scene();
      for (const [i, { mesh, pose }] of parts.entries()) scene.add(mesh, { name: `part ${i}`, pose });
      time('bodies');
      const answer = await scene.interferences();
      time('pairs');
      const relations = await answer.relations();
      time('relations');
      scene.close();
      return { found: relations.length };
    };
  },

  async check(threads) {
    const question = questionAbout(numberOf('parts', 100_000));
    const nf = await open({ backend: 'cpu', threads });
    return time => checked(nf, question, time);
  },

  async frames(threads) {
    limitMachine({ threads });
    const moving = numberOf('bodies', 200);
    const question = questionAbout(moving);
    const frames = Array.from({ length: numberOf('frames', 1000) }, (_, frame) => {
      const poseIn = (i: number): Float64Array => {
        const pose = Float64Array.from(question.bodies[i].pose!);
        pose[12] += (((frame * (1 + (i % 7))) % 50) - 25) / 100;
        return pose;
      };
      return new Map(Array.from({ length: moving }, (__, i) => [i, poseIn(i)] as const));
    });
    const motion = { isMotion: true, frames };
    const nf = await open({ backend: 'cpu', threads });
    return async time => {
      const asked: CheckQuestion = { ...question, motion, depths: 'none' };
      const found = await findFrames(nf, asked, { url: new URL('frames-thread.mjs', import.meta.url) });
      try {
        return await checked(nf, { ...asked, found }, time);
      } finally {
        found?.close();
      }
    };
  },

  async files(threads) {
    limitMachine({ threads });
    const folder = mkdtempSync(join(tmpdir(), 'nearfield-files-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const { positions, indices } = knot();
    const lines: string[] = [];
    for (let i = 0; i < positions.length; i += 3) lines.push(`v ${positions.subarray(i, i + 3).join(' ')}`);
    for (let i = 0; i < indices.length; i += 3)
      lines.push(`f ${indices[i] + 1} ${indices[i + 1] + 1} ${indices[i + 2] + 1}`);
    const text = lines.join('\n');
    const names = Array.from({ length: numberOf('files', 64) }, (_, i) => `${i}.obj`);
    for (const name of names) writeFileSync(join(folder, name), text);
    const reading = { progress: () => {}, signal: new AbortController().signal };
    return async () => {
      const url = pathToFileURL(process.argv[1]);
      const read = await readFiles(names, {}, new Files(folder), { ...reading, url });
      return { found: read.reduce((sum, { bodies }) => sum + bodies[0].mesh.triangleCount, 0) };
    };
  },

  async points(threads) {
    const { scene, body, random } = await model(threads);
    const points = Float64Array.from({ length: 3 * numberOf('points', 1_000_000) }, (_, i) => random(i % 3));
    // The tree is built by the first question.
    await scene.closest(body, points.subarray(0, 3));
    return async time => {
      const { triangles } = await scene.closest(body, points);
      time('nearest');
      return { found: triangles.reduce((sum, triangle) => (sum * 31 + triangle) | 0, 0) };
    };
  },

  async rays(threads) {
    const { scene, body, random } = await model(threads);
    // From somewhere around the model to somewhere else there.
    const rays = Float64Array.from({ length: 6 * numberOf('points', 1_000_000) }, (_, i) => random(i % 3));
    for (let i = 0; i < rays.length; i += 6) for (let k = i; k < i + 3; k++) rays[k + 3] -= rays[k];
    await scene.rays(body, rays.subarray(0, 6));
    return async () => ({ found: (await scene.rays(body, rays)).count });
  },

  async boxes(threads) {
    const { scene, body, random, size } = await model(threads);
    const boxes = Float64Array.from({ length: 6 * numberOf('points', 1_000_000) }, (_, i) => random(i % 3));
    for (let i = 0; i < boxes.length; i += 6)
      for (let k = i; k < i + 3; k++) boxes[k + 3] = boxes[k] + 0.01 * size;
    await scene.inBox(body, boxes.subarray(0, 6));
    return async () => ({ found: (await scene.inBox(body, boxes)).triangles!.length });
  },
} satisfies Record<string, (threads: number) => Promise<Question>>;

/** A mesh of 100,000 triangles. */
const knot = () => shapes.torusKnot({ segments: 1000, sides: 50 });

/** A model of 100,000 triangles, its size, and coordinates in and around it. */
async function model(threads: number) {
  const one = knot();
  const { bounds } = one;
  const source = shapes.createRandom(1);
  const random = (axis: number): number => {
    const [low, high] = [bounds[axis], bounds[axis + 3]];
    return (low + high) / 2 + source.between(-0.75, 0.75) * (high - low);
  };
  const nf = await open({ backend: 'cpu', threads });
  const scene = nf.scene();
  return { scene, body: scene.add(one), random, size: bounds[3] - bounds[0] };
}

type Part = keyof typeof questions;
/** Asks the question. It calls `time` at the end of each stage. */
type Question = (time: (stage: string) => void) => Promise<{ readonly found: number }>;

/** What `nearfield check` asks about the assembly if it prints a table. */
function questionAbout(parts: number): CheckQuestion {
  const bodies = assemblyParts(parts).map((part, i) => ({
    ...{ ...part, name: `part ${i}`, file: 'assembly.glb', rounding: 2 ** -24 },
  }));
  return {
    ...{ bodies, method: 'auto', samples: false, keepTriangles: 'none', points: false, depths: 'auto' },
    ...{ rows: 20, readTime: 0, openTime: 0, version: '', progress: () => {} },
  };
}

async function checked(nf: Nearfield, question: CheckQuestion, time: (stage: string) => void) {
  let shown = '';
  const progress = (stage: string) => {
    if (stage !== shown && shown !== '') time(shown);
    shown = stage;
  };
  const { answer } = await checkAssembly(nf, { ...question, progress });
  time(shown);
  return { found: answer.frames.reduce((sum, { pairs }) => sum + pairs.length, 0) };
}

/** Asks one question with so many threads, again and again. */
async function measure(part: Part, threads: number): Promise<Row> {
  const ask = await questions[part](threads);
  const turns: Turn[] = [];
  for (let turn = 0; turn < numberOf('turns', 4); turn++) turns.push(await measureTurn(ask));
  const [first, ...others] = turns;
  const least = others.reduce((best, turn) => (turn.clock < best.clock ? turn : best), others[0] ?? first);
  return { part, threads, first, least, isSame: turns.every(({ found }) => found === first.found) };
}

/** Asks once. What comes after the last stage is not timed, unless there are no stages. */
async function measureTurn(ask: Question): Promise<Turn> {
  const stages: Record<string, Stage> = {};
  const busiest = new BusiestThread();
  const before = process.cpuUsage();
  const start = performance.now();
  let last = start;
  let lastProcessor = processorOf(process.pid);
  const { found } = await ask(name => {
    const now = performance.now();
    const processor = processorOf(process.pid);
    const stage = (stages[name] ??= { clock: 0, processor: 0 });
    stage.clock += (now - last) / 1000;
    stage.processor += processor - lastProcessor;
    last = now;
    lastProcessor = processor;
  });
  const clock = ((last > start ? last : performance.now()) - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { clock, processor: (user + system) / 1e6, busiest: busiest.end(), stages, found };
}

/** The processor time of the thread that needs most, on Linux. Threads that end are seen until shortly before. */
class BusiestThread {
  readonly #before = this.#read();
  #most = 0;
  readonly #timer = setInterval(() => this.#look(), 250);

  #look(): void {
    for (const [thread, seconds] of this.#read())
      this.#most = Math.max(this.#most, seconds - (this.#before.get(thread) ?? 0));
  }

  /** Seconds by thread. */
  #read(): Map<string, number> {
    const found = new Map<string, number>();
    try {
      for (const thread of readdirSync('/proc/self/task')) found.set(thread, processorOf(thread));
    } catch {
      // The system is not Linux.
    }
    return found;
  }

  end(): number | undefined {
    clearInterval(this.#timer);
    this.#look();
    return this.#before.size === 0 ? undefined : this.#most;
  }
}

/** The processor time of a thread of this process, in seconds. 0 if the system is not Linux, or the thread has just ended. */
function processorOf(thread: string | number): number {
  try {
    return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1e9;
  } catch {
    return 0;
  }
}

function usualThreads(): number[] {
  const most = availableParallelism();
  return [...new Set([...[1, 2, 4, 8, 16].filter(count => count <= most), most])];
}

/** Asks everything, each question in a process of its own. The library looks for its jobs beside this program. */
async function measureAll(): Promise<void> {
  const counts = values.threads === undefined ? usualThreads() : `${values.threads}`.split(',').map(whole);
  const parts = (Object.keys(questions) as Part[]).filter(
    part => scenes.length === 0 || scenes.includes(part),
  );
  const folder = mkdtempSync(join(tmpdir(), 'nearfield-threads-'));
  try {
    const program = join(folder, 'threads.mjs');
    writeFileSync(program, readFileSync(process.argv[1]));
    writeFileSync(join(folder, 'jobs.js'), jobs);
    writeFileSync(join(folder, 'frames-thread.mjs'), framesThread);
    const rows: Row[] = [];
    for (const part of parts) {
      for (const threads of counts) rows.push(await inProcess(program, part, threads));
      if (!values.json) process.stdout.write(table(rows, part));
    }
    if (values.json) {
      const machine = `${availableParallelism()} of ${cpus()[0]?.model}`;
      process.stdout.write(`${JSON.stringify({ machine, rows }, null, 2)}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks in a process of its own. */
function inProcess(program: string, part: Part, threads: number): Promise<Row> {
  return new Promise((resolve, reject) => {
    const child = fork(program, [...process.argv.slice(2), '--measure', `${part} ${threads}`], {
      execArgv: ['--max-old-space-size=8192'],
    });
    child.once('message', message => resolve(message as Row));
    child.once('exit', code => reject(new Error(`${part} with ${threads} threads ended with ${code}`)));
  });
}

/** The rows of a question. Ratios are to its first row. */
function table(rows: readonly Row[], part: Part): string {
  const own = rows.filter(row => row.part === part);
  const lines = own.map(row => {
    const { processor, busiest, stages } = row.least;
    return [
      `${row.part} ${row.threads}`.padEnd(14),
      `first ${clockOf(rows, row, 'first')}`.padEnd(33),
      `then ${clockOf(rows, row, 'least')}`.padEnd(32),
      `processor ${processor.toFixed(2)} s`.padEnd(18),
      `busiest ${busiest?.toFixed(2) ?? '?'} s`.padEnd(15),
      ...Object.entries(stages).map(
        ([name, { clock, processor }]) => `${name} ${clock.toFixed(3)} (${processor.toFixed(3)})`,
      ),
    ].join(' ');
  });
  const isSame = own.every(row => row.isSame && row.first.found === own[0].first.found);
  return `${lines.join('\n')}\n${isSame ? '' : 'different answers\n'}\n`;
}

/** A row's time, its gain over one thread, and that gain as a share of the arithmetic loop's. */
function clockOf(rows: readonly Row[], row: Row, turn: 'first' | 'least'): string {
  const gain = (of: Row) => rows.find(({ part }) => part === of.part)![turn].clock / of[turn].clock;
  const loop = rows.find(({ part, threads }) => part === 'arithmetic' && threads === row.threads);
  const share = loop && loop.part !== row.part ? ` (${Math.round((100 * gain(row)) / gain(loop))} %)` : '';
  return `${row[turn].clock.toFixed(3)} s, × ${gain(row).toFixed(2)}${share}`;
}

// The threads of the command line that read files run this file, too.
if (!isMainThread) await import('../../../packages/cli/src/input/reading/read-thread.ts');
else if (values.measure === undefined) await measureAll();
else {
  const [part, threads] = `${values.measure}`.split(' ');
  process.send!(await measure(part as Part, Number(threads)), () => process.exit());
}
