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
}

export async function papers(
  names: readonly string[],
  options: PapersOptions,
  terminal: Terminal,
  load = loadBench,
): Promise<number> {
  const backend = options.backend === undefined ? 'auto' : parseBackend(options.backend);
  const time = options.time === undefined ? undefined : Number(options.time);
  if (time !== undefined && !(time > 0)) {
    throw new NearfieldError('bad-option', `--time must be a number of milliseconds, not '${options.time}'`);
  }
  const { runPapers } = await load();
  const chosen = backend === 'auto' ? undefined : backend;
  return runPapers(names, { backend: chosen, out: options.out, time, machine: options.machine }, terminal);
}
