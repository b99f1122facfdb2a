// How readers refuse: one NearfieldError that names the file, the place in it and what is wrong there.

import { type ErrorCode, NearfieldError } from 'nearfield';

/** Throws `bad-file`. `place` is a line, a byte offset or a JSON path; empty where the whole file is meant. */
export function badFile(file: string, place: string, what: string, cause?: unknown): never {
  throw fileError('bad-file', file, place, what, cause);
}

/** Throws `unsupported`: the file may be sound, but it asks for something Nearfield does not read. */
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

/** What was given in place of something else, in a few words: as the library, which does not export it, says it. */
export function inWords(given: unknown): string {
  if (typeof given === 'string') return quoted(given);
  if (typeof given === 'bigint') return `${given}n`;
  if (typeof given === 'function') return 'a function';
  if (typeof given !== 'object' || given === null) return String(given);
  const name: unknown = given.constructor?.name;
  return typeof name === 'string' && name !== '' && name !== 'Object' ? name : 'an object';
}

/** Text from a file, fit for a message: quoted, without control characters, cut to a length people read. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text);
}
