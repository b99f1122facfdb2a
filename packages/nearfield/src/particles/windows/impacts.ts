// The impacts of a window of time, in order. Their count is known at once; the numbers of each are computed on first
// use.

import { wholeNumber } from '../../core/arguments.ts';
import type { Setup } from '../compiled.ts';
import { parameterOf } from '../maps/forms.ts';
import { SurfaceDataReader } from '../maps/surface-data.ts';
import { type Impact, type ImpactStats, outcomes } from '../options.ts';
import { impactNumbers, impactRow } from '../seam.ts';
import { type ImpactArrays, LazyArrays } from './arrays.ts';

const parameter = new Float64Array(2);

/** The impacts in a window of time, in order. */
export class Impacts implements Iterable<Impact> {
  /** The number of impacts. */
  readonly count: number;
  /** Where the window begins, in seconds, as it was asked for: backwards if from > to. */
  readonly from: number;
  /** Where it ends, in seconds. */
  readonly to: number;
  /** How the window was answered. */
  readonly stats: ImpactStats;
  readonly #setup: Setup;
  #make: (() => Float64Array) | undefined;
  #makeSingle: (() => ImpactArrays) | undefined;
  #single: ImpactArrays | undefined;
  #made: { readonly rows: Float64Array; readonly order: Uint32Array } | undefined;
  readonly #columns = new Map<string, Float64Array | Uint32Array | Uint8Array>();

  /** `make` gives rows in any order; `makeSingle` the arrays in single precision, if they were read. @internal */
  constructor(
    setup: Setup,
    from: number,
    to: number,
    count: number,
    stats: ImpactStats,
    make: () => Float64Array,
    makeSingle?: () => ImpactArrays,
  ) {
    this.#setup = setup;
    this.from = from;
    this.to = to;
    this.count = count;
    this.stats = stats;
    this.#make = make;
    this.#makeSingle = makeSingle;
  }

  /**
   * The impacts as arrays in single precision, each number with a bound of its error, in no stated order. If the window was
   * asked for with `columns: 'single'`, these are the GPU's own numbers, already read back. Otherwise, and on the CPU, they
   * are rounded from the doubles.
   */
  get single(): ImpactArrays {
    this.#single ??= this.#makeSingle?.() ?? this.#rounded();
    this.#makeSingle = undefined;
    return this.#single;
  }

