// Which functions there are: those that modules export, and those of everything they give. So the table cannot forget one.

import * as three from 'three';

const builtIn = new Set<unknown>(
  [Object, Array, Map, Set, Promise, Error, AbortSignal, ArrayBuffer, Function]
    .map(({ prototype }): unknown => prototype)
    .concat(Object.getPrototypeOf(Uint8Array.prototype)),
);
const classesOfThree = new Set<unknown>(Object.values(three));

/** Marked @internal. */
const hidden = new Set(['question', 'core']);

const isClass = (value: unknown): boolean => /^class\b/.test(Function.prototype.toString.call(value));
const nameOf = (key: string | symbol): string => (typeof key === 'symbol' ? `[${key.description}]` : key);

export class Discovery {
  readonly names = new Set<string>();
  readonly #seen = new Set<unknown>();

  /** What a module exports, its own modules included. */
  module(exported: object, prefix = ''): this {
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value === 'function') {
        if (isClass(value)) this.#prototype(value.prototype);
        else this.names.add(`${prefix}${name}`);
      } else if (Object.prototype.toString.call(value) === '[object Module]') {
        this.module(value as object, `${prefix}${name}.`);
      }
    }
    return this;
  }

  /** What a function gave, and what that holds, two steps down. */
  given(value: unknown, by: string, depth = 3): void {
    if (typeof value === 'function') this.names.add(`${by}()`);
    if (typeof value !== 'object' || value === null || depth === 0) return;
    if (this.#seen.has(value)) return;
    this.#seen.add(value);
    const prototype = Object.getPrototypeOf(value);
    const isPlain = prototype === Object.prototype || prototype === null;
    if (Array.isArray(value)) {
      this.given(value[0], by, depth - 1);
      return;
    }
    if (
      ArrayBuffer.isView(value) ||
      ('next' in value && Symbol.iterator in value) ||
      classesOfThree.has(prototype?.constructor)
    )
      return;
    if (!isPlain) this.#prototype(prototype);
    for (const key of isPlain ? Object.keys(value) : [...Object.keys(value), ...gettersOf(prototype)]) {
      if (hidden.has(key)) continue;
      let held: unknown;
      try {
        held = (value as Record<string, unknown>)[key];
      } catch {
        continue;
      }
      if (typeof held === 'function') {
        if (isPlain) this.names.add(`${by}().${key}`);
      } else this.given(held, by, depth - 1);
    }
    if (isPlain && Symbol.asyncIterator in value) this.names.add(`${by}().[Symbol.asyncIterator]`);
  }

  #prototype(prototype: object | null): void {
    if (prototype === null || builtIn.has(prototype) || this.#seen.has(prototype)) return;
    this.#seen.add(prototype);
    const name = prototype.constructor.name.replace('BareScene', 'Scene').replace('Host', 'Nearfield');
    for (const key of Reflect.ownKeys(prototype)) {
      if (key === 'constructor') continue;
      const { value, set } = Object.getOwnPropertyDescriptor(prototype, key)!;
      if (typeof value === 'function') this.names.add(`${name}.${nameOf(key)}`);
      if (set !== undefined) this.names.add(`set ${name}.${nameOf(key)}`);
    }
    this.#prototype(Object.getPrototypeOf(prototype));
  }
}

function gettersOf(prototype: object | null): string[] {
  const names: string[] = [];
  for (let at = prototype; at !== null && !builtIn.has(at); at = Object.getPrototypeOf(at)) {
    for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (get !== undefined) names.push(key);
    }
  }
  return names;
}
