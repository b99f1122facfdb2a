// What does a file say about a part? Flattens nested values, such as the extras of glTF, into one list of names and
// values. The list is bounded, so that a hostile file cannot make every body carry a library.

import type { PartProperties } from '../read-result.ts';

/** A part has at most so many values; the rest is left out. */
export const mostProperties = 256;
/** Longer texts are left out: pictures and scripts, not properties. */
const longestText = 4096;
const longestName = 256;
const deepest = 16;

export interface Flattened {
  /** Undefined if there are none. */
  readonly properties: PartProperties | undefined;
  /** True if something was left out: too many, too long, too deep. */
  readonly cut: boolean;
}

/** `{ a: { b: 1 }, c: [2, 3] }` → `a.b` 1, `c.0` 2, `c.1` 3. Values that are null are left out. */
export function flattenProperties(value: unknown): Flattened {
  const values = new Map<string, string | number | boolean>();
  let cut = false;
  const enter = (name: string, child: unknown, depth: number): void => {
    if (cut && values.size >= mostProperties) return;
    if (typeof child === 'object' && child !== null) {
      if (depth >= deepest) cut = true;
      else {
        for (const key in child) {
          if (cut && values.size >= mostProperties) return;
          const inner = (child as Record<string, unknown>)[key];
          enter(name === '' ? key : `${name}.${key}`, inner, depth + 1);
        }
      }
    } else if (typeof child === 'number' || typeof child === 'boolean' || typeof child === 'string') {
      const long = name.length > longestName || (typeof child === 'string' && child.length > longestText);
      if (long || values.size >= mostProperties) cut = true;
      // An extras that is a single value has no name of its own.
      else values.set(name === '' ? 'extras' : name, child);
    }
  };
  enter('', value, 0);
  return { properties: values.size > 0 ? Object.fromEntries(values) : undefined, cut };
}
