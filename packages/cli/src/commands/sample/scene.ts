// `nearfield sample NAME`: a sample that moves, step by step, as a table.

import { assemblyReport } from '@nearfield/clashes';
import { encodePng } from '@nearfield/io/png';
import {
  type Bite,
  createBreaking,
  createBunnies,
  createCylinders,
  createFoldingCloth,
  createHeart,
  createJaws,
  createLeaves,
  createRings,
  createTori,
  type Found,
  jawStages,
  type Moving,
  type Sample,
  type Step,
} from '@nearfield/samples';
import { type DistanceMap, type Nearfield, NearfieldError } from 'nearfield';
import { openAndAsk } from '../../assembly.ts';
import { openLibrary } from '../../backend.ts';
import { Files } from '../../files.ts';
import { mapFormat } from '../../output/map/file.ts';
import { regionTable } from '../../output/map/words.ts';
import { pngUri } from '../../output/png-uri.ts';
import { Progress } from '../../output/progress.ts';
import { isOutputClosed, say, type Terminal } from '../../output/terminal.ts';
import { parseBackend } from '../options.ts';
import { sampleHail, usualHailSteps } from './hail.ts';
import { row } from './row.ts';

export interface SceneOptions {
  readonly backend: string;
  readonly steps?: string | undefined;
  readonly response?: boolean | undefined;
  readonly report?: string | undefined;
  /** The picture of a map, or the files of hail. */
  readonly out?: string | undefined;
}

/** Scenes of Hoff et al. Their bodies push one another; some scenes do so only with `--response`. */
const pushing: Record<string, (nf: Nearfield, response: boolean) => Sample> = {
  cylinders: (nf, response) => createCylinders(nf, { response }),
  tori: (nf, response) => createTori(nf, { response }),
  heart: (nf, response) => createHeart(nf, { response }),
  rings: nf => createRings(nf),
};

/** Scenes of Govindaraju et al. They move by themselves, and each step counts what meets. */
const moving: Record<string, (nf: Nearfield) => Moving> = {
  breaking: createBreaking,
  leaves: createLeaves,
  'folding-cloth': createFoldingCloth,
  bunnies: createBunnies,
};

/** Scenes that show a map per step and can write it to a file. */
const mapped: Record<string, (nf: Nearfield) => Sample<Bite>> = { jaws: createJaws };

export const sceneNames: readonly string[] = [...[pushing, moving, mapped].flatMap(Object.keys), 'hail'];

/** The samples that show a map, and those that take `--out`. */
export const withMaps: readonly string[] = Object.keys(mapped);
export const withOut: readonly string[] = [...withMaps, 'hail'];

/** The samples that take `--response`. */
export const withResponse: readonly string[] = ['cylinders', 'tori', 'heart'];

/** A sample and the columns of its table, without the times. */
interface Shown {
  readonly sample: Sample<unknown>;
  readonly heads: readonly string[];
  step(): Promise<string[]>;
  /** The number of steps that show all of it. If left out, the sample has no end. */
  readonly steps?: number;
  /** The map of the last step. */
  map?(): DistanceMap;
}

function showing(nf: Nearfield, name: string, response: boolean): Shown {
  if (moving[name]) {
    const sample = moving[name](nf);
    const heads = ['step', 'time', 'bodies', 'candidates', 'pairs', 'triangles', 'with itself'];
    return { sample, heads, step: async () => foundCells(await sample.step()) };
  }
  if (mapped[name]) {
    const sample = mapped[name](nf);
    const heads = ['step', 'stage', 'least', 'contact', 'overlap', 'volume', 'deepest'];
    let bite: Bite;
    return {
      ...{ sample, heads, steps: jawStages.length },
      map: () => bite.map,
      async step() {
        bite = await sample.step();
        return biteCells(bite);
      },
    };
  }
  const sample = pushing[name](nf, response);
  const heads = ['step', 'time', 'pairs', 'points', 'deepest', 'energy'];
  return { sample, heads, step: async () => cells(await sample.step()) };
}

/** The table has about this many lines. */
const lines = 20;

