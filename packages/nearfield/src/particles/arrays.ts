// The impacts of a window as arrays in single precision, each number with a bound of its error. On a GPU they are its
// own numbers, read back as they are; the few impacts that it left undecided are rounded from doubles.

import { parameterOf, texelAt } from './maps/forms.ts';
import {
  type ColumnName,
  type Columns,
  columnNames,
  columnsAt,
  columnWords,
  impactNumbers,
  impactRow,
  noTexel,
  type Setup,
  wordsOfColumn,
} from './seam.ts';

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

/** Arrays of the impacts that an engine gave columns of, followed by `count` rows of doubles (seam.ts). */
export function arraysOf(
  setup: Setup,
  start: number,
  columns: Columns | undefined,
  rows: Float64Array,
  count: number,
): ImpactArrays {
  const before = columns?.time?.length ?? 0;
  const numbers = (name: ColumnName): Float32Array => {
    const words = wordsOfColumn(name);
    const out = new Float32Array(words * (before + count));
    const read = columns?.[name];
    if (read !== undefined) out.set(new Float32Array(read.buffer, read.byteOffset, read.length));
    return out;
  };
  const wholes = (name: ColumnName): Uint32Array => {
    const out = new Uint32Array(before + count);
    const read = columns?.[name];
    if (read !== undefined) out.set(read);
    return out;
  };
  const arrays = {
    count: before + count,
    start,
    origin: setup.origin,
    time: numbers('time'),
    place: numbers('place'),
    speed: numbers('speed'),
    normalSpeed: numbers('normalSpeed'),
    timeError: numbers('timeError'),
    placeError: numbers('placeError'),
    speedError: numbers('speedError'),
    particle: wholes('particle'),
    generation: wholes('generation'),
    collider: wholes('collider'),
    bounce: wholes('bounce'),
  };
  for (let i = 0; i < count; i++) {
    const at = impactNumbers * i;
    const to = before + i;
    const of = (name: keyof typeof impactRow) => rows[at + impactRow[name]];
    const time = of('time') - start;
    arrays.time[to] = time;
    // Twice the half unit in the last place, since the bound itself is rounded; and what is below normal numbers.
    arrays.timeError[to] = rounding * Math.abs(time) + least;
    let size = 0;
    for (let axis = 0; axis < 3; axis++) {
      const place = rows[at + impactRow.place + axis] - setup.origin[axis];
      arrays.place[3 * to + axis] = place;
      size += Math.abs(place);
    }
    arrays.placeError[to] = rounding * size + least;
    arrays.speed[to] = of('speed');
    arrays.normalSpeed[to] = of('normalSpeed');
    arrays.speedError[to] = rounding * of('speed') + least;
    arrays.particle[to] = of('particle');
    arrays.generation[to] = of('generation');
    arrays.collider[to] = of('collider');
    arrays.bounce[to] = of('bounce');
  }
  return arrays;
}

const rounding = 2 ** -23;
const least = 2 ** -126;
const parameter = new Float64Array(2);

/**
 * The columns that painting needs, of impacts that are not on the device: `count` rows of doubles, and what was read back of
 * others. `firstTexelOf` says where the texels of a collider's map begin; undefined if the GPU does not paint it.
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
