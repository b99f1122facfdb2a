// A list whose length only the GPU knows: as many records as it is likely to have are read with its count, and where there are
// more, the rest after it.

import type { Piece } from './read-back.ts';

/** A list of which `known` was read with its count. */
export interface PartlyRead {
  readonly list: ReadList;
  readonly known: Uint32Array;
  readonly count: number;
}

/** Where a list lies: `room` records from `offset` on. */
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

  /** `spare` is how many times as many records as there were are read the next time. */
  constructor(recordBytes: number, place: () => ListPlace, spare = 1.5) {
    this.#recordBytes = recordBytes;
    this.#place = place;
    this.#spare = spare;
  }

  /** What is likely to be all of it. */
  get piece(): Piece {
    return this.#piece(0, this.#expected);
  }

  /** What the piece has of it. */
  take(view: Uint32Array, count: number): PartlyRead {
    return { list: this, known: view.slice(0, (this.#recordBytes / 4) * count), count };
  }

  /** What is missing. */
  rest(known: Uint32Array, count: number): Piece {
    this.#expect(count);
    return this.#piece((4 * known.length) / this.#recordBytes, count);
  }

  /** Whether nothing is missing; like `rest` this says how long the list was. */
  isWhole(knownWords: number, count: number): boolean {
    if (4 * knownWords < this.#recordBytes * count) return false;
    this.#expect(count);
    return true;
  }

  /**
   * Called with the length it had. Where bodies move or deform lists go up and down, and a second read costs more than a few thousand records
   * too many: the next read has some to spare, and falls off slowly from there, to a half in hundreds of questions.
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
