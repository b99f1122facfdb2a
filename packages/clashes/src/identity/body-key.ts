// What identifies a body in a later run? The id that its file gives it; else its path in the file's structure, or its
// name, and the file's name without folders and extension. Indices change with every export.

import type { PastBody } from '../assembly/types.ts';
import { each, mapped, type Steps } from '../steps/steps.ts';
import { quotedJson } from '../text/escape.ts';
import { baseName } from '../text/paths.ts';

/** What a body is known by. */
export type NamedBody = Pick<PastBody, 'name' | 'file' | 'path' | 'id'>;

/** The name of a file without folders and extension: `models/house.ifc` and `house.glb` are `house`. */
export function fileKey(file: string | undefined): string {
  if (file === undefined) return '';
  const last = baseName(file);
  const dot = last.lastIndexOf('.');
  return dot > 0 ? last.slice(0, dot) : last;
}

/** Unambiguous whatever characters the names have: a name cannot look like a path. */
export function pathKey(file: string, path: readonly string[]): string {
  let text = `[${quotedJson(file)}`;
  for (const name of path) text += `,${quotedJson(name)}`;
  return `${text}]`;
}

/** What stays the same when the file is exported again. Several bodies may share it. */
export function bodyKey({ name, file, path, id }: NamedBody): string {
  return id === undefined ? pathKey(fileKey(file), path ?? [name]) : JSON.stringify({ id });
}

/** The middle of a body's box, if it is known. */
export function centerOf(body: Pick<PastBody, 'fingerprint'>): readonly number[] | undefined {
  const box = body.fingerprint?.box;
  return box && [0, 1, 2].map(axis => box[axis] / 2 + box[axis + 3] / 2);
}

/** The length of the diagonal of a body's box; 0 if it is not known. */
export function diagonalOf(body: Pick<PastBody, 'fingerprint'>): number {
  const box = body.fingerprint?.box;
  return box ? Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) : 0;
}

/**
 * The key of each body. Bodies that share a key are numbered in order of place: by x, then y, then z of the middle of
 * their boxes.
 */
export function* bodyIdentities(
  bodies: readonly (NamedBody & Pick<PastBody, 'fingerprint'>)[],
): Steps<string[]> {
  const identities = yield* mapped(bodies, bodyKey);
  // Most keys belong to one body: a list is made for the others only.
  const sharing = new Map<string, number | number[]>();
  yield* each(identities, (key, i) => {
    const known = sharing.get(key);
    if (known === undefined) sharing.set(key, i);
    else if (typeof known === 'number') sharing.set(key, [known, i]);
    else known.push(i);
  });
  for (const [key, indices] of sharing) {
    if (typeof indices === 'number') continue;
    orderByPlace(indices, i => centerOf(bodies[i])).forEach((i, order) => {
      identities[i] = `${key}#${order}`;
    });
  }
  return identities;
}

/**
 * Items in order of their places. Coordinates are rounded to a 16,384th of the extent first: in a row of bolts, the
 * last digits must not decide which x is smaller. Items without a place come last, in the order given.
 */
export function orderByPlace<T>(
  items: readonly T[],
  placeOf: (item: T) => readonly number[] | undefined,
): T[] {
  const places = items.map(placeOf);
  const low = [0, 1, 2].map(axis =>
    places.reduce((least, p) => Math.min(least, p?.[axis] ?? least), Infinity),
  );
  const high = [0, 1, 2].map(axis =>
    places.reduce((most, p) => Math.max(most, p?.[axis] ?? most), -Infinity),
  );
  const extent = Math.max(...[0, 1, 2].map(axis => high[axis] - low[axis]));
  const step = extent > 0 ? extent / 2 ** 14 : 1;
  const rounded = places.map(place => place?.map((value, axis) => Math.round((value - low[axis]) / step)));
  const compare = (p: readonly number[] | undefined, q: readonly number[] | undefined): number => {
    if (p === undefined || q === undefined) return (p ? 0 : 1) - (q ? 0 : 1);
    return p[0] - q[0] || p[1] - q[1] || p[2] - q[2];
  };
  return items
    .map((_, i) => i)
    .sort((i, j) => compare(rounded[i], rounded[j]) || compare(places[i], places[j]) || i - j)
    .map(i => items[i]);
}
