// `nearfield sample`: the built-in gearbox, checked like any other assembly. `npm start` runs it.

import { sampleAssembly } from '../sample.ts';
import type { Terminal } from '../terminal.ts';
import { type CheckOptions, checkAssembly } from './check.ts';

export function sampleRun(options: CheckOptions, terminal: Terminal): Promise<number> {
  return checkAssembly(async () => sampleAssembly(), 'Interference in the sample gearbox', options, terminal);
}
