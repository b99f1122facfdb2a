// `nearfield papers`: runs the evaluations of the papers again; part of the benches of the repository.

import { NearfieldError } from 'nearfield';
import type { Terminal } from '../output/terminal.ts';
import { loadBench } from './bench.ts';
import { parseBackend } from './options.ts';

export interface PapersOptions {
  readonly backend?: string | undefined;
  readonly out?: string | undefined;
  readonly time?: string | undefined;
  readonly machine?: string | undefined;
  readonly seconds?: string | undefined;
}

export async function papers(
  names: readonly string[],
  options: PapersOptions,
  terminal: Terminal,
  load = loadBench,
): Promise<number> {
  const backend = options.backend === undefined ? 'auto' : parseBackend(options.backend);
  const time = numberOf(options.time, '--time', 'milliseconds');
  const seconds = numberOf(options.seconds, '--seconds', 'seconds');
  const { runPapers } = await load();
  const chosen = backend === 'auto' ? undefined : backend;
  const { out, machine } = options;
  return runPapers(names, { backend: chosen, out, time, machine, seconds }, terminal);
}

function numberOf(given: string | undefined, option: string, unit: string): number | undefined {
  if (given === undefined) return undefined;
  if (Number(given) > 0) return Number(given);
  throw new NearfieldError('bad-option', `${option} must be a number of ${unit}, not '${given}'`);
}
