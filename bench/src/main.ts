// The benchmarks' entry: `nearfield bench [SCENE…] [--peers] [--json]` calls runBench.

import type { Case } from './case.ts';
import { type Machine, thisMachine } from './machine.ts';
import { peakMemory } from './memory.ts';
import { loadPeers } from './peers/index.ts';
import { createNearfield } from './peers/nearfield.ts';
import { type CaseResult, runCase } from './runner.ts';
import { scenes } from './scenes/index.ts';
import { markdown, type Results } from './table.ts';

export type { Machine, Results };
export { markdown, scenes };

/** Where results and progress go; the command line's terminal is one. */
export interface Output {
  out(text: string): Promise<void> | void;
  err(text: string): void;
}

export interface BenchOptions {
  /** Names of scenes; all without any. */
  readonly scenes?: readonly string[];
  /** 'gpu' adds rows of the GPU backend. */
  readonly backend?: 'cpu' | 'gpu';
  readonly peers?: boolean;
  /** Measure each engine's peak memory in a process of its own. */
  readonly memory?: boolean;
  /** Milliseconds for each engine and case. */
  readonly time?: number;
  /** Called after each case. */
  readonly report?: (result: CaseResult) => void;
}

export async function measure(options: BenchOptions = {}): Promise<Results> {
  const { scenes: names = [], backend = 'cpu', peers = false, memory = false, time = 2000 } = options;
  const unknown = names.find(name => !scenes.some(scene => scene.name === name));
  if (unknown !== undefined) throw new UnknownScene(unknown);
  const cpu = await createNearfield('cpu');
  const async = await createNearfield('cpu async');
  const gpu = backend === 'gpu' ? await createNearfield('gpu') : undefined;
  const engines = [cpu, async, ...(gpu ? [gpu] : []), ...(peers ? await loadPeers() : [])];
  const cases: CaseResult[] = [];
  for (const scene of scenes) {
    if (names.length > 0 && !names.includes(scene.name)) continue;
    for await (const job of scene.cases()) {
      let result = await runCase(job, engines, cpu, { time });
      if (memory) result = await withMemory(job, result);
      cases.push(result);
      options.report?.(result);
    }
  }
  const machine = thisMachine(gpu?.setting('pairs'));
  for (const engine of engines) engine.close?.();
  return { machine, date: new Date().toISOString().slice(0, 10), cases };
}

async function withMemory(job: Case, result: CaseResult): Promise<CaseResult> {
  const rows = [];
  for (const row of result.rows) {
    const peakMiB = row.cannot === undefined ? await peakMemory(job, row.engine) : undefined;
    rows.push(peakMiB === undefined ? row : { ...row, peakMiB });
  }
  return { ...result, rows };
}

export class UnknownScene extends Error {
  constructor(name: string) {
    super(`there is no scene '${name}'; there are ${scenes.map(scene => scene.name).join(', ')}`);
  }
}

/** The command's body: 0 when done, 2 for a scene that is not there. */
export async function runBench(
  names: readonly string[],
  { peers, json, backend }: { peers: boolean; json: boolean; backend?: 'cpu' | 'gpu' | undefined },
  output: Output,
): Promise<number> {
  try {
    const results = await measure({
      scenes: names,
      peers,
      memory: true,
      ...(backend && { backend }),
      report: ({ scene, name, question }) => output.err(`${scene}: ${name}, ${question}\n`),
    });
    await output.out(json ? `${JSON.stringify(results, null, 2)}\n` : [...markdown(results)].join(''));
    return 0;
  } catch (error) {
    if (!(error instanceof UnknownScene)) throw error;
    output.err(`nearfield bench: ${error.message}\n`);
    return 2;
  }
}
