// Which length does a unit's name mean? Names as people type them and as files spell them, in metres.

import { NearfieldError } from 'nearfield';
import { inWords } from '../reading/file-error.ts';

/** The usual name first; then other spellings. An inch is exactly 25.4 mm. */
const units: readonly (readonly [metres: number, ...names: string[]])[] = [
  [1e-9, 'nm', 'nanometre', 'nanometres', 'nanometer', 'nanometers'],
  // Both letters: the micro sign and the Greek mu.
  [1e-6, 'µm', 'μm', 'um', 'micron', 'microns', 'micrometre', 'micrometres', 'micrometer', 'micrometers'],
  [2.54e-5, 'mil', 'mils', 'thou'],
  [0.001, 'mm', 'millimetre', 'millimetres', 'millimeter', 'millimeters'],
  [0.01, 'cm', 'centimetre', 'centimetres', 'centimeter', 'centimeters'],
  [0.0254, 'in', 'inch', 'inches', '"'],
  [0.1, 'dm', 'decimetre', 'decimetres', 'decimeter', 'decimeters'],
  [0.3048, 'ft', 'foot', 'feet', "'"],
  [0.9144, 'yd', 'yard', 'yards'],
  [1, 'm', 'metre', 'metres', 'meter', 'meters'],
  [1000, 'km', 'kilometre', 'kilometres', 'kilometer', 'kilometers'],
  [1609.344, 'mi', 'mile', 'miles'],
];

const metresByName = new Map(units.flatMap(([metres, ...names]) => names.map(name => [name, metres])));

/** A length with the unit that it was written in. */
export interface Length {
  /** The number as written. */
  readonly value: number;
  /** The unit in metres, or undefined if the text names none. */
  readonly unit: number | undefined;
}

/** The unit in metres, or undefined if nobody calls a unit that. For names in files, which need not be units. */
export function findUnit(name: string): number | undefined {
  const trimmed = name.trim();
  // Only the short names of metric units depend on case, and no two of them differ in case alone.
  return metresByName.get(trimmed) ?? metresByName.get(trimmed.toLowerCase());
}

/** `mm`, `inch`, `metres`: the unit in metres. Throws 'bad-option' for a name that is no unit of length. */
export function parseUnit(name: string): number {
  const metres = typeof name === 'string' ? findUnit(name) : undefined;
  if (metres !== undefined) return metres;
  const known = units.map(([, usual]) => usual).join(', ');
  throw new NearfieldError('bad-option', `${inWords(name)} is not a unit of length; known are ${known}`);
}

/**
 * `1mm`, `0.05 in`, `3`: a number and, if the text has one, its unit in metres. Throws 'bad-option' for a text that is
 * no finite number, or whose unit is not known.
 */
export function parseLength(text: string): Length {
  const found =
    typeof text === 'string' ? /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(.*?)\s*$/i.exec(text) : null;
  const value = Number(found?.[1]);
  if (!found || !Number.isFinite(value)) {
    throw new NearfieldError('bad-option', `${inWords(text)} is not a length such as 1mm, 0.05in or 3`);
  }
  return { value, unit: found[2] === '' ? undefined : parseUnit(found[2]) };
}

/** 0.001 → `mm`: the usual name of a unit given in metres. A unit without a name is written in metres: `0.002 m`. */
export function nameOfUnit(metres: number): string {
  if (!(typeof metres === 'number' && metres > 0 && metres < Number.POSITIVE_INFINITY)) {
    throw new NearfieldError('bad-option', `a unit is a length in metres above 0, not ${inWords(metres)}`);
  }
  // A unit that was computed, such as 0.3048 / 12, may be off by a rounding.
  const known = units.find(([length]) => Math.abs(length - metres) <= 2 ** -50 * length);
  return known?.[1] ?? `${metres} m`;
}

/**
 * The unit that a comment states: `units: mm` or `File units = inches`. Undefined if it states none. The unit must be
 * the end of the statement: `5 units: in all` states none.
 */
export function unitOfComment(comment: string): number | undefined {
  const found = /\bunits?\s*[:=]\s*([a-zµμ]+)(?=[\s\0]*(?:$|[,;)\]]|\w+=))/i.exec(comment);
  return found === null ? undefined : findUnit(found[1]);
}
