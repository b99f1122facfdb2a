// `nearfield sample NAME`: a sample that moves, step by step, as a table.

import {
  createBreaking,
  createBunnies,
  createCylinders,
  createFoldingCloth,
  createHeart,
  createLeaves,
  createRings,
  createTori,
  type Found,
  type Moving,
  type Sample,
  type Step,
} from '@nearfield/samples';
import { type Nearfield, NearfieldError } from 'nearfield';
import { askAssembly } from '../assembly.ts';
import { openLibrary } from '../backend.ts';
import { Files } from '../input/files.ts';
import { Progress } from '../output/progress.ts';
import { assemblyReport } from '../output/report-input.ts';
import { say, type Terminal } from '../output/terminal.ts';
import { parseBackend } from './options.ts';

export interface SceneOptions {
  readonly backend: string;
  readonly steps?: string | undefined;
  readonly response?: boolean | undefined;
  readonly report?: string | undefined;
}

/** Those of Hoff et al., whose bodies push one another; some only with a response. */
const pushing: Record<string, (nf: Nearfield, response: boolean) => Sample> = {
  cylinders: (nf, response) => createCylinders(nf, { response }),
  tori: (nf, response) => createTori(nf, { response }),
  heart: (nf, response) => createHeart(nf, { response }),
  rings: nf => createRings(nf),
};

/** Those of Govindaraju et al., which move by themselves and are asked what meets. */
const moving: Record<string, (nf: Nearfield) => Moving> = {
  breaking: createBreaking,
  leaves: createLeaves,
  'folding-cloth': createFoldingCloth,
  bunnies: createBunnies,
};

export const sceneNames: readonly string[] = [...Object.keys(pushing), ...Object.keys(moving)];

/** The samples that take `--response`. */
export const withResponse: readonly string[] = ['cylinders', 'tori', 'heart'];

/** A sample with the columns of its table, but for the times. */
interface Shown {
  readonly sample: Sample<unknown>;
  readonly heads: readonly string[];
  step(): Promise<string[]>;
}

function showing(nf: Nearfield, name: string, response: boolean): Shown {
  if (moving[name]) {
    const sample = moving[name](nf);
    const heads = ['step', 'time', 'bodies', 'candidates', 'pairs', 'triangles', 'with itself'];
    return { sample, heads, step: async () => foundCells(await sample.step()) };
  }
  const sample = pushing[name](nf, response);
  const heads = ['step', 'time', 'pairs', 'points', 'deepest', 'energy'];
  return { sample, heads, step: async () => cells(await sample.step()) };
}

/** A table of so many lines shows how it goes. */
const lines = 20;

export async function sampleScene(name: string, options: SceneOptions, terminal: Terminal): Promise<number> {
  if (!sceneNames.includes(name)) {
    throw new NearfieldError(
      'bad-option',
      `there is no sample "${name}"; there are ${sceneNames.join(', ')}`,
    );
  }
  if (!withResponse.includes(name) && options.response !== undefined) {
    const why = name === 'rings' ? 'rings always push one another' : `${name} moves by itself`;
    throw new NearfieldError('bad-option', `${why}: --response is for ${withResponse.join(', ')}`);
  }
  const steps = parseSteps(options.steps);
  const files = new Files(terminal.cwd);
  if (options.report !== undefined) await files.checkOutput(options.report, '--report');
  const progress = new Progress(terminal);
  const nf = await openLibrary(parseBackend(options.backend));
  try {
    progress.stage('making the scene');
    const { sample, heads, step } = showing(nf, name, options.response ?? false);
    const triangles = sample.bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);
    progress.clear();
    await terminal.out(
      `${name}: ${sample.bodies.length} bodies, ${triangles.toLocaleString('en-US')} triangles; on ${nf.backend}\n\n`,
    );
    await terminal.out(row([...heads, 'ms a step']));
    const every = Math.max(1, Math.round(steps / lines));
    let since = performance.now();
    progress.stage('stepping');
    for (let i = 1; i <= steps; i++) {
      if (terminal.signal.aborted) throw new NearfieldError('aborted', 'cancelled');
      const values = await step();
      progress.update(i / steps);
      if (i % every !== 0 && i !== steps) continue;
      const took = (performance.now() - since) / (i % every || every);
      since = performance.now();
      progress.clear();
      await terminal.out(row([...values, took.toFixed(1)]));
    }
    if (options.report !== undefined) {
      await writeSceneReport(name, steps, sample, options, options.report, files, progress, terminal);
    }
    return 0;
  } finally {
    progress.clear();
    nf.close();
  }
}

function parseSteps(value = '200'): number {
  const steps = Number(value);
  if (Number.isInteger(steps) && steps > 0 && steps <= 1e6) return steps;
  throw new NearfieldError('bad-option', `--steps takes a whole number from 1 to 1,000,000, not "${value}"`);
}

const cells = ({ step, time, pairs, points, deepest, energy }: Step): string[] => [
  `${step}`,
  time.toFixed(3),
  `${pairs}`,
  points.toLocaleString('en-US'),
  deepest.toFixed(4),
  energy.toFixed(3),
];

const foundCells = (found: Found): string[] => [
  `${found.step}`,
  found.time.toFixed(3),
  ...[found.bodies, found.candidates, found.pairs, found.triangles, found.selfTriangles].map(value =>
    value.toLocaleString('en-US'),
  ),
];

const row = (values: readonly string[]): string =>
  `${values.map((value, i) => value.padStart(i === 0 ? 6 : 11)).join('')}\n`;

/** The report of `check`, of the bodies as they stand after the last step. */
async function writeSceneReport(
  name: string,
  steps: number,
  sample: Sample<unknown>,
  options: SceneOptions,
  report: string,
  files: Files,
  progress: Progress,
  terminal: Terminal,
): Promise<void> {
  const bodies = sample.parts();
  const answer = await askAssembly({
    bodies,
    backend: parseBackend(options.backend),
    method: 'auto',
    keepTriangles: 'worst',
    readTime: 0,
    signal: terminal.signal,
    progress,
  });
  const title = `The sample ${name} after ${steps.toLocaleString('en-US')} steps`;
  await files.write(report, '--report', assemblyReport(title, answer, bodies, undefined));
  say(terminal, `the report is in ${report}`);
}
