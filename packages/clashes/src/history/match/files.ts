// Which of today's files is which of last week's? By name; else by name without folders and extension; else by content;
// else by the names of its parts, for `house-v3.glb` that has become `house-v4.glb`.

import type { GivenFile, PastBody } from '../../assembly/types.ts';
import { fileKey, pathKey } from '../../identity/body-key.ts';

type File = Pick<GivenFile, 'name' | 'hash'>;

export interface FileSide {
  readonly files: readonly File[];
  readonly bodies: readonly PastBody[];
}

/** Today's name of the baseline's files that were found again. */
export function matchFiles(baseline: FileSide, today: FileSide): Map<string, string> {
  const found = new Map<string, string>();
  const taken = new Set<string>();
  const match = (was: string, now: string) => {
    found.set(was, now);
    taken.add(now);
  };
  const rounds: ((file: File) => string)[] = [
    file => file.name,
    file => fileKey(file.name),
    // A file without a hash is equal to none.
    file => file.hash && `content ${file.hash}`,
  ];
  for (const keyOf of rounds) {
    const left = uniqueBy(
      today.files.filter(({ name }) => !taken.has(name)),
      keyOf,
    );
    const before = uniqueBy(
      baseline.files.filter(({ name }) => !found.has(name)),
      keyOf,
    );
    for (const [key, was] of before) {
      const now = left.get(key);
      if (key !== '' && now !== undefined) match(was.name, now.name);
    }
  }
  for (const [was, now] of likeliest(baseline, today, found, taken)) match(was, now);
  return found;
}

/** Files whose key no other file has. */
function uniqueBy(files: readonly File[], keyOf: (file: File) => string): Map<string, File> {
  const unique = new Map<string, File>();
  const repeated = new Set<string>();
  for (const file of files) {
    const key = keyOf(file);
    if (unique.has(key)) repeated.add(key);
    unique.set(key, file);
  }
  for (const key of repeated) unique.delete(key);
  return unique;
}

/** A name that more files than this have in common says nothing about which is which. */
const mostFiles = 50;

/** Files of which more than half of the parts have the same ids, paths or names, most parts first. */
function likeliest(
  baseline: FileSide,
  today: FileSide,
  found: ReadonlyMap<string, string>,
  taken: ReadonlySet<string>,
): [string, string][] {
  const before = partsByFile(baseline, name => !found.has(name));
  const now = partsByFile(today, name => !taken.has(name));
  const filesWith = new Map<string, string[]>();
  for (const [file, parts] of before) {
    for (const part of parts) filesWith.set(part, [...(filesWith.get(part) ?? []), file]);
  }
  const common: { was: string; is: string; count: number }[] = [];
  for (const [is, parts] of now) {
    const counts = new Map<string, number>();
    for (const part of parts) {
      const files = filesWith.get(part) ?? [];
      if (files.length <= mostFiles) for (const was of files) counts.set(was, (counts.get(was) ?? 0) + 1);
    }
    for (const [was, count] of counts) {
      if (2 * count > Math.max(before.get(was)!.size, parts.size)) common.push({ was, is, count });
    }
  }
  common.sort((p, q) => q.count - p.count || (p.was < q.was ? -1 : 1));
  const matches = new Map<string, string>();
  const used = new Set<string>();
  for (const { was, is } of common) {
    if (matches.has(was) || used.has(is)) continue;
    matches.set(was, is);
    used.add(is);
  }
  return [...matches];
}

function partsByFile({ bodies }: FileSide, isWanted: (file: string) => boolean): Map<string, Set<string>> {
  const parts = new Map<string, Set<string>>();
  for (const { file, id, path, name } of bodies) {
    if (file === undefined || !isWanted(file)) continue;
    let known = parts.get(file);
    if (known === undefined) parts.set(file, (known = new Set()));
    known.add(id === undefined ? pathKey('', path ?? [name]) : `id ${id}`);
  }
  return parts;
}
