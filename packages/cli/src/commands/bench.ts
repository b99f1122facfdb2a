// `nearfield bench`: the benches of the repository, which the published package does not carry.

import { NearfieldError } from 'nearfield';
import type { Terminal } from '../terminal.ts';

export interface BenchOptions {
  readonly peers?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** What the private workspace `bench` exports. The number is the exit status. */
export interface BenchModule {
  runBench(
    scenes: readonly string[],
    options: { peers: boolean; json: boolean },
    terminal: Terminal,
  ): Promise<number>;
}

const benchPackage = 'nearfield-bench';

export async function bench(
  scenes: readonly string[],
  options: BenchOptions,
  terminal: Terminal,
): Promise<number> {
  const module = await loadBench();
  return module.runBench(scenes, { peers: options.peers ?? false, json: options.json ?? false }, terminal);
}

async function loadBench(): Promise<BenchModule> {
  try {
    // By a name that no bundler follows: it is there in a clone of the repository, and only there.
    return (await import(/* @vite-ignore */ benchPackage)) as BenchModule;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') {
      throw new NearfieldError(
        'unsupported',
        'the benches are in a clone of the repository, not in this package',
        {
          cause: error,
        },
      );
    }
    throw error;
  }
}
