// The complete collision map of Myszkowski et al.: the order of two bodies along every line of a view, not only yes or
// no.

import { wholeNumber } from '../../core/arguments.ts';
import type { View } from '../raster/view.ts';
import { CollisionCase, meets } from './cases.ts';
import { exchangeSequence, readApart, type SequenceTable, sequenceToString } from './sequence.ts';

/** The findings of the layers method, pixel by pixel. */
export class CollisionMap {
  readonly #sequences: SequenceTable;
  readonly #exchanged: boolean;
  #counts: Uint32Array | undefined;

  /** Created by `LayersInterferences.mapsOf`. */
  constructor(
    /** The pixels, and the direction of their lines. */
    readonly view: View,
    /** One `CollisionCase` per pixel, row by row. */
    readonly cases: Uint8Array,
    sequences: SequenceTable,
    exchanged: boolean,
  ) {
    this.#sequences = sequences;
    this.#exchanged = exchanged;
  }

  /** Pixels per row. */
  get columns(): number {
    return this.view.columns;
  }
  /** Rows of pixels. */
  get rows(): number {
    return this.view.rows;
  }

  /** How many pixels have each case, by `CollisionCase`. */
  get counts(): Uint32Array {
    if (this.#counts === undefined) {
      this.#counts = new Uint32Array(CollisionCase.leftOut + 1);
      for (let pixel = 0; pixel < this.cases.length; pixel++) this.#counts[this.cases[pixel]]++;
    }
    return this.#counts;
  }

  /** How many pixels show the bodies meeting. */
  get meeting(): number {
    return this.counts.reduce((sum, count, value) => (meets(value) ? sum + count : sum), 0);
  }

  /** Whether the bodies meet along a pixel's line. Throws 'bad-option' outside the map. */
  meetsAt(column: number, row: number): boolean {
    return meets(this.cases[this.#pixelAt(column, row)]);
  }

  /**
   * The order in which a pixel's line passes the layers, front to back: 'AABB'. Known if the layers were put in order
   * or the line was cast. If the bodies count as touching, the order reads as apart, whichever of the two depths is the
   * smaller.
   */
  orderAt(column: number, row: number): string | undefined {
    const known = this.#sequences.get(this.#pixelAt(column, row));
    if (known === undefined) return undefined;
    const { count } = known;
    const words = this.meetsAt(column, row) ? known.words : readApart(known.words, count);
    return sequenceToString(this.#exchanged ? exchangeSequence(words, count) : words, count);
  }

  #pixelAt(column: number, row: number): number {
    wholeNumber(0, this.columns - 1)(column, 'column');
    wholeNumber(0, this.rows - 1)(row, 'row');
    return row * this.columns + column;
  }
}
