// The name of a machine, under which results are filed.

import { availableParallelism, cpus, totalmem } from 'node:os';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  /** The adapter, if GPU rows were measured. */
  readonly gpu?: string;
  /** MHz of the GPU's clock: the least and the highest of some samples while it was measured. */
  readonly clock?: ClockRange | undefined;
}

export interface ClockRange {
  readonly least: number;
  readonly highest: number;
  readonly samples: number;
}

/** The range of the samples in a text, a whole number per line; undefined if there is none. The last line may be half written. */
export function clockRangeOf(text: string): ClockRange | undefined {
  const samples = [...text.matchAll(/^ *(\d+)\n/gm)].map(([, sample]) => Number(sample));
  if (samples.length === 0) return undefined;
  return { least: Math.min(...samples), highest: Math.max(...samples), samples: samples.length };
}

export function thisMachine(gpu?: string): Machine {
  const machine = {
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  return gpu === undefined ? machine : { ...machine, gpu };
}

/** The machine's name in file names: the GPU's if there is one, otherwise the processor's. */
export function machineSlug({ processor, cores, gpu }: Machine): string {
  return (gpu ?? `${processor} ${cores} cores`)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
