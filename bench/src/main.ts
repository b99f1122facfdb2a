// The entry point of the benchmarks: `nearfield bench [SCENE…] [--peers] [--json]` calls runBench.

import { beside, compared, comparedTable, engineProcessIn, NoBuildThere } from './against.ts';
import type { Case, SceneFile } from './case.ts';
import { isSoftware, measureCulling } from './culling/culling.ts';
import { type Machine, thisMachine } from './machine.ts';
import { createLine, describeCase, describeParticles, describePlan, type Output } from './messages.ts';
import { measureParticles, type ParticleRow } from './particles/measure.ts';
import { particles as particleScene } from './particles/scene.ts';
import type { Engine } from './peers/engine.ts';
import { createImages, imageScenes } from './peers/images.ts';
import { loadPeers } from './peers/index.ts';
import { createNearfield } from './peers/nearfield.ts';
import { exactAnswers } from './run/round.ts';
import { type CaseResult, runCase } from './run/runner.ts';
import { type Growth, measureSeries, seriesEffort } from './run/series.ts';
import { scenes } from './scenes/index.ts';
import { rotating } from './scenes/papers/rotating.ts';
import { growing } from './scenes/papers/series.ts';
import { visibility } from './scenes/papers/visibility.ts';
import { markdown, type Results } from './tables/markdown.ts';
import { shortTable } from './tables/short.ts';

export { type PapersOptions, runPapers } from './papers/run.ts';
export type { Machine, Results };
export { markdown, scenes };

export interface BenchOptions {
  /** Names of scenes; if empty, all. */
  readonly scenes?: readonly string[];
  /** 'gpu' adds rows of the GPU backend. */
  readonly backend?: 'cpu' | 'gpu' | undefined;
  readonly peers?: boolean;
  /** The engine process of another build: each engine here runs beside the same one there (against.ts). */
  readonly against?: URL | undefined;
  /** Milliseconds per engine and case. */
  readonly time?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once, before anything is measured. */
  readonly plan?: (plan: Plan) => void;
  /** Called during cases, with the share of all cases that is done, 0 to 1. */
  readonly progress?: (share: number, job: Case) => void;
  /** Called after each case. */
  readonly report?: (result: CaseResult) => void;
  /** Called after each row of particles. */
  readonly reportParticles?: (row: ParticleRow) => void;
}

/** The plan of the measurement. */
export interface Plan {
  readonly scenes: readonly string[];
  readonly caseCount: number;
  readonly engines: readonly string[];
  /** An estimate, from the machine on which the scenes' times were taken. */
  readonly minutes: number;
}

