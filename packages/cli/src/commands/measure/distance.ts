// `nearfield distance A B`: how far apart two files are, each taken as one body, and where.

import type { Distance } from 'nearfield';
import { distanceJson } from '../../output/json.ts';
import { distanceTable } from '../../output/table.ts';
import type { Terminal } from '../../output/terminal.ts';
import { type TwoFilesOptions, twoFiles } from './two-files.ts';

/** Returns 1 if they meet in any frame of a motion, else 0. */
export async function distance(
  names: readonly [string, string],
  options: TwoFilesOptions,
  terminal: Terminal,
): Promise<number> {
  return twoFiles<Distance>(names, options, terminal, {
    ask: (scene, a, b, limits) => scene.distance(a, b, limits),
    json: distanceJson,
    table: distanceTable,
    isFound: answer => answer.distance === 0,
  });
}
