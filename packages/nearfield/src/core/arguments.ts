// Run-time checks of arguments. Callers without TypeScript get a NearfieldError that names the argument. They never get
// a TypeError, nor an answer to a question they did not ask.

import { NearfieldError } from './errors.ts';
import { inWords, isObject, isOptions, meantName, quoted } from './words.ts';

export { inWords, isObject, quoted } from './words.ts';

export const bad = (message: string): NearfieldError => new NearfieldError('bad-option', message);

/** The error for an argument that breaks its rule: "upTo must be a distance above 0, not "5"". */
export const wrong = (what: string, rule: string, given: unknown): NearfieldError =>
  bad(`${what} must be ${rule}, not ${inWords(given)}`);

/** Throws if an argument cannot have this value; `what` names the argument. */
export type Rule = (given: unknown, what: string) => void;

/** One rule per option, applied to the options that are given. The compiler makes sure that no option is forgotten. */
export type Rules<T> = Readonly<Record<T extends unknown ? keyof T : never, Rule>>;

/**
 * Throws if the options are not an object, if an option has a bad value, or if a name looks like a misspelt option:
 * that would otherwise be ignored silently. Other unknown properties are allowed, since options are often part of a
 * larger object. An option that is undefined counts as left out.
 */
export function checkOptions<T extends object>(
  given: T,
  rules: Rules<T>,
  question: string,
  what = 'options',
): void {
  if (!isOptions(given)) throw wrong(`${question}: ${what}`, 'an object', given);
  for (const key in given) {
    const value: unknown = given[key];
    const rule = rules[key as unknown as keyof Rules<T>];
    // Names and poses of bodies, of which there may be a million: a call and its words take longer than everything else here.
    if (value === undefined || rule === anything || (rule === aString && typeof value === 'string')) continue;
    if (Object.hasOwn(rules, key)) {
      rule(value, `${question}: ${key}`);
      continue;
    }
    const meant = meantName(key, Object.keys(rules));
    if (meant !== undefined) throw bad(`${question}: ${what} has no ${key}; perhaps ${meant} is meant`);
  }
  // A plain object is fully checked by now. Instances of a class may have getters, which `for … in` does not visit.
  if (Object.getPrototypeOf(given) === Object.prototype) return;
  for (const key in rules) {
    const value = given[key as unknown as keyof T];
    if (value !== undefined) rules[key as keyof Rules<T>](value, `${question}: ${key}`);
  }
}

/** For options that are checked elsewhere. */
export const anything: Rule = () => {};

export const aFunction: Rule = (given, what) => {
  if (typeof given !== 'function') throw wrong(what, 'a function', given);
};

export const aFlag: Rule = (given, what) => {
  if (typeof given !== 'boolean') throw wrong(what, 'true or false', given);
};

export const aString: Rule = (given, what) => {
  if (typeof given !== 'string') throw wrong(what, 'a string', given);
};

const aSignal: Rule = (given, what) => {
  if (typeof (given as AbortSignal | null)?.aborted !== 'boolean') throw wrong(what, 'an AbortSignal', given);
};

/** Rules for `Limits`. */
export const limitRules = { signal: aSignal, progress: aFunction } as const;

export const oneOf =
  (...known: readonly (string | number)[]): Rule =>
  (given, what) => {
    if (!known.includes(given as string)) throw wrong(what, inOrder(known), given);
  };

/** One of a few words, or an object that `rule` accepts. `others` describes such objects in the message. */
export const oneOfOr =
  (known: readonly string[], others: string, rule: Rule): Rule =>
  (given, what) => {
    if (typeof given === 'object') rule(given, what);
    else if (!known.includes(given as string)) {
      throw bad(`${what} must be ${others}, ${inOrder(known)}, not ${quoted(given)}`);
    }
  };

/** The words as a list in a sentence: 'a', 'b' or 'c'. */
function inOrder(known: readonly (string | number)[]): string {
  const words = known.map(quoted);
  const last = words.pop();
  return words.length === 0 ? `${last}` : `${words.join(', ')} or ${last}`;
}

/** A number that passes the test `holds`. `words` describes such numbers in the message. */
export const aNumber =
  (words: string, holds: (value: number) => boolean): Rule =>
  (given, what) => {
    if (!(typeof given === 'number' && holds(given))) throw wrong(what, words, given);
  };

export const aFiniteNumber = aNumber('a finite number', Number.isFinite);
export const lengthAbove0 = aNumber('a length above 0', value => value > 0 && value < Infinity);
export const lengthFrom0 = aNumber('a length, 0 or more', value => value >= 0 && value < Infinity);
/** A search radius. Infinity means no limit. */
export const distanceAbove0 = aNumber('a distance above 0', value => value > 0);
export const distanceFrom0 = aNumber('a distance, 0 or more', value => value >= 0);

export const wholeNumber =
  (least: number, most = Infinity): Rule =>
  (given, what) => {
    if (!(Number.isInteger(given) && (given as number) >= least)) {
      throw wrong(what, least === 1 ? 'a whole number above 0' : `a whole number, ${least} or more`, given);
    }
    if ((given as number) > most) throw wrong(what, `a whole number up to ${most}`, given);
  };

/** How many pixels an image of the scene has along its longer side. 8192 is what every WebGPU device can draw. */
export const imageResolution = wholeNumber(1, 8192);

