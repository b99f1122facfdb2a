// `nearfield sample cylinders|tori|heart|rings`: a sample that moves, step by step, as a table.

import {
  createCylinders,
  createHeart,
  createRings,
  createTori,
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

const scenes: Record<string, (nf: Nearfield, response: boolean) => Sample> = {
  cylinders: (nf, response) => createCylinders(nf, { response }),
  tori: (nf, response) => createTori(nf, { response }),
  heart: (nf, response) => createHeart(nf, { response }),
  rings: nf => createRings(nf),
};

export const sceneNames: readonly string[] = Object.keys(scenes);

/** A table of so many lines shows how it goes. */
const lines = 20;

export async function sampleScene(name: string, options: SceneOptions, terminal: Terminal): Promise<number> {
  const create = scenes[name];
  if (!create) {
    throw new NearfieldError(
      'bad-option',
      `there is no sample "${name}"; there are ${sceneNames.join(', ')}`,
    );
  }
  if (name === 'rings' && options.response !== undefined) {
    throw new NearfieldError('bad-option', 'rings always push one another: --response is for the others');
  }
  const steps = parseSteps(options.steps);
  const files = new Files(terminal.cwd);
  if (options.report !== undefined) await files.checkOutput(options.report, '--report');
  const progress = new Progress(terminal);
  const nf = await openLibrary(parseBackend(options.backend));
  try {
    const sample = create(nf, options.response ?? false);
    const triangles = sample.bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);
    progress.clear();
    await terminal.out(
      `${name}: ${sample.bodies.length} bodies, ${triangles.toLocaleString('en-US')} triangles; on ${nf.backend}\n\n`,
    );
    await terminal.out(row(['step', 'time', 'pairs', 'points', 'deepest', 'energy', 'ms a step']));
    const every = Math.max(1, Math.round(steps / lines));
    let since = performance.now();
    progress.stage('stepping');
    for (let i = 1; i <= steps; i++) {
      if (terminal.signal.aborted) throw new NearfieldError('aborted', 'cancelled');
      const step = await sample.step();
      progress.update(i / steps);
      if (i % every !== 0 && i !== steps) continue;
      const took = (performance.now() - since) / (i % every || every);
      since = performance.now();
      progress.clear();
      await terminal.out(row([...cells(step), took.toFixed(1)]));
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

const row = (values: readonly string[]): string =>
  `${values.map((value, i) => value.padStart(i === 0 ? 6 : 11)).join('')}\n`;

/** The report of `check`, of the bodies as they stand after the last step. */
async function writeSceneReport(
  name: string,
  steps: number,
  sample: Sample,
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
