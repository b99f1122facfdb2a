// How long is the unit of a file, in metres? IFC and STEP have the same two kinds: metres with a prefix, and a multiple
// of another unit, such as an inch.

import type { Records } from './records.ts';
import { numberOf, refOf, type Value, wordOf } from './values.ts';

const prefixes: Readonly<Record<string, number>> = {
  ...{ EXA: 1e18, PETA: 1e15, TERA: 1e12, GIGA: 1e9, MEGA: 1e6, KILO: 1e3, HECTO: 1e2, DECA: 10 },
  ...{
    DECI: 1e-1,
    CENTI: 1e-2,
    MILLI: 1e-3,
    MICRO: 1e-6,
    NANO: 1e-9,
    PICO: 1e-12,
    FEMTO: 1e-15,
    ATTO: 1e-18,
  },
};

/** Names of records and places of arguments that differ between IFC and STEP. */
export interface UnitWords {
  /** An SI unit: prefix and name are its last two arguments. */
  readonly si: string;
  /** A unit that is a multiple of another: the measure is its last argument. */
  readonly converted: string;
  /** The measure: a number, and its unit. */
  readonly measures: readonly string[];
}

/** Metres per unit for a length unit; undefined for units of other kinds and for what cannot be understood. */
export function metresOf(records: Records, id: number, words: UnitWords, depth = 0): number | undefined {
  if (depth > 8) return undefined;
  const si = records.arguments(id, words.si);
  if (si) {
    const [prefix, unit] = si.slice(-2);
    if (wordOf(unit) !== 'METRE') return undefined;
    return prefix === null ? 1 : prefixes[wordOf(prefix) ?? ''];
  }
  const converted = records.arguments(id, words.converted);
  const measure = measureOf(
    records,
    words,
    converted?.findLast(argument => refOf(argument) !== undefined),
  );
  if (measure === undefined) return undefined;
  const factor = numberOf(measure[0]);
  const base = refOf(measure[1]);
  const metres = base === undefined ? undefined : metresOf(records, base, words, depth + 1);
  if (factor === undefined || metres === undefined) return undefined;
  return toNearest(factor * metres);
}

function measureOf(
  records: Records,
  words: UnitWords,
  value: Value | undefined,
): readonly Value[] | undefined {
  const id = refOf(value);
  if (id === undefined) return undefined;
  for (const name of words.measures) {
    const measure = records.arguments(id, name);
    if (measure) return measure;
  }
  return undefined;
}

/** 25.4 · 0.001 is not the double nearest to 0.0254: a factor of few digits gives a unit of few digits. */
function toNearest(metres: number): number | undefined {
  return metres > 0 && Number.isFinite(metres) ? Number(metres.toPrecision(15)) : undefined;
}
