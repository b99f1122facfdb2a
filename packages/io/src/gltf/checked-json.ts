// Reads the JSON of an untrusted file. Every step into it knows its path. A value of the wrong type throws a
// `bad-file` error that names the path.

import { badFile, quoted } from '../reading/file-error.ts';

export class CheckedJson {
  constructor(
    readonly file: string,
    readonly value: unknown,
    readonly path: string,
  ) {}

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
    return child === undefined ? undefined : new CheckedJson(this.file, child, join(this.path, key));
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
    return new CheckedJson(this.file, this.asArray()[index], `${this.path}[${index}]`);
  }

  /** Treats the number `index` as a reference of the file to an item of this array. */
  reference(index: number): CheckedJson {
    return new CheckedJson(this.file, index, this.path);
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
    return Float64Array.from({ length: count }, (_, i) => this.at(i).number());
  }
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

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
