// What a query of the hierarchy method leaves on the GPU, and what follows from it.

import { resultHead } from '../../../candidates/gpu/layouts.ts';
import type { GpuPairFront } from '../../../candidates/gpu/pair-front.ts';
import { ReadList } from '../../../gpu/buffers/read-list.ts';
import { isApart, type RawAnswer } from '../../request.ts';
import { apartWord, outsideWord, Result } from './layouts.ts';
import type { PairListName } from './lists.ts';

/**
 * The lists that are read back. `words` has one word per candidate (layouts.ts); `corners` are those of unsure pairs.
 */
export type Listed = 'words' | 'candidates' | 'certain' | 'unsure' | 'corners';

/** Lists that were not asked for are empty, or undefined if an answer tells these apart. */
export interface Outcome extends Record<'words' | 'certain' | 'unsure', Uint32Array> {
  /** Counts, by `Result`. */
  readonly head: Uint32Array;
  readonly boxTests: number;
  candidates: Uint32Array | undefined;
  corners: Uint32Array | undefined;
}

/** An outcome from its head and its lists, by name. */
export function outcomeOf(
  { head, boxTests }: Pick<Outcome, 'head' | 'boxTests'>,
  names: readonly Listed[],
  lists: readonly Uint32Array[],
): Outcome {
  const outcome: Outcome = {
    head,
    boxTests,
    words: empty,
    certain: empty,
    unsure: empty,
    candidates: undefined,
    corners: undefined,
  };
  for (let i = 0; i < names.length; i++) outcome[names[i]] = lists[i];
  return outcome;
}

const empty = new Uint32Array(0);

export const createReaders = ({ lists, own }: GpuPairFront<PairListName>): Record<Listed, ReadList> => ({
  words: new ReadList(4, () => {
    const { buffer } = lists.buffers.results;
    return { buffer, offset: 4 * resultHead, room: lists.capacity('candidates') };
  }),
  candidates: lists.reader('candidates'),
  certain: own.reader('certainPairs'),
  unsure: own.reader('unsurePairs'),
  corners: own.reader('unsureCorners'),
});

/** The number of records per list. */
export const countsIn = (head: Uint32Array): Record<Listed, number> => ({
  words: head[Result.candidates],
  candidates: head[Result.candidates],
  certain: head[Result.certain],
  unsure: head[Result.unsure],
  corners: head[Result.unsure],
});

/**
 * `known` is `isApart` for a candidate that was given no work (meeting-pair.wgsl): a face of one body's box separates all
 * world positions of the two, and so the solids within, since a solid lies between its own positions. `outside` is
 * for other candidates without any pair.
 */
export function notMeeting(words: Uint32Array): { known: Uint32Array; outside: Uint32Array } {
  const known = new Uint32Array(words.length);
  const outside = new Uint32Array(words.length);
  for (let c = 0; c < words.length; c++) {
    const word = words[c];
    if (word < outsideWord) continue;
    if (word === apartWord) known[c] = isApart;
    else outside[c] = word - outsideWord;
  }
  return { known, outside };
}

/** The number of certain pairs per candidate. */
export function countsOf(words: Uint32Array): Uint32Array {
  const counts = words.slice();
  for (let c = 0; c < counts.length; c++) if (counts[c] >= outsideWord) counts[c] = 0;
  return counts;
}

/**
 * For an answer that stops a candidate's search at `enough` unsure pairs: 1 if the candidate has that many and no
 * certain pair, so that there may be more.
 */
export function cutShort({ candidates, certain, unsure }: RawAnswer, enough: number): Uint8Array {
  const cut = new Uint8Array(candidates.length / 2);
  const counts = new Uint32Array(cut.length);
  for (let r = 0; r < unsure.length; r += 3) if (++counts[unsure[r]] === enough) cut[unsure[r]] = 1;
  for (let r = 0; r < certain.length; r += 3) cut[certain[r]] = 0;
  return cut;
}

export function joined(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
