// `nearfield bench`: the benches of the repository, which the published package does not carry.

import { NearfieldError } from 'nearfield';
import type { Terminal } from '../output/terminal.ts';
import { parseBackend } from './options.ts';

export interface BenchOptions {
  readonly backend?: string | undefined;
  readonly peers?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly against?: string | undefined;
}

/** What the private workspace `bench` exports. The number is the exit status. */
export interface BenchModule {
  runBench(
    scenes: readonly string[],
    options: {
      peers: boolean;
      json: boolean;
      backend?: 'cpu' | 'gpu' | undefined;
      against?: string | undefined;
    },
    terminal: Terminal,
  ): Promise<number>;
  runPapers(
    papers: readonly string[],
    options: {
      backend?: 'cpu' | 'gpu' | undefined;
      out?: string | undefined;
      time?: number | undefined;
      machine?: string | undefined;
      seconds?: number | undefined;
    },
    terminal: Terminal,
  ): Promise<number>;
}

export async function bench(
  scenes: readonly string[],
  options: BenchOptions,
  terminal: Terminal,
  load = loadBench,
): Promise<number> {
  const backend = options.backend === undefined ? 'auto' : parseBackend(options.backend);
  const { runBench } = await load();
  const { peers = false, json = false, against } = options;
  if (peers && against !== undefined) {
    throw new NearfieldError('bad-option', 'bench takes --peers or --against, not both');
  }
  return runBench(
    scenes,
    { peers, json, backend: backend === 'auto' ? undefined : backend, against },
    terminal,
  );
}

/**
 * Imports the benches by a name that no bundler follows. They exist only in a clone of the repository that has been
 * built.
 */
export async function loadBench(name = 'nearfield-bench'): Promise<BenchModule> {
  try {
    return (await import(/* @vite-ignore */ name)) as BenchModule;
  } catch (error) {
    // Only if the benches themselves are missing, not one of their dependencies.
    const { code, message } = error as NodeJS.ErrnoException;
    const missing = message.includes(name) || /bench[\\/]dist[\\/]main\.js/.test(message);
    if (missing && (code === undefined || code.startsWith('ERR_'))) {
      const where = 'clone the repository and run npm run build';
      throw new NearfieldError('unsupported', `the benches are not installed: ${where}`, { cause: error });
    }
    throw error;
  }
}
