// Checks what callers give, before anything is asked of the database. Each throws 'bad-option' with what was expected.

import { NearfieldError } from 'nearfield';

export const bad = (message: string): NearfieldError => new NearfieldError('bad-option', message);

export function textOf(value: unknown, what: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw bad(`${what} is a text that is not empty, not ${inWords(value)}`);
}

export function objectOf<T>(value: T, what: string): T & object {
  if (typeof value === 'object' && value !== null) return value;
  throw bad(`${what} is an object, not ${inWords(value)}`);
}

/** A value as JSON. What JSON has no text for, such as a function, or what holds itself, is refused. */
export function jsonOf(value: unknown, what: string): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (error) {
    throw new NearfieldError('bad-option', `${what} cannot be written as JSON`, { cause: error });
  }
  throw bad(`${what} is a value that JSON has, not ${inWords(value)}`);
}

const inWords = (value: unknown): string =>
  typeof value === 'string' ? `"${value}"` : value === null ? 'null' : typeof value;
