// A question that does not fit in the memory of one engine: it is divided as among machines, and this one answers the parts, one
// after the other. The answer is the same, since the tiles of shards are (tiles.ts).

import { type Nearfield, NearfieldError } from 'nearfield';
import { type CheckAnswer, type CheckQuestion, checkAssembly } from '../assembly/check.ts';
import { framesOf } from '../assembly/poses.ts';
import type { FoundPairs } from '../assembly/types.ts';
import { findInTile, partOf } from './find.ts';
import { JoinedShards } from './merge.ts';
import type { Tile } from './tiles.ts';
import {
  type Division,
  divisions,
  doesNotFit,
  mostMemory,
  tooLargeInWords,
  treeRoomFor,
} from './tree-room.ts';

/**
 * As `checkAssembly`, in as many parts as it takes: 2, 4, 8 and so on. Each try has a library of its own, so that
 * nothing is left of the one before. `maxMemory` is the limit of each. Rejects with 'out-of-memory' if even two
 * bodies that meet do not fit together: before the first part is asked about, if their trees alone are too large.
 */
export async function checkInParts(
  open: () => Promise<Nearfield>,
  question: CheckQuestion,
  maxMemory = mostMemory,
): Promise<CheckAnswer> {
  let onCpu = true;
  const withLibrary = async <T>(ask: (nf: Nearfield) => Promise<T>): Promise<T> => {
    const nf = await open();
    onCpu = nf.backend === 'cpu';
    try {
      return await ask(nf);
    } finally {
      nf.close();
    }
  };
  const whole = await ifItFits(() =>
    withLibrary(nf => {
      // Trees are built after the facts of all meshes are found, which may take minutes.
      const room = onCpu && !question.samples && !question.found && treeRoomFor(question.bodies);
      if (room && room.bytes > maxMemory) throw doesNotFit(room, maxMemory);
      return checkAssembly(nf, { ...question, another: open });
    }),
  );
  if (whole.fits) return whole.answer;
  // Methods that sample make images of the whole scene, so they cannot be divided.
  if (question.samples) throw whole.error;
  // The pairs were found before, so dividing the search would not help.
  if (question.found !== undefined) throw depthsDoNotFit(question, whole.error);
  let { error } = whole;
  let smallest: Division | undefined;
  for (const division of divisions(question)) {
    const { count, tiles, bytes } = division;
    if (smallest === undefined || bytes < smallest.bytes) smallest = division;
    // What cannot fit is not tried: hours may pass until the largest part comes.
    if (onCpu && bytes > maxMemory) continue;
    const parts = await ifItFits(() => withLibrary(nf => findParts(nf, question, tiles)));
    if (!parts.fits) {
      error = parts.error;
      continue;
    }
    const joined = { ...question, found: parts.answer, another: open };
    const merged = await ifItFits(() => withLibrary(nf => checkAssembly(nf, joined)));
    if (!merged.fits) throw depthsDoNotFit(question, merged.error);
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
  throw refused(
    `${error.message}; nor does it fit in parts (--shard), since ${tooLargeInWords(question, smallest!)}`,
    error,
  );
}

/** The pairs are found, but two bodies do not fit together where their depth is measured. A baseline and statuses are compared by depths. */
function depthsDoNotFit(
  { baseline, statuses, depths }: CheckQuestion,
  error: NearfieldError,
): NearfieldError {
  const compared = baseline ? '--baseline' : statuses && '--statuses';
  const other = compared
    ? `leave out ${compared}, which compares depths, and ask for --depths none`
    : depths === 'none'
      ? 'ask for no tolerance'
      : 'measure no depths (--depths none)';
  const help = `allow more memory (--max-memory, at most 4GiB), or ${other}`;
  return refused(`${error.message}: the pairs were found, but not their depths; ${help}`, error);
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
      ...((question.baseline || question.statuses) && { depths: 'all' }),
      // Every stage of a part begins at 0 again.
      progress: (_, done) => {
        shown = Math.max(shown, (i + done) / tiles.length);
        question.progress('checking', shown);
      },
    };
    joined.add(`part ${i + 1}`, await findInTile(nf, part, tile, question.points ?? false), i === 0);
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