export async function sampleScene(name: string, options: SceneOptions, terminal: Terminal): Promise<number> {
  if (!sceneNames.includes(name)) {
    throw new NearfieldError(
      'bad-option',
      `there is no sample "${name}"; choose one of ${sceneNames.join(', ')}`,
    );
  }
  if (!withResponse.includes(name) && options.response !== undefined) {
    const why = name === 'rings' ? 'rings always push one another' : `${name} moves by itself`;
    throw new NearfieldError('bad-option', `${why}: use --response with ${withResponse.join(', ')}`);
  }
  const { out } = options;
  if (name === 'hail') {
    if (options.report !== undefined) {
      throw new NearfieldError(
        'bad-option',
        '--report is not for hail, which has no bodies: --out writes its sound and its picture',
      );
    }
    return sampleHail(parseSteps(options.steps) ?? usualHailSteps, options, terminal);
  }
  if (out !== undefined && mapFormat(out) !== 'png') {
    throw new NearfieldError(
      'bad-option',
      `--out writes the picture of a map and must end in .png, not "${out}"`,
    );
  }
  const asked = parseSteps(options.steps);
  const files = new Files(terminal.cwd, message => say(terminal, message));
  if (out !== undefined) await files.checkOutput(out, '--out');
  if (options.report !== undefined) await files.checkOutput(options.report, '--report');
  const progress = new Progress(terminal);
  const nf = await openLibrary(parseBackend(options.backend));
  try {
    progress.stage('making the scene');
    const { sample, heads, step, map, ...shown } = showing(nf, name, options.response ?? false);
    const steps = asked ?? shown.steps ?? usualSteps;
    const triangles = sample.bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);
    progress.clear();
    await terminal.out(
      `${name}: ${sample.bodies.length} bodies, ${triangles.toLocaleString('en-US')} triangles; on ${nf.backend}\n\n`,
    );
    await terminal.out(row([...heads, 'ms per step']));
    const every = Math.max(1, Math.round(steps / lines));
    let since = performance.now();
    progress.stage('stepping');
    for (let i = 1; i <= steps; i++) {
      terminal.signal.throwIfAborted();
      if (isOutputClosed(terminal) && out === undefined && options.report === undefined) return 0;
      const values = await step();
      progress.update(i / steps);
      if (i % every !== 0 && i !== steps) continue;
      const took = (performance.now() - since) / (i % every || every);
      since = performance.now();
      progress.clear();
      await terminal.out(row([...values, took.toFixed(1)]));
    }
    if (map !== undefined) await showMap(map(), out, files, progress, terminal);
    if (options.report !== undefined) {
      await writeSceneReport(name, steps, sample, options, options.report, files, progress, terminal);
    }
    return 0;
  } finally {
    progress.clear();
    nf.close();
  }
}

/** Prints the statistics of each region of a map, and writes the map as a picture if requested. */
async function showMap(
  map: DistanceMap,
  out: string | undefined,
  files: Files,
  progress: Progress,
  terminal: Terminal,
): Promise<void> {
  progress.clear();
  for (const text of regionTable(map.regions, ['upper', 'lower'])) await terminal.out(text);
  if (out === undefined) return;
  await files.write(out, '--out', encodePng(map.picture()));
  say(terminal, `the map is in ${out}`);
}

export const usualSteps = 200;

function parseSteps(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
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

const biteCells = ({ step, stage, map: { statistics } }: Bite): string[] => [
  `${step}`,
  stage,
  statistics.least.toFixed(3),
  statistics.contactArea.toFixed(2),
  statistics.penetrationArea.toFixed(2),
  statistics.penetrationVolume.toFixed(3),
  Math.max(0, -statistics.least).toFixed(3),
];

const foundCells = (found: Found): string[] => [
  `${found.step}`,
  found.time.toFixed(3),
  ...[found.bodies, found.candidates, found.pairs, found.triangles, found.selfTriangles].map(value =>
    value.toLocaleString('en-US'),
  ),
];

/** Writes the report of `check` for the bodies after the last step. */
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
  const { answer } = await openAndAsk({
    bodies,
    backend: parseBackend(options.backend),
    method: 'auto',
    keepTriangles: 'worst',
    readTime: 0,
    signal: terminal.signal,
    progress,
  });
  const title = `The sample ${name} after ${steps.toLocaleString('en-US')} steps`;
  const { samples, signal } = terminal;
  progress.stage('drawing');
  const html = await assemblyReport({
    ...{ title, answer, bodies, samples, encode: pngUri, signal, progress: progress.update },
    date: new Date().toISOString(),
  });
  await files.write(report, '--report', html);
  say(terminal, `the report is in ${report}`);
}
