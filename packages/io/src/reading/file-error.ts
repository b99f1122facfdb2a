// How readers refuse a file: one NearfieldError that names the file, the place in it and what is wrong there.

import { type ErrorCode, NearfieldError } from 'nearfield';

/** Throws `bad-file`. `place` is a line, a byte offset or a JSON path; empty for the whole file. */
export function badFile(file: string, place: string, what: string, cause?: unknown): never {
  throw fileError('bad-file', file, place, what, cause);
}

/** Throws `unsupported`: the file may be valid, but it needs something that Nearfield does not read. */
export function unsupportedFile(file: string, place: string, what: string): never {
  throw fileError('unsupported', file, place, what);
}

function fileError(
  code: ErrorCode,
  file: string,
  place: string,
  what: string,
  cause?: unknown,
): NearfieldError {
  const where = place === '' ? file : `${file}: ${place}`;
  return new NearfieldError(code, `${where}: ${what}`, cause === undefined ? undefined : { cause });
}

/** Describes a wrong value in a few words, in the same way as the library, which does not export this function. */
export function inWords(given: unknown): string {
  if (typeof given === 'string') return quoted(given);
  if (typeof given === 'bigint') return `${given}n`;
  if (typeof given === 'function') return 'a function';
  if (typeof given !== 'object' || given === null) return String(given);
  const name: unknown = given.constructor?.name;
  return typeof name === 'string' && name !== '' && name !== 'Object' ? name : 'an object';
}

/** Text from a file, for a message: quoted, without control characters, cut to a readable length. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text);
}
