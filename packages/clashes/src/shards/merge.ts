// Are these all shards of one check, and what have they found together? A merge of shards that do not belong together would
// pass for an answer, so anything that differs is refused by name.

import { NearfieldError } from 'nearfield';
import { pairKey } from '../assembly/pair-key.ts';
import type { FoundPair, FoundPairs } from '../assembly/types.ts';
import type { Shard } from './find.ts';
import { type AskedOfShards, readFound, type ShardFile } from './shard-json.ts';

/** What all shards were asked. Throws 'bad-option' if one is missing, is there twice, or was asked something else. */
export function askedOf(shards: readonly ShardFile[], version: string): AskedOfShards {
  if (shards.length === 0) throw bad('there are no shards to merge');
  const [first] = shards;
  const { count } = first.number;
  const byIndex = new Map<number, string>();
  for (const { file, number, asked } of shards) {
    if (asked.version !== version)
      throw bad(`${file} was made by version ${asked.version}; this is ${version}: make the shards again`);
    if (number.count !== count)
      throw bad(`${first.file} is one of ${count} shards, but ${file} is one of ${number.count}`);
    const difference = differenceOf(first.asked, asked);
    if (difference !== undefined)
      throw bad(`${first.file} and ${file} are of different checks: ${difference}`);
    const other = byIndex.get(number.index);
    if (other !== undefined) throw bad(`${other} and ${file} are both shard ${number.index}/${count}`);
    byIndex.set(number.index, file);
  }
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter(index => !byIndex.has(index));
  if (missing.length > 0) {
    const named = missing.slice(0, 8).map(index => `${index}/${count}`);
    const more = missing.length > 8 ? ` and ${missing.length - 8} more` : '';
    const [is, what] = missing.length === 1 ? ['is', 'shard'] : ['are', 'shards'];
    throw bad(`${what} ${named.join(', ')}${more} ${is} missing`);
  }
  return first.asked;
}

/** Throws 'bad-option' if a file that the shards were made from has other bytes now. */
export function checkFiles({ files }: AskedOfShards, hashes: ReadonlyMap<string, string>): void {
  for (const { name, hash } of files) {
    const now = hashes.get(name);
    if (now === undefined) throw bad(`the shards were made from ${name} too, which was not read now`);
    if (now !== hash) throw bad(`${name} has changed since the shards were made: make them again`);
  }
}

/** What differs between the questions of two shards, in words; undefined if nothing does. */
function differenceOf(p: AskedOfShards, q: AskedOfShards): string | undefined {
  const text = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value));
  for (const name of new Set([...Object.keys(p.options), ...Object.keys(q.options)])) {
    const [one, other] = [text(p.options[name]), text(q.options[name])];
    if (one !== other) return `the option "${name}" is ${one} in one and ${other} in the other`;
  }
  if (text(p.models) !== text(q.models))
    return `one is of ${p.models.join(', ')}, the other of ${q.models.join(', ')}`;
  const hashes = new Map(q.files.map(({ name, hash }) => [name, hash]));
  for (const { name, hash } of p.files)
    if (hashes.get(name) !== hash) return `${name} had other content in one than in the other`;
  return p.files.length === q.files.length ? undefined : 'one was made from more files than the other';
}

/** The pairs of all shards, of bodies with these numbers of triangles, in order. Throws 'bad-file' or 'bad-option'. */
export function mergeFound(
  shards: readonly ShardFile[],
  triangleCounts: readonly number[],
  frameCount: number,
): FoundPairs {
  const joined = new JoinedShards(triangleCounts.length, frameCount);
  for (const shard of shards) {
    joined.add(shard.file, readFound(shard, triangleCounts, frameCount), shard.number.index === 1);
  }
  return joined.all();
}

/** The pairs of shards, one shard after the other. */
export class JoinedShards {
  readonly #bodyCount: number;
  readonly #frames: readonly FoundPair[][];
  /** Per frame, which shard a pair came from. */
  readonly #keys: readonly Map<number, string>[];
  #timing = { query: 0, judge: 0 };
  #method: string | undefined;
  #backend: FoundPairs['backend'] | undefined;

  constructor(bodyCount: number, frameCount: number) {
    this.#bodyCount = bodyCount;
    this.#frames = Array.from({ length: frameCount }, () => []);
    this.#keys = this.#frames.map(() => new Map());
  }

  /** Adds what a shard found. `name` is for messages; the answer names the backend of the first shard. */
  add(name: string, found: Omit<Shard, 'bodies' | 'work'>, isFirst: boolean): void {
    if (this.#method !== undefined && this.#method !== found.method)
      throw bad(`${name} was made by the method ${found.method}, others by ${this.#method}`);
    for (const { frame, pairs } of found.frames) {
      for (const pair of pairs) {
        const key = pairKey(pair, this.#bodyCount);
        const other = this.#keys[frame].get(key);
        if (other !== undefined)
          throw bad(`${other} and ${name} both have the pair of bodies ${pair.a} and ${pair.b}`);
        this.#keys[frame].set(key, name);
        this.#frames[frame].push(pair);
      }
    }
    this.#timing.query += found.timing.query;
    this.#timing.judge += found.timing.judge ?? 0;
    this.#method = found.method;
    if (isFirst) this.#backend = found.backend;
  }

  /** What all of them have found, in order. */
  all(): FoundPairs {
    for (const pairs of this.#frames) pairs.sort((p, q) => p.a - q.a || p.b - q.b);
    return {
      ...{ method: this.#method!, backend: this.#backend!, timing: this.#timing },
      frames: this.#frames,
    };
  }
}

const bad = (message: string): NearfieldError => new NearfieldError('bad-option', message);
