// The name of a machine, under which results are filed.

import { availableParallelism, cpus, totalmem } from 'node:os';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  /** The adapter, if GPU rows were measured. */
  readonly gpu?: string;
  /** MHz at which the GPU's clock was locked. */
  readonly clock?: number;
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