/** `count` finite numbers, in any kind of array. */
export const numbers =
  (count: number, each: Rule = aFiniteNumber): Rule =>
  (given, what) => {
    if (!isObject(given)) throw wrong(what, `${count} numbers`, given);
    const list = given as ArrayLike<unknown>;
    if (list.length !== count) throw bad(`${what} must be ${count} numbers, not ${inWords(list.length)}`);
    for (let i = 0; i < count; i++) each(list[i], `${what}[${i}]`);
  };
export const aVector = numbers(3);

type ArrayKind = abstract new (...given: never[]) => ArrayBufferView & { readonly length: number };

/**
 * Returns a typed array of one of these kinds, or throws 'bad-array'. An array with a detached buffer looks empty and
 * is refused.
 */
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
  throw new NearfieldError('bad-array', `${what} must be ${names}, not ${inWords(given)}${help}`);
}

function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    // Throws only for a detached buffer; a length is never below 0.
    return new Uint8Array(buffer).length < 0;
  } catch {
    return true;
  }
}

/**
 * A copy of the points as doubles, x, y, z per point. Copied because the caller may change the array while a question
 * waits.
 */
export const pointsOf = (given: unknown, what = 'points'): Float64Array<ArrayBuffer> =>
  finiteNumbers(given, what, 'point', axesOfPoint);

const axesOfPoint = ['x', 'y', 'z'];

/** The same array, if it is one of points. Its numbers are not looked at: a GPU checks many of them sooner. */
export const pointsAsGiven = (given: unknown): Float32Array | Float64Array =>
  arrayOfThings(given, 'points', 'point', axesOfPoint);

/** Throws 'not-finite' if a number of a point is not. */
export const checkPoints = (points: Float64Array): void =>
  checkFinite(points, 'points', 'point', axesOfPoint);

/**
 * Copies rays, six numbers each: origin and direction. Throws 'bad-array' or 'not-finite', 'bad-option' for a direction of 0.
 * `provide` gives the memory of the copy.
 */
export function raysOf(given: unknown, provide: (length: number) => Float64Array): Float64Array {
  const parts = ['origin', 'direction'].flatMap(part =>
    ['x', 'y', 'z'].map(axis => `${axis} of the ${part}`),
  );
  const array = arrayOfThings(given, 'rays', 'ray', parts);
  const doubles = provide(array.length);
  doubles.set(array);
  checkFinite(doubles, 'rays', 'ray', parts);
  for (let i = 0; i < doubles.length; i += 6) {
    if (doubles[i + 3] !== 0 || doubles[i + 4] !== 0 || doubles[i + 5] !== 0) continue;
    throw bad(`rays: the direction of ray ${i / 6} is 0 0 0`);
  }
  return doubles;
}

/** Copies boxes, six numbers each: low x, y, z, then high. Throws 'bad-array' or 'not-finite', 'bad-option' if a low end is above the high one. */
export function boxesOf(given: unknown): Float64Array<ArrayBuffer> {
  const axes = ['x', 'y', 'z'];
  const parts = ['low', 'high'].flatMap(end => axes.map(axis => `${end} ${axis}`));
  const doubles = finiteNumbers(given, 'boxes', 'box', parts);
  for (let i = 0; i < doubles.length; i += 6) {
    for (let k = i; k < i + 3; k++) {
      if (doubles[k] <= doubles[k + 3]) continue;
      const ends = `the low ${axes[k - i]} ${doubles[k]} is above the high ${doubles[k + 3]}`;
      throw bad(`boxes: ${ends} of box ${i / 6}`);
    }
  }
  return doubles;
}

/**
 * Copies spheres, four numbers each: centre and radius. Throws 'bad-array' or 'not-finite', 'bad-option' for a radius
 * below 0.
 */
export function spheresOf(given: unknown): Float64Array<ArrayBuffer> {
  const doubles = finiteNumbers(given, 'spheres', 'sphere', ['x', 'y', 'z', 'radius']);
  for (let i = 3; i < doubles.length; i += 4) {
    if (doubles[i] < 0) throw bad(`spheres: the radius of sphere ${(i - 3) / 4} is below 0: ${doubles[i]}`);
  }
  return doubles;
}

/** Copies an array of things of several numbers each; `parts` names the numbers of a thing. */
function finiteNumbers(
  given: unknown,
  what: string,
  thing: string,
  parts: readonly string[],
): Float64Array<ArrayBuffer> {
  const doubles = new Float64Array(arrayOfThings(given, what, thing, parts));
  checkFinite(doubles, what, thing, parts);
  return doubles;
}

function arrayOfThings(
  given: unknown,
  what: string,
  thing: string,
  { length: each }: readonly string[],
): Float32Array | Float64Array {
  const array = arrayOf(given, what, Float32Array, Float64Array);
  if (array.length % each !== 0) {
    throw new NearfieldError(
      'bad-array',
      `${what}: expected ${each} numbers per ${thing}, so a multiple of ${each}; got ${array.length}`,
    );
  }
  return array;
}

function checkFinite(numbers: Float64Array, what: string, thing: string, parts: readonly string[]): void {
  // 0 times a number that is not finite is NaN. One question about the sum takes a third of the time of one per number.
  let zero = 0;
  for (let i = 0; i < numbers.length; i++) zero += 0 * numbers[i];
  if (zero === 0) return;
  const each = parts.length;
  for (let i = 0; i < numbers.length; i++) {
    if (Number.isFinite(numbers[i])) continue;
    const place = `${what}: ${parts[i % each]} of ${thing} ${Math.floor(i / each)}`;
    throw new NearfieldError('not-finite', `${place} is ${numbers[i]}`);
  }
}
