// `nearfield sample`: the built-in gearbox, checked like any other assembly. `npm start` runs it.

import type { Terminal } from '../output/terminal.ts';
import { sampleAssembly } from '../sample/sample.ts';
import { type CheckOptions, checkAssembly } from './check.ts';

export function sampleRun(options: CheckOptions, terminal: Terminal): Promise<number> {
  return checkAssembly(async () => sampleAssembly(), 'Interference in the sample gearbox', options, terminal);
}
