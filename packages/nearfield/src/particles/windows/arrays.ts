// The impacts of a window as arrays in single precision, each number with a bound of its error. On a GPU they are its
// own numbers, read back as they are; the few impacts that it left undecided are rounded from doubles.

import type { Setup } from '../compiled.ts';
import { parameterOf, texelAt } from '../maps/forms.ts';
import {
  type ColumnName,
  type Columns,
  columnNames,
  columnsAt,
  columnWords,
  impactNumbers,
  impactRow,
  noTexel,
  recordWords,
  wordsOfColumn,
} from '../seam.ts';

/**
 * The impacts of a window in single precision, in no stated order. `timeError`, `placeError` and `speedError` bound how far
 * the numbers are from the doubles of `Impacts`, impact by impact.
 */
export interface ImpactArrays {
  /** The number of impacts. */
  readonly count: number;
  /** Seconds since `start`. */
  readonly time: Float32Array;
  /** The earlier end of the window, in seconds. */
  readonly start: number;
  /** Three numbers per impact: the place minus `origin`. */
  readonly place: Float32Array;
  /** The world point that places are relative to: that of the particles. */
  readonly origin: readonly [number, number, number];
  /** The speed relative to the collider. */
  readonly speed: Float32Array;
  /** The component of that speed along the normal, at least 0. */
  readonly normalSpeed: Float32Array;
  /** The most by which `time` is off, in seconds. */
  readonly timeError: Float32Array;
  /** The greatest distance of `place` from the true place. */
  readonly placeError: Float32Array;
  /** The most by which `speed` and `normalSpeed` are off. */
  readonly speedError: Float32Array;
  /** Which particle, from 0. */
  readonly particle: Uint32Array;
  /** Which of its lives, from 0. */
  readonly generation: Uint32Array;
  /** Which collider, as an index into the colliders at that time. */
  readonly collider: Uint32Array;
  /** The number of earlier impacts of the same life. */
  readonly bounce: Uint32Array;
}

/** Where the numbers of impacts come from: first those that an engine found certain, then rows of doubles. */
export interface ArraySource {
  readonly setup: Setup;
  /** The earlier end of the window. */
  readonly start: number;
  /** Records of certain impacts and their columns (seam.ts); none if all come from rows. */
  readonly certain: Uint32Array;
  readonly columns: Columns | undefined;
  /** Rows of impacts, and how many. */
  readonly rows: Float64Array;
  readonly rowCount: number;
}

/** Each array is made on first use, and copied as a whole. */
export class LazyArrays implements ImpactArrays {
  readonly count: number;
  readonly start: number;
  readonly origin: readonly [number, number, number];
  readonly #source: ArraySource;
  readonly #certainCount: number;
  readonly #made = new Map<ColumnName, Float32Array | Uint32Array>();

  constructor(source: ArraySource) {
    this.#source = source;
    this.#certainCount = source.certain.length / recordWords;
    this.count = this.#certainCount + source.rowCount;
    this.start = source.start;
    this.origin = source.setup.origin;
  }

  get time(): Float32Array {
    return this.#numbers('time', at => this.#row(at, 'time') - this.start);
  }
  get place(): Float32Array {
    return this.#numbers('place', (at, axis) => this.#place(at, axis));
  }
  get speed(): Float32Array {
    return this.#numbers('speed', at => this.#row(at, 'speed'));
  }
  get normalSpeed(): Float32Array {
    return this.#numbers('normalSpeed', at => this.#row(at, 'normalSpeed'));
  }
  // Doubles are rounded by half a unit in the last place: twice that, since bounds are rounded themselves.
  get timeError(): Float32Array {
    return this.#numbers('timeError', at => rounded(this.#row(at, 'time') - this.start));
  }
  get placeError(): Float32Array {
    const size = (at: number) => [0, 1, 2].reduce((sum, axis) => sum + Math.abs(this.#place(at, axis)), 0);
    return this.#numbers('placeError', at => rounded(size(at)));
  }
  get speedError(): Float32Array {
    return this.#numbers('speedError', at => rounded(this.#row(at, 'speed')));
  }
  get particle(): Uint32Array {
    return this.#wholes('particle', (records, at) => records[at]);
  }
  get generation(): Uint32Array {
    return this.#wholes('generation', (records, at) => records[at + 1]);
  }
  get collider(): Uint32Array {
    return this.#wholes('collider', (records, at) => records[at + 2] & 0xffff);
  }
  get bounce(): Uint32Array {
    return this.#wholes('bounce', (records, at) => records[at + 2] >>> 16);
  }

  #row(at: number, name: keyof typeof impactRow): number {
    return this.#source.rows[at + impactRow[name]];
  }

  #place(at: number, axis: number): number {
    return this.#source.rows[at + impactRow.place + axis] - this.origin[axis];
  }

