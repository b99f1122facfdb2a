// Peak memory of one engine on one case, measured in a process of its own (memory-process.ts): in a shared one the
// engines would hide behind each other.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Case } from './case.ts';

/** In MiB; undefined where the process did not survive it. */
export function peakMemory({ scene, name, question }: Case, engine: string): Promise<number | undefined> {
  const entry = fileURLToPath(new URL('./memory-process.js', import.meta.url));
  return new Promise(resolve => {
    execFile(process.execPath, ['--expose-gc', entry, scene, name, question, engine], (error, output) => {
      resolve(error ? undefined : Number(output.trim().split('\n').at(-1)));
    });
  });
}
