// Checks of numbers and arrays in options, with errors that name what is wrong.

import { arrayOf, bad, inWords } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Vector } from './colliders/shapes.ts';

/** Beyond this, products of coordinates leave the range in which their rounding errors are known. */
export const greatest = 1e30;

/** A finite number no larger than `greatest` in magnitude. */
export function finiteNumber(value: unknown, what: string): number {
  if (typeof value !== 'number') throw bad(`${what} must be a number, not ${inWords(value)}`);
  if (!Number.isFinite(value)) throw new NearfieldError('not-finite', `${what} is ${value}`);
  if (Math.abs(value) > greatest) throw bad(`${what} is ${value}, beyond the limit of ${greatest}`);
  return value;
}

export function positive(value: unknown, what: string): number {
  if (!(finiteNumber(value, what) > 0)) throw bad(`${what} must be above 0, not ${value}`);
  return value as number;
}

export function atLeastZero(value: unknown, what: string): number {
  if (!(finiteNumber(value, what) >= 0)) throw bad(`${what} must be at least 0, not ${value}`);
  return value as number;
}

export function wholeNumber(value: unknown, low: number, high: number, what: string): number {
  if (!Number.isInteger(value) || !((value as number) >= low && (value as number) <= high)) {
    throw bad(`${what} must be a whole number from ${low} to ${high}, not ${inWords(value)}`);
  }
  return value as number;
}

export function finiteVector(value: unknown, what: string): Vector {
  const given = value as ArrayLike<number> | null | undefined;
  if (typeof given !== 'object' || given === null || given.length !== 3) {
    throw bad(`${what} must be three numbers, not ${inWords(value)}`);
  }
  return [0, 1, 2].map(axis => finiteNumber(given[axis], `${what}, ${'xyz'[axis]}`)) as unknown as Vector;
}

/** The vector divided by its length. If its length is 1 to the last bit or two, it is left as it is. */
export function unitVector(value: unknown, what: string): Vector {
  const given = finiteVector(value, what);
  const size = Math.max(Math.abs(given[0]), Math.abs(given[1]), Math.abs(given[2]));
  if (size === 0) throw bad(`${what} is 0 0 0 and has no direction`);
  const [x, y, z] = given.map(part => part / size);
  const squared = x * x + y * y + z * z;
  if (Math.abs(squared * size * size - 1) <= 2 ** -51) return given;
  const length = Math.sqrt(squared);
  return [x / length, y / length, z / length];
}

/** An array of `length` finite numbers. `each` is how many a particle has, for messages. */
export function finiteArray(given: unknown, length: number, each: number, what: string): void {
  const value = arrayOf(given, what, Float32Array, Float64Array);
  if (value.length !== length) {
    throw new NearfieldError('bad-array', `${what} has ${value.length} numbers, not ${length}`);
  }
  for (let i = 0; i < length; i++) {
    if (Math.abs(value[i]) <= greatest) continue;
    const which = `${what} of particle ${Math.floor(i / each)}${each === 3 ? `, ${'xyz'[i % 3]},` : ''} is ${value[i]}`;
    throw Number.isFinite(value[i])
      ? bad(`${which}, beyond the limit of ${greatest}`)
      : new NearfieldError('not-finite', which);
  }
}

/** A time in seconds, within the ticks that a system can count. */
export function checkTime(
  time: unknown,
  what: string,
  { mostTicks, tick }: { readonly mostTicks: number; readonly tick: number },
): void {
  if (typeof time !== 'number' || !Number.isFinite(time))
    throw bad(`${what} must be a number of seconds, not ${inWords(time)}`);
  const most = mostTicks * tick;
  if (Math.abs(time) > most) throw bad(`${what} is ${time} s, beyond the limit of ${most} s`);
}

/** A list of particles, by index. */
export function checkWhich(which: Uint32Array, count: number): void {
  arrayOf(which, 'which', Uint32Array);
  const beyond = which.findIndex(particle => particle >= count);
  if (beyond >= 0) {
    throw new NearfieldError(
      'index-out-of-range',
      `which names particle ${which[beyond]}, but there are ${count}`,
    );
  }
}
