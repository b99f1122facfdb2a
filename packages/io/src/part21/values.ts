// What do the arguments of a record say? Numbers, strings, references, lists and typed values such as
// `IFCLABEL('a')`, parsed from the bytes of a record whose parentheses and quotes have been checked.

import { badFile, quoted } from '../reading/file-error.ts';
import { decodeText } from './text.ts';

/** `#12` */
export interface Reference {
  readonly ref: number;
}

/** `.MILLI.` */
export interface Word {
  readonly word: string;
}

/** `NAME(…)`: a record, a part of one, or a typed value. */
export interface Part {
  readonly name: string;
  readonly args: readonly Value[];
}

/** An argument. `$` and `*` are null. */
export type Value = null | number | string | Reference | Word | Part | readonly Value[];

export const refOf = (value: Value | undefined): number | undefined =>
  typeof value === 'object' && value !== null && 'ref' in value ? value.ref : undefined;

export const wordOf = (value: Value | undefined): string | undefined =>
  typeof value === 'object' && value !== null && 'word' in value ? value.word : undefined;

export const partOf = (value: Value | undefined): Part | undefined =>
  typeof value === 'object' && value !== null && 'name' in value ? value : undefined;

export const listOf = (value: Value | undefined): readonly Value[] =>
  Array.isArray(value) ? (value as readonly Value[]) : [];

/** The references in a list, or the one that stands in its place. */
export const refsOf = (value: Value | undefined): number[] =>
  [value, ...listOf(value)].flatMap(item => refOf(item) ?? []);

/** A number, bare or typed. */
export function numberOf(value: Value | undefined): number | undefined {
  const bare = partOf(value)?.args[0] ?? value;
  return typeof bare === 'number' ? bare : undefined;
}

/** A text that is not empty, bare or typed. */
export function textOf(value: Value | undefined): string | undefined {
  const bare = partOf(value)?.args[0] ?? value;
  return typeof bare === 'string' && bare.trim() !== '' ? bare : undefined;
}

const tokens =
  /\s+|\/\*[\s\S]*?\*\/|([A-Za-z_!][\w-]*)\s*\(|'([^']*(?:''[^']*)*)'|#(\d+)|\.([A-Za-z_][\w]*)\.|([+-]?\d+(?:\.\d*)?(?:[Ee][+-]?\d+)?)|"([0-9A-Fa-f]*)"|([()$*,])/y;

const latin1 = new TextDecoder('latin1');

/** The parts of a record: `NAME(…)` is one, `(A(…) B(…))` are several. */
export function parseParts(file: string, bytes: Uint8Array, start: number, end: number): Part[] {
  // One character per byte, so that the tokens see no invalid text. Strings are decoded one by one.
  const text = latin1.decode(bytes.subarray(start, end));
  const fail = (at: number): never =>
    badFile(file, `record ${quoted(text)}`, `character ${at + 1} is not understood`);
  const parts: Value[] = [];
  const stack: Value[][] = [];
  let list: Value[] = parts;
  tokens.lastIndex = 0;
  while (tokens.lastIndex < text.length) {
    const at = tokens.lastIndex;
    const token = tokens.exec(text);
    if (token === null) return fail(at);
    const [, name, string, reference, word, number, binary, sign] = token;
    if (name !== undefined) {
      const args: Value[] = [];
      list.push({ name: name.toUpperCase(), args });
      stack.push(list);
      list = args;
    } else if (string !== undefined) list.push(decodeText(string));
    else if (reference !== undefined) list.push({ ref: Number(reference) });
    else if (word !== undefined) list.push({ word: word.toUpperCase() });
    else if (number !== undefined) list.push(Number(number));
    else if (binary !== undefined) list.push(binary);
    else if (sign === '(') {
      const inner: Value[] = [];
      list.push(inner);
      stack.push(list);
      list = inner;
    } else if (sign === ')') list = stack.pop() ?? fail(at);
    else if (sign === '$' || sign === '*') list.push(null);
  }
  const several = parts.length === 1 && Array.isArray(parts[0]) ? (parts[0] as Value[]) : parts;
  return several.map(value => partOf(value) ?? fail(0));
}
