// `nearfield penetration A B`: how deep two solids overlap, each file taken as one body, and how to move the second one out.

import type { Penetration } from 'nearfield';
import { penetrationJson } from '../output/json.ts';
import { penetrationTable } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { type TwoFilesOptions, twoFiles } from './two-files.ts';

/** 1 where they overlap, in any frame of a motion; else 0. */
export async function penetration(
  names: readonly [string, string],
  options: TwoFilesOptions,
  terminal: Terminal,
): Promise<number> {
  return twoFiles<Penetration>(names, options, terminal, {
    ask: (scene, a, b, limits) => scene.penetration(a, b, limits),
    json: penetrationJson,
    table: penetrationTable,
    isFound: answer => answer.depth.upper > 0,
  });
}
