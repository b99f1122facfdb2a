// Which of today's bodies is which of last week's? In this order: the same id; the same mesh in exactly the same place;
// the same path or name in the same file; the same mesh near the old place, for a part that was renamed and moved a
// little. Place comes before names because exporters renumber names such as "Bolt.012", and what stands unchanged in its
// place is the same part whatever it is called. A body has at most one counterpart; where nobody can tell, it has none.

import type { PastBody } from '../../assembly/types.ts';
import { pathKey } from '../../identity/body-key.ts';
import { type FileSide, matchFiles } from './files.ts';
import { matchPlaces } from './places.ts';

export interface BodyMatch {
  /** Today's index of each of the baseline's bodies; -1 if it is gone. */
  readonly today: Int32Array;
  /** Today's name of each of the baseline's files that was read again. */
  readonly files: ReadonlyMap<string, string>;
}

/** Both sides are in the same unit. */
export function matchBodies(baseline: FileSide, today: FileSide): BodyMatch {
  const files = matchFiles(baseline, today);
  const taken = new Set(files.values());
  // The name of a body's file as today's side calls it. Files without counterpart are all called '?': a part may have
  // come from any of them.
  const fileBefore = ({ file }: PastBody) => (file === undefined ? '' : `/${files.get(file) ?? '?'}`);
  const fileNow = ({ file }: PastBody) => (file === undefined ? '' : `/${taken.has(file) ? file : '?'}`);
  const matching = new Matching(baseline.bodies, today.bodies, fileBefore, fileNow);
  const placed = ({ fingerprint }: PastBody) => fingerprint && [fingerprint.mesh, fingerprint.pose];
  const names = ({ path, name }: PastBody) => path ?? [name];

  matching.byName(body => body.id);
  matching.byContent((body, file) => placed(body) && pathKey(file, [...placed(body)!, ...names(body)]));
  matching.byContent((body, file) => placed(body) && pathKey(file, placed(body)!));
  matching.byName((body, file) => pathKey(file, names(body)));
  matching.byName((body, file) => pathKey(file, [body.name]));
  matching.byMesh();
  return {
    today: matching.found,
    files: withFoundFiles(files, baseline.bodies, today.bodies, matching.found),
  };
}

type KeyOf = (body: PastBody, file: string) => string | undefined;

class Matching {
  readonly found: Int32Array;
  readonly origins: Int32Array;

  constructor(
    private readonly before: readonly PastBody[],
    private readonly now: readonly PastBody[],
    private readonly fileBefore: (body: PastBody) => string,
    private readonly fileNow: (body: PastBody) => string,
  ) {
    this.found = new Int32Array(before.length).fill(-1);
    this.origins = new Int32Array(now.length).fill(-1);
  }

  #join = (i: number, j: number): void => {
    this.found[i] = j;
    this.origins[j] = i;
  };

  /** Unmatched bodies of both sides by key. */
  #sharing(keyOf: KeyOf): Iterable<Sharing> {
    const sharing = new Map<string, Sharing>();
    this.before.forEach((body, i) => {
      const key = this.found[i] < 0 ? keyOf(body, this.fileBefore(body)) : undefined;
      if (key === undefined) return;
      const known = sharing.get(key);
      if (known) known.before.push(i);
      else sharing.set(key, { before: [i], now: [] });
    });
    this.now.forEach((body, j) => {
      const key = this.origins[j] < 0 ? keyOf(body, this.fileNow(body)) : undefined;
      if (key !== undefined) sharing.get(key)?.now.push(j);
    });
    return sharing.values();
  }

  /** Bodies with the same key are equal, so it does not matter which is which: the first is the first. */
  byContent(keyOf: KeyOf): void {
    for (const { before, now } of this.#sharing(keyOf)) {
      for (let k = 0; k < Math.min(before.length, now.length); k++) this.#join(before[k], now[k]);
    }
  }

  /** A body whose name nobody else has is found wherever it is now. */
  byName(keyOf: KeyOf): void {
    for (const { before, now } of this.#sharing(keyOf)) {
      if (before.length === 1 && now.length === 1) this.#join(before[0], now[0]);
      else this.#byPlace(before, now, true);
    }
  }

  byMesh(): void {
    const groups = this.#sharing(({ fingerprint }, file) => fingerprint && pathKey(file, [fingerprint.mesh]));
    for (const { before, now } of groups) this.#byPlace(before, now, false);
  }

  /** File by file: federated files may have the same part. */
  #byPlace(before: readonly number[], now: readonly number[], named: boolean): void {
    if (now.length === 0) return;
    const { fileBefore, fileNow } = this;
    const sides = { baseline: this.before, today: this.now, named };
    for (const file of new Set(before.map(i => fileBefore(this.before[i])))) {
      const left = before.filter(i => fileBefore(this.before[i]) === file);
      const right = now.filter(j => fileNow(this.now[j]) === file);
      matchPlaces(left, right, sides, this.#join);
    }
  }
}

interface Sharing {
  readonly before: number[];
  readonly now: number[];
}

/** Files whose names say nothing, but at least half of whose parts were found in a file that is not otherwise known. */
function withFoundFiles(
  files: ReadonlyMap<string, string>,
  baseline: readonly PastBody[],
  today: readonly PastBody[],
  found: Int32Array,
): Map<string, string> {
  const taken = new Set(files.values());
  const counts = new Map<string, { all: number; into: Map<string, number> }>();
  baseline.forEach(({ file }, i) => {
    if (file === undefined || files.has(file)) return;
    let count = counts.get(file);
    if (count === undefined) counts.set(file, (count = { all: 0, into: new Map() }));
    count.all++;
    const now = found[i] < 0 ? undefined : today[found[i]].file;
    if (now !== undefined && !taken.has(now)) count.into.set(now, (count.into.get(now) ?? 0) + 1);
  });
  const result = new Map(files);
  for (const [file, { all, into }] of counts) {
    for (const [now, count] of into) if (2 * count >= all) result.set(file, now);
  }
  return result;
}
