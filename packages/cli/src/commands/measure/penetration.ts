// `nearfield penetration A B`: how deep two solids overlap, and a translation that separates them. Each file is taken
// as one body.

import { NearfieldError, type Penetration } from 'nearfield';
import { penetrationJson, penetrationTable } from '../../output/penetration.ts';
import type { Terminal } from '../../output/terminal.ts';
import { parsePositive } from '../options.ts';
import { type TwoFilesOptions, twoFiles } from './two-files.ts';

export interface PenetrationOptions extends TwoFilesOptions {
  readonly points?: boolean | undefined;
  readonly tolerance?: string | undefined;
}

/** Returns 1 if they overlap in any frame of a motion, else 0. */
export async function penetration(
  names: readonly [string, string],
  options: PenetrationOptions,
  terminal: Terminal,
): Promise<number> {
  const points = pointsOf(options);
  return twoFiles<Penetration>(names, options, terminal, {
    ask: async (scene, a, b, { signal, progress }) => {
      try {
        return await scene.penetration(a, b, { signal, progress, points });
      } catch (error) {
        if (!(error instanceof NearfieldError && error.code === 'not-solid')) throw error;
        // The library's advice names a function; name the command instead.
        const message = error.message.replace('ask for the distance', 'ask "nearfield distance"');
        throw new NearfieldError(error.code, message, { cause: error });
      }
    },
    json: penetrationJson,
    table: penetrationTable,
    isFound: answer => answer.depth.upper > 0,
  });
}

/** The library's `points` option: vertices only, or also samples if a tolerance is given. */
function pointsOf(options: PenetrationOptions): boolean | { readonly tolerance: number } {
  const tolerance = parsePositive(options.tolerance, '--tolerance', 'distance');
  if (tolerance === undefined) return options.points ?? false;
  if (options.points) return { tolerance };
  throw new NearfieldError('bad-option', '--tolerance needs --points');
}
