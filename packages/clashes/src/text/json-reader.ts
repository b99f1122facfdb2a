// Reads the JSON of an untrusted file: rules, statuses, an earlier answer. Every step into it knows its path. A value of
// the wrong type throws a 'bad-file' error that names the file, the path and what is expected.

import { findRepeatedKey } from '@nearfield/io';
import { NearfieldError } from 'nearfield';
import { visible } from './escape.ts';
import { didYouMean } from './nearest.ts';

/** The limit of nesting, far beyond files that people write: readers recurse, and must not run out of stack. */
const deepest = 64;

export class JsonReader {
  private constructor(
    readonly file: string,
    readonly value: unknown,
    private readonly parent?: JsonReader,
    private readonly key?: string | number,
    private readonly depth = 0,
  ) {}

  /** Refuses what is no JSON, and objects with the same key twice, of which JSON.parse silently keeps the last. */
  static read(file: string, text: string): JsonReader {
    const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
    let value: unknown;
    try {
      value = JSON.parse(plain);
    } catch (error) {
      const why = error instanceof Error ? visible(shortened(error.message, 200)) : '';
      throw new NearfieldError('bad-file', `${file}: not valid JSON: ${why}`, { cause: error });
    }
    const repeated = findRepeatedKey(plain);
    if (repeated) {
      const where = pathOf(repeated.path);
      throw new NearfieldError('bad-file', `${file}: ${where}: ${quoted(repeated.key)} is given twice`);
    }
    return new JsonReader(file, value);
  }

  /** `$.tests[2].between`, for messages. */
  get path(): string {
    const keys: (string | number)[] = [];
    for (let at: JsonReader = this; at.parent !== undefined; at = at.parent) keys.push(at.key!);
    return pathOf(keys.reverse());
  }

  fail(what: string): never {
    throw new NearfieldError('bad-file', `${this.file}: ${this.path}: ${what}`);
  }

  /** Fails because the value is something else than what `expected` says. */
  expected(expected: string): never {
    return this.fail(`expected ${expected}, got ${inWords(this.value)}`);
  }

  private child(key: string | number, value: unknown): JsonReader {
    if (this.depth === deepest) this.fail(`nested more than ${deepest} levels deep`);
    return new JsonReader(this.file, value, this, key, this.depth + 1);
  }

  get isObject(): boolean {
    return typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value);
  }

  private asObject(expected: string): Record<string, unknown> {
    return this.isObject ? (this.value as Record<string, unknown>) : this.expected(expected);
  }

  /** Refuses fields other than these, and names the nearest. */
  only(fields: readonly string[], expected = 'an object'): this {
    for (const name of Object.keys(this.asObject(expected))) {
      if (fields.includes(name)) continue;
      const hint = didYouMean(name, fields) || `; the fields are ${fields.join(', ')}`;
      this.fail(`${quoted(name)} is not known here${hint}`);
    }
    return this;
  }

  /** A field, or undefined if it is missing. */
  get(name: string): JsonReader | undefined {
    const object = this.asObject('an object');
    return Object.hasOwn(object, name) ? this.child(name, object[name]) : undefined;
  }

  need(name: string): JsonReader {
    return this.get(name) ?? this.fail(`${quoted(name)} is missing`);
  }

  /** All fields, in the order of the file. */
  *entries(expected = 'an object'): Generator<[string, JsonReader]> {
    for (const [name, value] of Object.entries(this.asObject(expected)))
      yield [name, this.child(name, value)];
  }

  get isArray(): boolean {
    return Array.isArray(this.value);
  }

  items(expected = 'an array'): JsonReader[] {
    if (!Array.isArray(this.value)) return this.expected(expected);
    return this.value.map((value, i) => this.child(i, value));
  }

  text(expected = 'a text'): string {
    return typeof this.value === 'string' ? this.value : this.expected(expected);
  }

  number(expected = 'a finite number'): number {
    const { value } = this;
    return typeof value === 'number' && Number.isFinite(value) ? value : this.expected(expected);
  }

  /** A number that is not negative. */
  size(expected = 'a number that is not negative'): number {
    const value = this.number(expected);
    return value >= 0 ? value : this.expected(expected);
  }

  /** An index below a count. */
  index(count: number): number {
    const { value } = this;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count) return value;
    return this.expected(count === 0 ? 'nothing' : `a whole number from 0 to ${count - 1}`);
  }

  oneOf<T extends string>(words: readonly T[]): T {
    const found = words.find(word => word === this.value);
    if (found !== undefined) return found;
    const hint = typeof this.value === 'string' ? didYouMean(this.value, words) : '';
    return this.fail(`expected one of ${words.join(', ')}, got ${inWords(this.value)}${hint}`);
  }

  /** This many finite numbers. */
  numbers(count: number): number[] {
    const { value } = this;
    if (!Array.isArray(value) || value.length !== count) return this.expected(`an array of ${count} numbers`);
    return Array.from(value, (each, i) => (Number.isFinite(each) ? each : this.child(i, each).number()));
  }
}

/** `$.tests[2].between`, for messages. */
export const pathOf = (keys: readonly (string | number)[]): string =>
  `$${keys
    .map(key =>
      typeof key === 'number' ? `[${key}]` : /^[\w$-]{1,60}$/.test(key) ? `.${key}` : `[${quoted(key)}]`,
    )
    .join('')}`;

function inWords(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** Text from a file for a message, cut to a readable length. */
export const quoted = (text: string): string => visible(JSON.stringify(shortened(text, 60)));

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
