// Reads the JSON of an untrusted file. Every step into it knows its path. A value of the wrong type throws a
// `bad-file` error that names the path.

import { badFile, quoted } from '../reading/file-error.ts';

export class CheckedJson {
  readonly #above: CheckedJson | undefined;
  readonly #key: string | number | undefined;

  constructor(
    readonly file: string,
    readonly value: unknown,
    /** The object or array that has this value, and the name or index that it has there. */
    above?: CheckedJson,
    key?: string | number,
  ) {
    this.#above = above;
    this.#key = key;
  }

  /** The JSON path. It is composed only on demand: a file may have millions of values, and errors are rare. */
  get path(): string {
    const above = this.#above?.path ?? '';
    if (this.#key === undefined) return above;
    if (typeof this.#key === 'number') return `${above}[${this.#key}]`;
    return above === '' ? this.#key : `${above}.${this.#key}`;
  }

  fail(what: string): never {
    return badFile(this.file, this.path, what);
  }

  private describe(): string {
    const { value } = this;
    if (value === null) return 'null';
    if (Array.isArray(value)) return 'an array';
    if (typeof value === 'object') return 'an object';
    return typeof value === 'string' ? quoted(value) : String(value);
  }

  /** The property, or undefined if the object lacks it. */
  get(key: string): CheckedJson | undefined {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.fail(`must be an object, not ${this.describe()}`);
    }
    const child = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
    return child === undefined ? undefined : new CheckedJson(this.file, child, this, key);
  }

  need(key: string): CheckedJson {
    return this.get(key) ?? this.fail(`${quoted(key)} is missing`);
  }

  extension(name: string): CheckedJson | undefined {
    return this.get('extensions')?.get(name);
  }

  private asArray(): unknown[] {
    return Array.isArray(this.value) ? this.value : this.fail(`must be an array, not ${this.describe()}`);
  }

  get length(): number {
    return this.asArray().length;
  }

  at(index: number): CheckedJson {
    return new CheckedJson(this.file, this.asArray()[index], this, index);
  }

  /** Treats the number `index` as a reference of the file to an item of this array. */
  reference(index: number): CheckedJson {
    return new CheckedJson(this.file, index, this);
  }

  *items(): Generator<CheckedJson> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }

  string(): string {
    return typeof this.value === 'string'
      ? this.value
      : this.fail(`must be a string, not ${this.describe()}`);
  }

  number(): number {
    return typeof this.value === 'number' && Number.isFinite(this.value)
      ? this.value
      : this.fail(`must be a finite number, not ${this.describe()}`);
  }

  integer(least = 0, most = Number.MAX_SAFE_INTEGER): number {
    const { value } = this;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      this.fail(`must be a whole number from ${least} to ${most}, not ${this.describe()}`);
    }
    return value;
  }

  boolean(): boolean {
    return typeof this.value === 'boolean'
      ? this.value
      : this.fail(`must be true or false, not ${this.describe()}`);
  }

  numbers(count: number): Float64Array {
    if (this.length !== count) this.fail(`must have ${count} numbers, not ${this.length}`);
    const values = this.asArray();
    const numbers = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const value = values[i];
      // Only a wrong value needs its path.
      numbers[i] = typeof value === 'number' && Number.isFinite(value) ? value : this.at(i).number();
    }
    return numbers;
  }
}

/** The item of the top-level array `name` that `reference` gives by index. */
export function referred(root: CheckedJson, name: string, reference: CheckedJson): CheckedJson {
  const list = root.get(name);
  const count = list?.length ?? 0;
  const index = reference.integer();
  if (list === undefined || index >= count) {
    reference.fail(`refers to ${name}[${index}], but there are ${count}`);
  }
  return list.at(index);
}
