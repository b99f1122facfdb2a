// Which pairs of bodies a question is about. The same filter serves every question.

import { NearfieldError } from '../errors.ts';
import { Body } from './bodies/body.ts';
import type { RawAnswer } from './engine.ts';

export interface PairFilter {
  /** Only pairs of one body from the first list and one from the second. */
  readonly between?: readonly [Iterable<Body>, Iterable<Body>] | undefined;
  /** 'different': bodies of the same group are not paired; a body without a group is a group of its own. */
  readonly groups?: 'different' | undefined;
  /** Pairs that are allowed to touch: never examined, never reported. */
  readonly allowed?: Iterable<readonly [Body, Body]> | undefined;
  /** Any other rule; called once a candidate pair, a.index < b.index. */
  readonly keep?: ((a: Body, b: Body) => boolean) | undefined;
}

/** One predicate for all rules of a filter, or undefined where the filter excludes nothing. */
export function pairPredicate(filter: PairFilter): ((a: Body, b: Body) => boolean) | undefined {
  const rules: ((a: Body, b: Body) => boolean)[] = [];
  if (filter.between) {
    const [first, second] = bothLists(filter.between);
    rules.push((a, b) => (first.has(a) && second.has(b)) || (first.has(b) && second.has(a)));
  }
  if (filter.groups !== undefined && filter.groups !== 'different') {
    throw new NearfieldError('bad-option', `groups is 'different', not ${JSON.stringify(filter.groups)}`);
  }
  if (filter.groups === 'different') rules.push((a, b) => a.group === undefined || a.group !== b.group);
  if (filter.allowed) {
    const allowed = new Map<Body, Set<Body>>();
    for (const [a, b] of allowedPairs(filter.allowed)) {
      allowed.set(a, (allowed.get(a) ?? new Set()).add(b));
      allowed.set(b, (allowed.get(b) ?? new Set()).add(a));
    }
    rules.push((a, b) => !allowed.get(a)?.has(b));
  }
  if (filter.keep) rules.push(filter.keep);
  if (rules.length === 0) return undefined;
  return (a, b) => rules.every(rule => rule(a, b));
}

function bothLists(between: Iterable<Iterable<Body>>): [Set<Body>, Set<Body>] {
  const lists = isList(between) ? [...between] : [];
  if (lists.length === 2 && lists.every(list => isList(list) && [...list].every(isBody))) {
    return [new Set(lists[0]), new Set(lists[1])];
  }
  throw new NearfieldError('bad-option', 'between is two lists of bodies: [[a], [b]]');
}

function allowedPairs(allowed: Iterable<readonly [Body, Body]>): (readonly [Body, Body])[] {
  const pairs = isList(allowed) ? [...allowed] : [undefined];
  const good = pairs.every(pair => isList(pair) && [...pair].length === 2 && [...pair].every(isBody));
  if (good) return pairs as (readonly [Body, Body])[];
  throw new NearfieldError('bad-option', 'allowed is a list of pairs of bodies: [[a, b]]');
}

const isBody = (given: unknown): boolean => given instanceof Body;

const isList = (given: unknown): given is Iterable<unknown> =>
  typeof given === 'object' && given !== null && Symbol.iterator in given;

/** The candidates (two indices a pair) that a predicate keeps. */
export function filterCandidates(
  candidates: Uint32Array,
  bodies: readonly Body[],
  keep: (a: Body, b: Body) => boolean,
): Uint32Array {
  const kept = new Uint32Array(candidates.length);
  let count = 0;
  for (let i = 0; i < candidates.length; i += 2) {
    if (!keep(bodies[candidates[i]], bodies[candidates[i + 1]])) continue;
    kept[count++] = candidates[i];
    kept[count++] = candidates[i + 1];
  }
  return kept.slice(0, count);
}

/** An engine's answer less what it found of candidates that a predicate does not keep. */
export function filterAnswer(
  raw: RawAnswer,
  bodies: readonly Body[],
  keep: (a: Body, b: Body) => boolean,
): RawAnswer {
  const { candidates, certain, unsure, unsureCorners, counts, apart, outside, hasty } = raw;
  // Where each candidate goes, plus one; 0 for those that go nowhere.
  const places = new Uint32Array(candidates.length / 2);
  let count = 0;
  for (let c = 0; c < places.length; c++) {
    if (keep(bodies[candidates[2 * c]], bodies[candidates[2 * c + 1]])) places[c] = ++count;
  }
  const isKept = (record: number, records: Uint32Array) => places[records[record]] > 0;
  const recordsOf = (records: Uint32Array) => {
    const kept = everyThird(records).filter(r => isKept(r, records));
    return Uint32Array.from(kept.flatMap(r => [places[records[r]] - 1, records[r + 1], records[r + 2]]));
  };
  const cornersOf = (corners: Uint32Array) => {
    const kept = everyThird(unsure).filter(r => isKept(r, unsure));
    return Uint32Array.from(kept.flatMap(r => [...corners.subarray(6 * r, 6 * r + 18)]));
  };
  return {
    ...raw,
    candidates: candidates.filter((_, i) => places[i >> 1] > 0),
    certain: recordsOf(certain),
    unsure: recordsOf(unsure),
    unsureCorners: unsureCorners && cornersOf(unsureCorners),
    counts: counts?.filter((_, c) => places[c] > 0),
    apart: apart?.filter((_, c) => places[c] > 0),
    outside: outside?.filter((_, c) => places[c] > 0),
    hasty: typeof hasty === 'object' ? hasty.filter((_, c) => places[c] > 0) : hasty,
  };
}

const everyThird = (records: Uint32Array): number[] =>
  Array.from({ length: records.length / 3 }, (_, i) => 3 * i);
