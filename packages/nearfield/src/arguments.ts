// Whether arguments are what their types say. Callers without a compiler get a NearfieldError that names the argument: never a
// TypeError, and never an answer to a question they did not ask.

import { NearfieldError } from './errors.ts';

export const bad = (message: string): NearfieldError => new NearfieldError('bad-option', message);

/** What was given, in a few words. It has words for every value, symbols and objects without a prototype included. */
export function inWords(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given.length > 40 ? `${given.slice(0, 39)}…` : given);
  if (typeof given === 'bigint') return `${given}n`;
  if (typeof given === 'function') return 'a function';
  if (Array.isArray(given)) return `an array of ${given.length}`;
  if (typeof given !== 'object' || given === null) return String(given);
  const name: unknown = given.constructor?.name;
  return typeof name === 'string' && name !== '' && name !== 'Object' ? name : 'an object';
}

/** The error for an argument that breaks its rule: "upTo is a distance above 0, not "5"". */
export const wrong = (what: string, rule: string, given: unknown): NearfieldError =>
  bad(`${what} is ${rule}, not ${inWords(given)}`);

export const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null;

/** All options of a type, by name. The compiler sees to it that none is forgotten. */
export type Keys<T> = Readonly<Record<T extends unknown ? keyof T : never, true>>;

export const limitKeys = { signal: true, progress: true } as const;

/**
 * Refuses what is not an object of options, and options that are not known: a misspelt option would change nothing and say
 * nothing. One that is undefined counts as left out.
 */
export function checkOptions<T extends object>(
  given: T,
  known: Keys<T>,
  question: string,
  what = 'options',
): void {
  if (!isObject(given) || Array.isArray(given) || ArrayBuffer.isView(given)) {
    throw wrong(`${question}: ${what}`, 'an object', given);
  }
  for (const key in given) {
    if (Object.hasOwn(known, key) || given[key] === undefined) continue;
    const names = Object.keys(known);
    const near = names.find(name => areNear(name.toLowerCase(), key.toLowerCase()));
    const help = near === undefined ? `it has ${names.join(', ')}` : `perhaps ${near} is meant`;
    throw bad(`${question}: ${what} has no ${key}; ${help}`);
  }
}

/** Whether two words differ by a letter, or by two neighbours exchanged. */
function areNear(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [inA, inB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return inA.length + inB.length <= 2 || (inA.length === 2 && inA === `${inB[1]}${inB[0]}`);
}

interface GivenLimits {
  readonly signal?: unknown;
  readonly progress?: unknown;
}

/** What every question that takes time may be told. */
export function checkLimits({ signal, progress }: GivenLimits): void {
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.aborted !== 'boolean') {
    throw wrong('signal', 'an AbortSignal', signal);
  }
  checkFunction(progress, 'progress');
}

/** The same of a question that takes nothing else. */
export function checkOnlyLimits(given: GivenLimits, question: string): void {
  checkOptions<GivenLimits>(given, limitKeys, question, 'limits');
  checkLimits(given);
}

/** A function, or left out. */
export function checkFunction(given: unknown, what: string): void {
  if (given !== undefined && typeof given !== 'function') throw wrong(what, 'a function', given);
}

/** True, false, or left out. */
export function checkFlag(given: unknown, what: string): void {
  if (given !== undefined && typeof given !== 'boolean') throw wrong(what, 'true or false', given);
}

/** One of a few words, or left out. `others` says what else it may be, which the caller has looked for. */
export function checkOneOf(
  given: unknown,
  what: string,
  known: readonly unknown[],
  ...others: readonly string[]
): void {
  if (given === undefined || known.includes(given)) return;
  const all = [...known.map(name => (typeof name === 'string' ? `'${name}'` : `${name}`)), ...others];
  const last = all.pop();
  throw wrong(what, all.length === 0 ? `${last}` : `${all.join(', ')} or ${last}`, given);
}

