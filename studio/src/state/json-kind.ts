// JSON files that are no models. What a file says tells which it is.

import { JsonReader } from '@nearfield/clashes';

export type JsonKind = 'review' | 'statuses' | 'rules' | 'poses' | 'joints';

/** What the file is; throws 'bad-file' if it is no JSON. */
export function kindOf(name: string, text: string): JsonKind {
  const root = JsonReader.read(name, text);
  const isValues = (frame: JsonReader) =>
    frame.isObject && [...frame.entries()].some(([, { value }]) => typeof value === 'number');
  if (!root.isObject) return root.isArray && root.items().some(isValues) ? 'joints' : 'poses';
  if (root.get('kind')?.value === 'nearfield-review') return 'review';
  if (root.get('clashes')?.isObject) return 'statuses';
  if (isValues(root) && [...root.entries()].every(([, { value }]) => typeof value === 'number'))
    return 'joints';
  const poses = [...root.entries()].some(
    ([, value]) => value.isArray && (value.value as unknown[]).length === 16,
  );
  return poses ? 'poses' : 'rules';
}