export async function measure(options: BenchOptions = {}): Promise<Results> {
  const { scenes: names = [], backend = 'cpu', peers = false, time = 2000, signal, against } = options;
  const unknown = names.find(name => !scenes.some(scene => scene.name === name));
  if (unknown !== undefined) throw new UnknownScene(unknown);
  const chosen = scenes.filter(({ name }) => names.length === 0 || names.includes(name));
  const cpu = await createNearfield('cpu');
  const own = [cpu, await createNearfield('cpu async')];
  const levels = chosen.includes(rotating);
  if (levels) own.push(await createNearfield('cpu breadth-first'), await createNearfield('cpu 18-dops'));
  const gpu = backend === 'gpu' ? await createNearfield('gpu') : undefined;
  if (gpu) own.push(gpu);
  if (gpu && levels) own.push(await createNearfield('gpu breadth-first'));
  if (gpu && !isSoftware(gpu.setting('scene')) && chosen.includes(visibility))
    own.push(await createNearfield('gpu visibility'));
  if (gpu) {
    for (const [kind, names] of imageScenes) {
      if (chosen.some(({ name }) => names.includes(name))) own.push(await createImages(kind));
    }
  }
  const engines = against ? beside(own, against) : [...own, ...(peers ? await loadPeers() : [])];
  const partakers = (scene: SceneFile, all: readonly Engine[]) =>
    all.filter(({ only }) => only === undefined || only.includes(scene.name));
  const caseCount = chosen.reduce((sum, scene) => sum + scene.caseCount, 0);
  options.plan?.({
    scenes: chosen.map(({ name }) => name),
    caseCount,
    engines: against ? own.map(({ name }) => `${name} here and there`) : engines.map(({ name }) => name),
    minutes: chosen.reduce(
      (sum, scene) => sum + minutesOf(scene, partakers(scene, own).length * (against ? 3 : 1), peers, time),
      0,
    ),
  });
  try {
    const cases: CaseResult[] = [];
    const growth: Growth[] = [];
    for (const scene of chosen) {
      for await (const job of scene.cases()) {
        const progress = (share: number) => options.progress?.((cases.length + share) / caseCount, job);
        const result = await runCase(job, partakers(scene, engines), cpu, {
          ...{ time, signal, progress },
          // More and shorter turns: a disturbance then hits both builds.
          rounds: against ? 7 : undefined,
        });
        const looks = gpu !== undefined && scene === visibility && !against;
        const culling = looks
          ? await measureCulling(job, (await exactAnswers(job, cpu))!, signal)
          : undefined;
        cases.push(culling === undefined ? result : { ...result, culling });
        options.report?.(result);
      }
      if (gpu && !against) growth.push(...(await measureGrowth(scene, partakers(scene, own), time, signal)));
    }
    const particles: ParticleRow[] = [];
    if (chosen.includes(particleScene) && !against) {
      for (const kind of gpu ? (['cpu', 'gpu'] as const) : (['cpu'] as const)) {
        const effort = { backend: kind, time: time / 4, frames: 60, patience: 4 * time, signal };
        particles.push(
          ...(await measureParticles({ ...effort, report: row => options.reportParticles?.(row) })),
        );
      }
    }
    return {
      machine: thisMachine(gpu?.setting('pairs')),
      date: new Date().toISOString().slice(0, 10),
      cases,
      ...(growth.length > 0 && { growth }),
      ...(particles.length > 0 && { particles }),
    };
  } finally {
    for (const engine of new Set(engines)) if (engine.process === undefined) engine.close?.();
  }
}

/** For the image methods: how they grow with the size of the scene. */
async function measureGrowth(
  { name }: SceneFile,
  own: readonly Engine[],
  time: number,
  signal: AbortSignal | undefined,
): Promise<Growth[]> {
  const engines = own.filter(({ only }) => only?.includes(name));
  const software = engines.some(engine => isSoftware(engine.setting('any')));
  const found: Growth[] = [];
  for (const jobs of growing.get(name)?.(software) ?? []) {
    for (const engine of engines) {
      const growth = await measureSeries(jobs, engine, seriesEffort(2 * time, software));
      if (growth !== undefined) found.push(growth);
      signal?.throwIfAborted();
    }
  }
  return found;
}

/** Each of Nearfield's engines takes the scene's time, and the peers together some more. */
function minutesOf({ seconds }: SceneFile, ownCount: number, peers: boolean, time: number): number {
  return ((ownCount * seconds.each + (peers ? seconds.peers : 0)) * (time / 2000)) / 60;
}

export class UnknownScene extends Error {
  constructor(name: string) {
    super(`there is no scene '${name}'; choose from ${scenes.map(scene => scene.name).join(', ')}`);
  }
}

export interface RunOptions {
  readonly peers: boolean;
  readonly json: boolean;
  readonly backend?: 'cpu' | 'gpu' | undefined;
  /** The folder of another clone that has been built. */
  readonly against?: string | undefined;
}

/** The body of the command. Returns 0 when done, 2 for a scene or a build that does not exist. */
export async function runBench(
  names: readonly string[],
  { peers, json, backend, against }: RunOptions,
  output: Output,
): Promise<number> {
  try {
    const line = createLine(output);
    const results = await measure({
      ...{ scenes: names, peers, backend, signal: output.signal },
      against: against === undefined ? undefined : engineProcessIn(against),
      plan: plan => output.err(describePlan(plan)),
      progress: line.draw,
      report: result => line.print(describeCase(result)),
      reportParticles: row => line.print(describeParticles(row)),
    });
    if (against !== undefined) {
      const rows = compared(results.cases);
      await output.out(json ? `${JSON.stringify(rows, null, 2)}\n` : comparedTable(rows));
      return 0;
    }
    await output.out(
      json
        ? `${JSON.stringify(results, null, 2)}\n`
        : shortTable(results.cases, results.particles, results.growth),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof UnknownScene || error instanceof NoBuildThere)) throw error;
    output.err(`nearfield bench: ${error.message}\n`);
    return 2;
  }
}