/** Which numbers an argument may be. */
export const above0 = (value: number): boolean => value > 0;
export const atLeast0 = (value: number): boolean => value >= 0;
export const finiteAbove0 = (value: number): boolean => value > 0 && value < Infinity;
export const finiteAtLeast0 = (value: number): boolean => value >= 0 && value < Infinity;

/** A number of which a rule holds; `rule` says which, in words. */
export function numberOf(
  given: unknown,
  what: string,
  rule = 'a finite number',
  holds: (value: number) => boolean = Number.isFinite,
): number {
  if (typeof given === 'number' && holds(given)) return given;
  throw wrong(what, rule, given);
}

/** The same, or left out. */
export function checkNumber(
  given: unknown,
  what: string,
  rule?: string,
  holds?: (value: number) => boolean,
): void {
  if (given !== undefined) numberOf(given, what, rule, holds);
}

export function wholeNumberOf(given: unknown, what: string, least: number, most = Infinity): number {
  if (Number.isInteger(given) && (given as number) >= least && (given as number) <= most) {
    return given as number;
  }
  const range = most === Infinity ? `from ${least} on` : `from ${least} to ${most}`;
  throw wrong(what, `a whole number ${range}`, given);
}

/** The same, or left out. */
export function checkWholeNumber(given: unknown, what: string, least: number, most?: number): void {
  if (given !== undefined) wholeNumberOf(given, what, least, most);
}

/** So many finite numbers, in any kind of array: three for a vector. */
export function numbersOf(given: unknown, count: number, what: string): number[] {
  const rule = `${count} finite numbers`;
  if (!isObject(given)) throw wrong(what, rule, given);
  const { length } = given as ArrayLike<unknown>;
  if (length !== count) throw bad(`${what} is ${rule}, not ${inWords(given)} with ${inWords(length)}`);
  return Array.from(given as ArrayLike<unknown>, (value, i) => numberOf(value, `${what}[${i}]`));
}

type ArrayKind = abstract new (...given: never[]) => ArrayBufferView & { readonly length: number };

/** Typed arrays of these kinds. An array whose buffer went to another thread is empty, and is told from one that is. */
export function arrayOf<K extends readonly ArrayKind[]>(
  given: unknown,
  what: string,
  ...kinds: K
): InstanceType<K[number]> {
  for (const kind of kinds) {
    if (!(given instanceof kind)) continue;
    if (given.length === 0 && isDetached(given.buffer)) {
      throw new NearfieldError(
        'bad-array',
        `${what}: the array's buffer is detached, so its numbers are gone`,
      );
    }
    return given as InstanceType<K[number]>;
  }
  const names = kinds.map(({ name }) => `a ${name}`).join(' or ');
  const help = Array.isArray(given) ? `; new ${kinds.at(-1)!.name}(${what}) makes one` : '';
  throw new NearfieldError('bad-array', `${what} is ${names}, not ${inWords(given)}${help}`);
}

function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    // Only a buffer that is gone refuses to be looked at.
    return new Uint8Array(buffer).length < 0;
  } catch {
    return true;
  }
}

/** Points as doubles, x, y and z each: a copy, since the caller's array may change while a question waits. */
export function pointsOf(given: unknown, what = 'points'): Float64Array<ArrayBuffer> {
  const { length } = arrayOf(given, what, Float32Array, Float64Array);
  if (length % 3 !== 0) {
    throw new NearfieldError('bad-array', `${what} have ${length} numbers, not a multiple of 3`);
  }
  const doubles = new Float64Array(given as Float32Array | Float64Array);
  for (let i = 0; i < length; i++) {
    if (Number.isFinite(doubles[i])) continue;
    const place = `${what}: ${'xyz'[i % 3]} of point ${Math.floor(i / 3)}`;
    throw new NearfieldError('not-finite', `${place} is ${doubles[i]}`);
  }
  return doubles;
}
