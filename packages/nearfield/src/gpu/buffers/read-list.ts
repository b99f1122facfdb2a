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
  #expected = leastRecords;

  constructor(recordBytes: number, place: () => ListPlace) {
    this.#recordBytes = recordBytes;
    this.#place = place;
  }

  /** What is likely to be all of it. */
  get piece(): Piece {
    return this.#piece(0, this.#expected);
  }

  /** What the piece has of it. */
  take(view: Uint32Array, count: number): PartlyRead {
    return { list: this, known: view.slice(0, (this.#recordBytes / 4) * count), count };
  }

  /**
   * What is missing. Where bodies move or deform lists go up and down, and a second read costs more than a few thousand records
   * too many: the next read is for half as many again, and falls off slowly from there, to a half in hundreds of questions.
   */
  rest(known: Uint32Array, count: number): Piece {
    const likely = Math.ceil(1.5 * count) + leastRecords;
    this.#expected = Math.max(likely, Math.min(Math.floor(0.998 * this.#expected), likely + spareRecords));
    return this.#piece((4 * known.length) / this.#recordBytes, count);
  }

  #piece(from: number, to: number): Piece {
    const { buffer, offset = 0, room } = this.#place();
    const bytes = this.#recordBytes * Math.max(0, Math.min(room, to) - from);
    return { buffer, offset: offset + this.#recordBytes * from, bytes };
  }
}
