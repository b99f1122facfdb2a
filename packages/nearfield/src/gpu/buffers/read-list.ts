// Reads back a list whose length only the GPU knows. As many records as it is likely to have are read together with
// its count; if there are more, the rest is read after that.

import type { Piece } from './read-back.ts';

/** A list whose first records, `known`, were read together with its count. */
export interface PartlyRead {
  readonly list: ReadList;
  readonly known: Uint32Array;
  readonly count: number;
}

/** The place of a list: `room` records of `buffer` from `offset` on. */
export interface ListPlace {
  readonly buffer: GPUBuffer;
  readonly offset?: number;
  readonly room: number;
}

const leastRecords = 64;
const spareRecords = 4096;

export class ReadList {
  readonly #recordBytes: number;
  readonly #place: () => ListPlace;
  readonly #spare: number;
  #expected = leastRecords;

  /** `spare` is the factor by which the next read exceeds the last length. */
  constructor(recordBytes: number, place: () => ListPlace, spare = 1.5) {
    this.#recordBytes = recordBytes;
    this.#place = place;
    this.#spare = spare;
  }

  /** The piece to read with the count: probably the whole list. */
  get piece(): Piece {
    return this.#piece(0, this.#expected);
  }

  /** The records that the piece contained. */
  take(view: Uint32Array, count: number): PartlyRead {
    return { list: this, known: view.slice(0, (this.#recordBytes / 4) * count), count };
  }

  /** The piece that is still missing. Also records how long the list was. */
  rest(known: Uint32Array, count: number): Piece {
    this.#expect(count);
    return this.#piece((4 * known.length) / this.#recordBytes, count);
  }

  /** Whether nothing is missing. If so, it also records how long the list was. */
  isWhole(knownWords: number, count: number): boolean {
    if (4 * knownWords < this.#recordBytes * count) return false;
    this.#expect(count);
    return true;
  }

  /**
   * Adapts the next read to the length the list had. When bodies move or deform, lists grow and shrink, and a second
   * read costs more than a few thousand records too many: so the next read has some to spare, and shrinks slowly from
   * there, to a half in hundreds of questions.
   */
  #expect(count: number): void {
    const likely = Math.ceil(this.#spare * count) + leastRecords;
    this.#expected = Math.max(likely, Math.min(Math.floor(0.998 * this.#expected), likely + spareRecords));
  }

  #piece(from: number, to: number): Piece {
    const { buffer, offset = 0, room } = this.#place();
    const bytes = this.#recordBytes * Math.max(0, Math.min(room, to) - from);
    return { buffer, offset: offset + this.#recordBytes * from, bytes };
  }
}