  #rounded(): ImpactArrays {
    const { rows } = this.made();
    return new LazyArrays({
      setup: this.#setup,
      start: Math.min(this.from, this.to),
      certain: new Uint32Array(0),
      columns: undefined,
      rows,
      rowCount: this.count,
    });
  }

  /** Seconds, ascending; descending if backwards. Equal times are in order of particle, generation and bounce. */
  get time(): Float64Array {
    return this.#numbers('time');
  }
  /** Which particle, from 0. */
  get particle(): Uint32Array {
    return this.#wholes('particle');
  }
  /** Which of its lives, from 0. */
  get generation(): Uint32Array {
    return this.#wholes('generation');
  }
  /** The number of earlier impacts of the same life. */
  get bounce(): Uint32Array {
    return this.#wholes('bounce');
  }
  /** Which collider, as an index into the colliders at that time. */
  get collider(): Uint32Array {
    return this.#wholes('collider');
  }
  /** Three numbers per impact, in the world. */
  get place(): Float64Array {
    return this.#numbers('place', 3);
  }
  /** Three numbers per impact: the particle's velocity before it, length per second. */
  get velocity(): Float64Array {
    return this.#numbers('velocity', 3);
  }
  /** Three numbers per impact: a unit vector towards the side the particle came from. */
  get normal(): Float64Array {
    return this.#numbers('normal', 3);
  }
  /** The speed relative to the collider. */
  get speed(): Float64Array {
    return this.#numbers('speed');
  }
  /** The component of that speed along the normal, at least 0. */
  get normalSpeed(): Float64Array {
    return this.#numbers('normalSpeed');
  }
  /** 0 vanished, 1 bounced, 2 came to rest. */
  get outcome(): Uint8Array {
    return this.#column('outcome', () => Uint8Array.from(this.#numbers('outcome'))) as Uint8Array;
  }
  /** The triangle for meshes; 2^32 − 1 for others. */
  get triangle(): Uint32Array {
    return this.#wholes('triangle');
  }
  /** Two numbers per impact, 0 to 1: the place on the collider's map. */
  get parameter(): Float64Array {
    return this.#column('parameter', () => {
      const { rows, order } = this.made();
      const out = new Float64Array(2 * this.count);
      for (let i = 0; i < this.count; i++) {
        const at = impactNumbers * order[i];
        parameterOf(this.#setup.colliders[rows[at + impactRow.collider]], rows, at, parameter);
        out.set(parameter, 2 * i);
      }
      return out;
    }) as Float64Array;
  }

  /** The collider's own data at the place of impact i, if it has any. Throws 'bad-option' if there is no such impact. */
  data(i: number): Float32Array | undefined {
    this.#check(i);
    const { rows, order } = this.made();
    const at = impactNumbers * order[i];
    const collider = this.#setup.colliders[rows[at + impactRow.collider]];
    return SurfaceDataReader.of(collider)?.at(rows, at);
  }

  /** Impact i, in order. Throws 'bad-option' if there is no such impact. */
  at(i: number): Impact {
    this.#check(i);
    const { rows, order } = this.made();
    const at = impactNumbers * order[i];
    const number = (name: keyof typeof impactRow) => rows[at + impactRow[name]];
    const three = (name: 'place' | 'velocity' | 'normal') => {
      const from = at + impactRow[name];
      return [rows[from], rows[from + 1], rows[from + 2]] as const;
    };
    parameterOf(this.#setup.colliders[number('collider')], rows, at, parameter);
    return {
      time: number('time'),
      particle: number('particle'),
      generation: number('generation'),
      bounce: number('bounce'),
      collider: number('collider'),
      place: three('place'),
      velocity: three('velocity'),
      normal: three('normal'),
      speed: number('speed'),
      normalSpeed: number('normalSpeed'),
      outcome: outcomes[number('outcome')],
      triangle: number('triangle') < 0 ? undefined : number('triangle'),
      parameter: [parameter[0], parameter[1]],
      data: this.data(i),
    };
  }

  /** The impacts, in order. */
  *[Symbol.iterator](): Iterator<Impact> {
    for (let i = 0; i < this.count; i++) yield this.at(i);
  }

  /** All numbers, `impactNumbers` per row, and the row of each impact. Read only. @internal */
  made(): { readonly rows: Float64Array; readonly order: Uint32Array } {
    if (this.#made === undefined) {
      const rows = this.#make!();
      const { from, to, count } = this;
      const order = orderOf(rows, count, Math.min(from, to), Math.max(from, to));
      this.#made = { rows, order: from > to ? order.reverse() : order };
      this.#make = undefined;
    }
    return this.#made;
  }

  #check(i: number): void {
    wholeNumber(0, this.count - 1)(i, 'i');
  }

  #column(
    name: string,
    make: () => Float64Array | Uint32Array | Uint8Array,
  ): Float64Array | Uint32Array | Uint8Array {
    let column = this.#columns.get(name);
    if (column === undefined) this.#columns.set(name, (column = make()));
    return column;
  }

  #numbers(name: keyof typeof impactRow, each: 1 | 3 = 1): Float64Array {
    return this.#column(`${name} in doubles`, () => {
      const { rows, order } = this.made();
      const out = new Float64Array(each * this.count);
      const first = impactRow[name];
      if (each === 1) {
        gather(rows, order, first, out);
        return out;
      }
      for (let i = 0, to = 0; to < out.length; i++, to += 3) {
        const at = impactNumbers * order[i] + first;
        out[to] = rows[at];
        out[to + 1] = rows[at + 1];
        out[to + 2] = rows[at + 2];
      }
      return out;
    }) as Float64Array;
  }

  #wholes(name: keyof typeof impactRow): Uint32Array {
    return this.#column(name, () => {
      const { rows, order } = this.made();
      const out = new Uint32Array(this.count);
      gather(rows, order, impactRow[name], out);
      return out;
    }) as Uint32Array;
  }
}

/** One number of each row, in order. */
function gather(
  rows: Float64Array,
  order: Uint32Array,
  first: number,
  out: Float64Array | Uint32Array,
): void {
  for (let i = 0; i < order.length; i++) out[i] = rows[impactNumbers * order[i] + first];
}

/**
 * Sorts rows by time, particle, generation and bounce. They go into as many buckets as there are rows, spread evenly
 * over the window; each bucket is then sorted, and most hold one or two.
 */
function orderOf(rows: Float64Array, count: number, low: number, high: number): Uint32Array {
  const scale = count / (high - low);
  const bucketOf = (i: number) =>
    Math.min(count - 1, Math.max(0, Math.floor((rows[i * impactNumbers] - low) * scale)));
  const start = new Uint32Array(count + 2);
  for (let i = 0; i < count; i++) start[bucketOf(i) + 2]++;
  for (let bucket = 2; bucket <= count + 1; bucket++) start[bucket] += start[bucket - 1];
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[start[bucketOf(i) + 1]++] = i;
  const before = (a: number, b: number): number => {
    const i = a * impactNumbers;
    const j = b * impactNumbers;
    for (let k = 0; k < 4; k++) if (rows[i + k] !== rows[j + k]) return rows[i + k] - rows[j + k];
    return 0;
  };
  for (let bucket = 0; bucket < count; bucket++) {
    const from = start[bucket];
    const to = start[bucket + 1];
    if (to - from > 16) {
      order.subarray(from, to).sort(before);
      continue;
    }
    for (let i = from + 1; i < to; i++) {
      const item = order[i];
      let j = i;
      for (; j > from && before(order[j - 1], item) > 0; j--) order[j] = order[j - 1];
      order[j] = item;
    }
  }
  return order;
}
