// What a query leaves on the GPU, read back in one go: the counts, and as many records as the last queries had
// and some more. Only where there are more still does a second read follow.

import { resultHead } from '../../../candidates/gpu/layouts.ts';
import type { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { type Piece, ReadBack } from '../../../gpu/buffers/read-back.ts';
import { submit, throwIfRefused } from '../../../gpu/submit.ts';
import type { RawAnswer } from '../../request.ts';
import { apartWord, outsideWord, Result } from './layouts.ts';

export interface Outcome {
  /** Counts, by `Result`. They may exceed the lists' room; the lists then are short. */
  readonly head: Uint32Array;
  candidates: Uint32Array;
  certain: Uint32Array;
  unsure: Uint32Array;
  /** Corners of the unsure pairs, where asked for. */
  unsureCorners: Uint32Array;
  /** A word a candidate (layouts.ts), where asked for. */
  words: Uint32Array;
  /** The steps of a breadth-first traversal and the timestamps, where asked for. */
  readonly steps: Uint32Array | undefined;
  readonly times: Uint32Array | undefined;
  readonly extra: Uint32Array[];
}

export interface OutcomeLists {
  readonly results: GrowingBuffer;
  readonly candidates: GrowingBuffer;
  readonly certainPairs: GrowingBuffer;
  readonly unsurePairs: GrowingBuffer;
  readonly unsureCorners: GrowingBuffer;
}

export interface Wanted {
  /** Whether they are listed; their words come in any case where those are wanted. */
  readonly candidates: boolean;
  readonly words: boolean;
  readonly corners?: boolean;
  readonly steps?: Piece | undefined;
  readonly times?: Piece | undefined;
  /** Whatever else is to come along. */
  readonly extra?: readonly Piece[];
}

type Lengths = Record<'candidates' | 'certain' | 'unsure', number>;

const recordBytes = { candidates: 8, certain: 12, unsure: 12 } as const;
const names = ['candidates', 'certain', 'unsure'] as const;
const cornerBytes = 72;
const leastRecords = 64;
const spareRecords = 4096;

export class OutcomeReader {
  readonly #device: GPUDevice;
  readonly #readBack: ReadBack;
  readonly #lists: OutcomeLists;
  #expected: Lengths = { candidates: leastRecords, certain: leastRecords, unsure: leastRecords };

  constructor(device: GPUDevice, lists: OutcomeLists) {
    this.#device = device;
    this.#readBack = new ReadBack(device);
    this.#lists = lists;
  }

  /**
   * Submits the commands, waits, and takes out what was found. A submission the device refuses leaves an older
   * one's results in place: the serial number tells.
   */
  async submit(encoder: GPUCommandEncoder, serial: number, wanted: Wanted): Promise<Outcome> {
    const start: Lengths = { candidates: 0, certain: 0, unsure: 0 };
    const room = this.#room();
    const guess = mapLengths(name => Math.min(room[name], this.#expected[name]));
    const outcome = await this.#read(encoder, start, guess, wanted);
    throwIfRefused(outcome.head[Result.serial], serial);
    const found = mapLengths(name => Math.min(room[name], outcome.head[Result[name]]));
    if (names.some(name => found[name] > guess[name])) {
      const end = mapLengths(name => Math.max(found[name], guess[name]));
      const copies = this.#device.createCommandEncoder({ label: 'rest of the records' });
      const { candidates, words, corners } = wanted;
      const rest = await this.#read(copies, guess, end, { candidates, words, corners: corners ?? false });
      for (const name of [...names, 'words', 'unsureCorners'] as const)
        outcome[name] = joined(outcome[name], rest[name]);
    }
    this.#expect(found);
    return outcome;
  }

  /** Submits the commands and reads these pieces alone. */
  async readPieces(encoder: GPUCommandEncoder, pieces: readonly Piece[]): Promise<Uint32Array[]> {
    this.#readBack.encode(encoder, pieces);
    submit(this.#device, encoder);
    if (pieces.length === 0) return [];
    return this.#readBack.read(pieces, views => views.map(view => view.slice()));
  }

  destroy(): void {
    this.#readBack.destroy();
  }

  /**
   * Records to be read with the next query's counts. Where bodies move or deform their number goes up and down, and a
   * second read costs more than a few thousand records too many: half as much again, and falling off slowly from there, to a
   * half in hundreds of queries.
   */
  #expect(found: Lengths): void {
    const before = this.#expected;
    this.#expected = mapLengths(name => {
      const likely = Math.ceil(1.5 * found[name]) + leastRecords;
      return Math.max(likely, Math.min(Math.floor(0.998 * before[name]), likely + spareRecords));
    });
  }

  #room(): Lengths {
    const { candidates, certainPairs, unsurePairs } = this.#lists;
    const bytes = { candidates: candidates.bytes, certain: certainPairs.bytes, unsure: unsurePairs.bytes };
    return mapLengths(name => Math.floor(bytes[name] / recordBytes[name]));
  }

  /** The candidates' words follow the head, and come in one piece with it: every copy between buffers waits for the last. */
  async #read(encoder: GPUCommandEncoder, from: Lengths, to: Lengths, wanted: Wanted): Promise<Outcome> {
    const { results, candidates, certainPairs, unsurePairs, unsureCorners } = this.#lists;
    const cornered = wanted.corners ? to.unsure - from.unsure : 0;
    const listed = wanted.candidates ? to.candidates - from.candidates : 0;
    const worded = wanted.words ? to.candidates : 0;
    const pieces: Piece[] = [
      { buffer: results.buffer, offset: 0, bytes: 4 * (resultHead + worded) },
      { buffer: candidates.buffer, offset: 8 * from.candidates, bytes: 8 * listed },
      { buffer: certainPairs.buffer, offset: 12 * from.certain, bytes: 12 * (to.certain - from.certain) },
      { buffer: unsurePairs.buffer, offset: 12 * from.unsure, bytes: 12 * (to.unsure - from.unsure) },
      { buffer: unsureCorners.buffer, offset: cornerBytes * from.unsure, bytes: cornerBytes * cornered },
    ];
    const extraAt = pieces.length;
    if (wanted.extra !== undefined) pieces.push(...wanted.extra);
    if (wanted.steps !== undefined) pieces.push(wanted.steps);
    if (wanted.times !== undefined) pieces.push(wanted.times);
    this.#readBack.encode(encoder, pieces);
    submit(this.#device, encoder);
    return this.#readBack.read(pieces, views => {
      const head = views[0].slice(0, resultHead);
      const length = mapLengths(name => Math.max(0, Math.min(head[Result[name]], to[name]) - from[name]));
      const first = resultHead + from.candidates;
      return {
        head,
        candidates: views[1].slice(0, 2 * length.candidates),
        certain: views[2].slice(0, 3 * length.certain),
        unsure: views[3].slice(0, 3 * length.unsure),
        unsureCorners: views[4].slice(0, (cornerBytes / 4) * length.unsure),
        words: views[0].slice(first, first + length.candidates),
        steps: wanted.steps && views[pieces.indexOf(wanted.steps)].slice(),
        times: wanted.times && views[views.length - 1].slice(),
        extra: (wanted.extra ?? []).map((_, i) => views[extraAt + i].slice()),
      };
    });
  }
}

function mapLengths(value: (name: keyof Lengths) => number): Lengths {
  return { candidates: value('candidates'), certain: value('certain'), unsure: value('unsure') };
}

/**
 * `apart`: candidates that were given no work (meeting-pair.wgsl): a face of one body's box separates all world positions of
 * the two, and so the solids within, which lie between their own. `outside`, of the others of which nothing was found: 1
 * where a is outside b, 2 added where b is outside a.
 */
export function notMeeting(words: Uint32Array): { apart: Uint32Array; outside: Uint32Array } {
  const apart = new Uint32Array(words.length);
  const outside = new Uint32Array(words.length);
  for (let c = 0; c < words.length; c++) {
    const word = words[c];
    if (word < outsideWord) continue;
    if (word === apartWord) apart[c] = 1;
    else outside[c] = word - outsideWord;
  }
  return { apart, outside };
}

/** How many certain pairs each candidate has. */
export function countsOf(words: Uint32Array): Uint32Array {
  const counts = words.slice();
  for (let c = 0; c < counts.length; c++) if (counts[c] >= outsideWord) counts[c] = 0;
  return counts;
}

/**
 * Of an answer that stops at so many unsure pairs of a candidate: 1 where it has as many and none that is certain, so that
 * there may be others.
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
