// The pairs of the last answer, as columns, and single rows of them.

import { type Bracket, relations, type Status, type Verdict, verdictOrder } from '@nearfield/clashes';
import type { Relation } from 'nearfield';
import { clashIdOf, type Measured, type PairColumns, type PairsAnswer } from '../engine/review/types.ts';
import type { BodyId } from '../engine/types.ts';
import { orderBy } from './order-by.ts';

/** Two bodies that meet or are closer than the clearance. */
export interface PairRow {
  /** Its place in the table. */
  readonly row: number;
  readonly a: BodyId;
  readonly b: BodyId;
  /** As seen from a. */
  readonly relation: Relation;
  readonly triangleCount: number;
  /** For two bodies that are separate but too close. */
  readonly distance?: number | undefined;
  readonly pointA?: Float64Array | undefined;
  readonly pointB?: Float64Array | undefined;
  /** Undefined until it is measured, or if the pair has none. */
  readonly depth?: Bracket | undefined;
  /** The translation of b that was verified to separate the two. */
  readonly translation?: Float64Array | undefined;
  readonly verdict: Verdict;
  /** Whether the depth may be on either side of the tolerance. */
  readonly isUndecided: boolean;
  /** The index of the test of the rules; -1 for none. */
  readonly test: number;
  /** The identity of the clash: 12 hexadecimal digits. */
  readonly clash: string;
  /** The shapes and places of the two, as a hash. */
  readonly geometry: string;
  /** Whether the two are the same surface at the same place. */
  readonly isSame: boolean;
}

/** A depth, and the way out. */
export interface DepthData extends Bracket {
  /** The translation of b that was verified to separate the two. */
  readonly translation: Float64Array;
}

/** The depth of a pair, once it is measured. */
export const depthOf = ({ depth, translation }: PairRow): DepthData | undefined =>
  depth && translation && { ...depth, translation };

/** How well a depth is known. */
export const known = { not: 0, roughly: 1, well: 2 } as const;

export class PairTable {
  readonly serial: number;
  readonly columns: PairColumns;
  /** Per row, one of `known`. */
  readonly state: Uint8Array;
  readonly translations = new Map<number, Float64Array>();
  /** Verdicts after what people have said. */
  readonly verdicts: Uint8Array;
  /** Statuses by row, for rows that have one. */
  statuses: ReadonlyMap<number, Status> = new Map();
  /** Rows to measure, those that may be deepest first. */
  readonly #queue: Uint32Array;
  #next = 0;

  constructor({ serial, columns }: Pick<PairsAnswer, 'serial' | 'columns'>) {
    this.serial = serial;
    this.columns = columns;
    this.verdicts = columns.verdicts.slice();
    this.state = new Uint8Array(this.count);
    const { deep, depths, bounds } = columns;
    const waiting: number[] = [];
    for (let row = 0; row < this.count; row++) {
      if (deep[row] === 0) this.state[row] = known.well;
      else if (Number.isNaN(depths[2 * row])) waiting.push(row);
      else this.state[row] = this.#stateOf(row);
    }
    this.#queue = orderBy(Uint32Array.from(waiting), row => -bounds[row]);
  }

  get count(): number {
    return this.columns.relations.length;
  }

  /** The row of two bodies; -1 if they have none. */
  find(a: BodyId, b: BodyId): number {
    const { bodies } = this.columns;
    for (let i = 0; i < bodies.length; i += 2) {
      if ((bodies[i] === a && bodies[i + 1] === b) || (bodies[i] === b && bodies[i + 1] === a)) return i / 2;
    }
    return -1;
  }

  row(row: number): PairRow {
    const { bodies, triangleCounts, distances, ends, depths, undecided, tests, clashes, geometries, same } =
      this.columns;
    const isNear = !Number.isNaN(distances[row]);
    return {
      ...{ row, a: bodies[2 * row], b: bodies[2 * row + 1], relation: this.relation(row) },
      triangleCount: triangleCounts[row],
      ...(isNear && {
        distance: distances[row],
        pointA: ends.slice(6 * row, 6 * row + 3),
        pointB: ends.slice(6 * row + 3, 6 * row + 6),
      }),
      depth: Number.isNaN(depths[2 * row])
        ? undefined
        : { lower: depths[2 * row], upper: depths[2 * row + 1] },
      translation: this.translations.get(row),
      verdict: verdictOrder[this.verdicts[row]],
      isUndecided: undecided[row] === 1,
      test: tests[row],
      clash: clashIdOf(clashes[row]),
      geometry: clashIdOf(geometries[row]),
      isSame: same[row] === 1,
    };
  }

  relation(row: number): Relation {
    return relations[this.columns.relations[row]];
  }

  /** The depth that a row has at most. */
  deepest(row: number): number {
    const { depths, bounds, deep } = this.columns;
    const upper = depths[2 * row + 1];
    return Number.isNaN(upper) ? (deep[row] === 1 ? bounds[row] : 0) : upper;
  }

  /** The next rows without a depth, those that may be deepest first. */
  unmeasured(most: number): number[] {
    const rows: number[] = [];
    while (this.#next < this.#queue.length && this.state[this.#queue[this.#next]] !== known.not) this.#next++;
    for (let i = this.#next; i < this.#queue.length && rows.length < most; i++) {
      if (this.state[this.#queue[i]] === known.not) rows.push(this.#queue[i]);
    }
    return rows;
  }

  /** The share of the depths that are known, 0 to 1. */
  get measured(): number {
    return this.#queue.length === 0 ? 1 : this.#next / this.#queue.length;
  }

  /** Rows that may be among the `first` deepest, and whose depths are known only roughly. */
  contenders(first: number): number[] {
    const { depths, deep } = this.columns;
    const lower: number[] = [];
    for (let row = 0; row < this.count; row++) if (deep[row] === 1) lower.push(depths[2 * row]);
    const least = Float64Array.from(lower).sort().at(-Math.min(first, lower.length)) ?? 0;
    const rows: number[] = [];
    for (let row = 0; row < this.count; row++) {
      if (deep[row] === 1 && depths[2 * row + 1] >= least) rows.push(row);
    }
    return rows.some(row => this.state[row] !== known.well) ? rows : [];
  }

  /** Takes measures. `isRefined` says that they are as good as they get. */
  take({ rows, depths, translations, verdicts, undecided }: NonNullable<Measured>, isRefined: boolean): void {
    const { columns } = this;
    for (const [i, row] of rows.entries()) {
      columns.depths[2 * row] = depths[2 * i];
      columns.depths[2 * row + 1] = depths[2 * i + 1];
      columns.verdicts[row] = verdicts[i];
      columns.undecided[row] = undecided[i];
      this.verdicts[row] = verdicts[i];
      this.translations.set(row, translations.slice(3 * i, 3 * i + 3));
      this.state[row] = isRefined ? known.well : this.#stateOf(row);
    }
  }

  #stateOf(row: number): number {
    const { depths } = this.columns;
    return depths[2 * row + 1] <= 1.1 * depths[2 * row] ? known.well : known.roughly;
  }
}
