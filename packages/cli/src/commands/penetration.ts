// `nearfield penetration A B`: how deep two solids overlap, each file taken as one body, and how to move the second one out.

import { NearfieldError, type Penetration } from 'nearfield';
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
    ask: async (scene, a, b, limits) => {
      try {
        return await scene.penetration(a, b, limits);
      } catch (error) {
        if (!(error instanceof NearfieldError && error.code === 'not-solid')) throw error;
        // What the library advises is a question there and a command here.
        const message = error.message.replace('ask for the distance', 'ask "nearfield distance"');
        throw new NearfieldError(error.code, message, { cause: error });
      }
    },
    json: penetrationJson,
    table: penetrationTable,
    isFound: answer => answer.depth.upper > 0,
  });
}
