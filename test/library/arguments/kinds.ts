// What an argument may be, written down independently of the library: a right value, which of all wrong values it
// accepts after all, and the codes with which the others are refused.

import type { ErrorCode } from 'nearfield';

export interface Kind {
  /** A right value, or a function that makes a new one per call. */
  readonly right: unknown;
  readonly fresh?: boolean;
  /** Whether one of `values` is right. */
  readonly accepts: (value: unknown) => boolean;
  readonly codes: readonly ErrorCode[];
  /**
   * Other wrong values, each with its name and code. The third item is what the message names, if not the argument.
   */
  readonly others?: readonly (readonly [string, unknown, ErrorCode, RegExp?])[];
  /** What a message names instead of the argument. */
  readonly named?: RegExp;
  /** False if misspelt options are not detected. */
  readonly spelt?: boolean;
  /** For options: each of them. */
  readonly fields?: Readonly<Record<string, Kind>>;
}

const transferred = new Float64Array(9);
structuredClone(transferred.buffer, { transfer: [transferred.buffer] });
export const detached: Float64Array = transferred;

/** One value of every kind. Each is tried wherever it is wrong. */
export const values: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['5', 5],
  ['0', 0],
  ['-1', -1],
  ['0.5', 0.5],
  ['2 ** 53', 2 ** 53],
  ['NaN', Number.NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ["''", ''],
  ["'5'", '5'],
  ["'words'", 'words'],
  ["'sixteen letters.'", 'sixteen letters.'],
  ['5n', 5n],
  ['a symbol', Symbol('any')],
  ['true', true],
  ['false', false],
  ['a function', () => 1],
  ['{}', {}],
  ['[]', []],
  ['[null]', [null]],
  ["['1', '2', '3']", ['1', '2', '3']],
  ['a Uint8Array', new Uint8Array(3)],
  ['a BigInt64Array', new BigInt64Array(16)],
  ['a Float64Array of 4', new Float64Array(4)],
  ['a detached Float64Array', detached],
];

const isList = (value: unknown): boolean => Array.isArray(value) || ArrayBuffer.isView(value);
const option: readonly ErrorCode[] = ['bad-option'];
const array: readonly ErrorCode[] = ['bad-array'];

export const left = (kind: Kind): Kind => ({
  ...kind,
  accepts: value => value === undefined || kind.accepts(value),
});

export const number = (right: number, holds: (value: number) => boolean): Kind => ({
  right,
  accepts: value => typeof value === 'number' && holds(value),
  codes: ['bad-option', 'not-finite'],
});
export const finite = (right: number): Kind => number(right, Number.isFinite);
export const above0 = (right: number): Kind => number(right, value => value > 0 && value < Infinity);
export const from0 = (right: number): Kind => number(right, value => value >= 0 && value < Infinity);
export const whole = (right: number, least: number, most = Infinity): Kind =>
  number(right, value => Number.isInteger(value) && value >= least && value <= most);
export const flag = (right = true): Kind => ({
  right,
  accepts: value => typeof value === 'boolean',
  codes: option,
});
export const word = (...words: readonly (string | number)[]): Kind => ({
  right: words[0],
  accepts: value => words.includes(value as string),
  codes: ['bad-option', 'unsupported'],
});
export const text = (right = 'any'): Kind => ({
  right,
  accepts: value => typeof value === 'string',
  codes: option,
});
export const called = (right: unknown = () => {}): Kind => ({
  right,
  accepts: value => typeof value === 'function',
  codes: option,
});
/** A value that is none of `values`. */
export const only = (right: unknown, codes = option, others: Kind['others'] = []): Kind => ({
  right,
  accepts: () => false,
  codes,
  others,
});
export const made = (right: () => unknown, codes = option, others: Kind['others'] = []): Kind => ({
  ...only(right, codes, others),
  fresh: true,
});
/** This many numbers in any array. */
export const list = (right: readonly number[] | Float64Array, codes = option): Kind =>
  only(right, codes, [
    ['too few numbers', Array.from(right).slice(1), codes[0]],
    ['too many numbers', [...right, 0], codes[0]],
    ['numbers as strings', Array.from(right, String), codes[0]],
    ['bigints', Array.from(right, () => 1n), codes[0]],
    ['NaN among them', Array.from(right, (each, i) => (i === 1 ? Number.NaN : each)), codes[0]],
    ['a hole among them', Array.from(right, (each, i) => (i === 1 ? undefined : each)), codes[0]],
  ]);
export const pose = (right: Float64Array): Kind => list(right, ['bad-pose']);
export const points = (right: Float64Array): Kind => ({
  right,
  // An empty list of points is a valid question.
  accepts: () => false,
  codes: array,
  others: [
    ['NaN in points', Float64Array.of(0, 0, Number.NaN), 'not-finite'],
    ['infinite points', Float64Array.of(0, 0, 0, Infinity, 0, 0), 'not-finite'],
    ['infinite single points', Float32Array.of(0, -Infinity, 0), 'not-finite'],
    ['a plain array', [0, 0, 0], 'bad-array'],
    ['a Uint32Array', new Uint32Array(3), 'bad-array'],
    ['a DataView', new DataView(new ArrayBuffer(24)), 'bad-array'],
  ],
});
export const typed = (right: ArrayBufferView, others: Kind['others'] = []): Kind =>
  only(right, array, others);

const isOptions = (value: unknown): boolean => typeof value === 'object' && value !== null && !isList(value);
export const options = (fields: Readonly<Record<string, Kind>>, right: object = {}): Kind => ({
  right,
  accepts: value => value === undefined || isOptions(value),
  codes: option,
  fields,
});
/** Required options. */
export const needed = (kind: Kind): Kind => ({
  ...kind,
  // Which options are required is tested option by option.
  accepts: value => isOptions(value) && Object.keys(value as object).length === 0,
});

export const limits = {
  signal: left(only(new AbortController().signal)),
  progress: left(called()),
} as const;