  /** The engine's numbers as they are, then those of rows. */
  #numbers(name: ColumnName, ofRow: (at: number, axis: number) => number): Float32Array {
    let made = this.#made.get(name);
    if (made === undefined) {
      const words = wordsOfColumn(name);
      made = new Float32Array(words * this.count);
      const read = this.#source.columns?.[name];
      if (read !== undefined) made.set(new Float32Array(read.buffer, read.byteOffset, read.length));
      let to = words * this.#certainCount;
      for (let i = 0; i < this.#source.rowCount; i++) {
        for (let axis = 0; axis < words; axis++) made[to++] = ofRow(impactNumbers * i, axis);
      }
      this.#made.set(name, made);
    }
    return made as Float32Array;
  }

  #wholes(
    name: 'particle' | 'generation' | 'collider' | 'bounce',
    ofRecord: (records: Uint32Array, at: number) => number,
  ): Uint32Array {
    let made = this.#made.get(name);
    if (made === undefined) {
      made = new Uint32Array(this.count);
      const { certain, rowCount } = this.#source;
      for (let i = 0; i < this.#certainCount; i++) made[i] = ofRecord(certain, recordWords * i);
      for (let i = 0; i < rowCount; i++) made[this.#certainCount + i] = this.#row(impactNumbers * i, name);
      this.#made.set(name, made);
    }
    return made as Uint32Array;
  }
}

const rounded = (value: number): number => rounding * Math.abs(value) + least;
const rounding = 2 ** -23;
const least = 2 ** -126;
const parameter = new Float64Array(2);

/**
 * The columns that painting needs, for the impacts that are not on the device: `count` rows of doubles, and the columns of others
 * that were read back. `firstTexelOf` says where the texels of a collider's map begin; undefined if the GPU does not paint it.
 */
export function pointsOf(
  setup: Setup,
  start: number,
  rows: Float64Array,
  count: number,
  columns: Columns | undefined,
  firstTexelOf: (collider: number) => number | undefined,
): { others: Uint32Array<ArrayBuffer>; otherCount: number } {
  const read = columns?.time?.length ?? 0;
  const otherCount = read + count;
  const others = new Uint32Array(columnWords * otherCount);
  const floats = new Float32Array(others.buffer);
  if (columns !== undefined) {
    for (const name of columnNames) others.set(columns[name]!, columnsAt[name] * otherCount);
  }
  for (let i = 0; i < count; i++) {
    const at = impactNumbers * i;
    const to = (name: ColumnName) => columnsAt[name] * otherCount + read + i;
    const collider = setup.colliders[rows[at + impactRow.collider]];
    const first = firstTexelOf(collider.index);
    others[to('texel')] = noTexel;
    if (first === undefined) continue;
    const { width, height, of = 'speed' } = collider.given.map!;
    parameterOf(collider, rows, at, parameter);
    others[to('texel')] = first + texelAt(parameter[0], parameter[1], width, height);
    floats[to('time')] = Math.max(0, rows[at + impactRow.time] - start);
    floats[to('value')] = of === 'one' ? 1 : rows[at + impactRow[of]];
    others[to('particle')] = rows[at + impactRow.particle];
    others[to('bounce')] = rows[at + impactRow.bounce];
  }
  return { others, otherCount };
}
