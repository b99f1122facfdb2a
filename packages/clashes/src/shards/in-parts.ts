// A question that does not fit in the memory of one engine: it is divided as among machines, and this one answers the parts, one
// after the other. The answer is the same, since the tiles of shards are (tiles.ts).

import { type Nearfield, NearfieldError } from 'nearfield';
import { type CheckAnswer, type CheckQuestion, checkAssembly } from '../assembly/check.ts';
import { framesOf } from '../assembly/poses.ts';
import type { FoundPairs } from '../assembly/types.ts';
import { findInTile, partOf, tilesOf } from './find.ts';
import { JoinedShards } from './merge.ts';
import type { Tile } from './tiles.ts';

/** More parts than this are refused. */
const mostParts = 4096;

/**
 * As `checkAssembly`, in as many parts as it takes: 2, 4, 8 and so on. Each try has a library of its own, so that nothing is left
 * of the one before. Rejects with 'out-of-memory' if even two bodies that meet do not fit together.
 */
export async function checkInParts(
  open: () => Promise<Nearfield>,
  question: CheckQuestion,
): Promise<CheckAnswer> {
  const withLibrary = async <T>(ask: (nf: Nearfield) => Promise<T>): Promise<T> => {
    const nf = await open();
    try {
      return await ask(nf);
    } finally {
      nf.close();
    }
  };
  const whole = await ifItFits(() => withLibrary(nf => checkAssembly(nf, question)));
  if (whole.fits) return whole.answer;
  // Images are of the whole scene, and what was found before is not found again.
  if (question.samples || question.found !== undefined) throw whole.error;
  let { error } = whole;
  let least = Infinity;
  let inVain = 0;
  for (let count = 2; count <= mostParts && inVain < 2; count *= 2) {
    const tiles = tilesOf(question, count);
    // Where all bodies reach into one place, no cut makes the largest part smaller.
    const largest = tiles.reduce((most, { work }) => Math.max(most, work), 0);
    inVain = largest < least ? 0 : inVain + 1;
    least = Math.min(least, largest);
    const parts = await ifItFits(() => withLibrary(nf => findParts(nf, question, tiles)));
    if (!parts.fits) {
      error = parts.error;
      continue;
    }
    const joined = { ...question, found: parts.answer };
    const merged = await ifItFits(() => withLibrary(nf => checkAssembly(nf, joined)));
    if (!merged.fits) {
      const which = `the depths of the rows that are shown do not fit together, though the pairs were found in ${count} parts`;
      const help = 'measure all depths, which is done in the parts (--depths all), or none (--depths none)';
      throw refused(`${merged.error.message}: ${which}; ${help}`, merged.error);
    }
    const { answer, notes } = merged.answer;
    const what = 'the model does not fit in the memory of one engine at once';
    return {
      answer,
      notes: [
        `${what}: it was checked in ${count} parts, one after the other (--shard spreads parts over machines)`,
        ...notes,
      ],
    };
  }
  const why = 'nor does it fit in parts (--shard), since bodies that may meet do not fit together';
  throw refused(
    `${error.message}; ${why}: allow more memory (--max-memory, at most 4GiB), or check simpler meshes`,
    error,
  );
}

const refused = (message: string, cause: NearfieldError): NearfieldError =>
  new NearfieldError('out-of-memory', message, { cause });

/** What all parts find. */
async function findParts(
  nf: Nearfield,
  question: CheckQuestion,
  tiles: readonly Tile[],
): Promise<FoundPairs> {
  const joined = new JoinedShards(question.bodies.length, framesOf(question.motion).length);
  let shown = 0;
  for (const [i, tile] of tiles.entries()) {
    const part: CheckQuestion = {
      ...partOf(question, tile),
      // Every stage of a part begins at 0 again.
      progress: (_, done) => {
        shown = Math.max(shown, (i + done) / tiles.length);
        question.progress('checking', shown);
      },
    };
    joined.add(`part ${i + 1}`, await findInTile(nf, part, tile), i === 0);
  }
  return joined.all();
}

type Fitting<T> =
  | { readonly fits: true; readonly answer: T }
  | { readonly fits: false; readonly error: NearfieldError };

async function ifItFits<T>(ask: () => Promise<T>): Promise<Fitting<T>> {
  try {
    return { fits: true, answer: await ask() };
  } catch (error) {
    if (!(error instanceof NearfieldError) || error.code !== 'out-of-memory') throw error;
    return { fits: false, error };
  }
}
