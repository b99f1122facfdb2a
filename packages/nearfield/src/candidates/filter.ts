// Filters for pairs of bodies. Every question about pairs takes the same filter.

import { Body } from '../bodies/body.ts';
import { aFunction, anything, bad, inWords, isObject, oneOf, type Rules } from '../core/arguments.ts';
import { toEnd } from '../core/waiting.ts';
import { checkAmong } from '../questions/checks.ts';

/** Which pairs of bodies matter. A pair is asked about only if every filter given keeps it. */
export interface PairFilter {
  /** Only pairs with one body from the first list and one from the second. */
  readonly between?: readonly [Iterable<Body>, Iterable<Body>] | undefined;
  /** 'different': bodies of the same group are not paired. A body without a group is paired with every body. */
  readonly groups?: 'different' | undefined;
  /** Pairs that are allowed to touch: never examined, never reported. */
  readonly allowed?: Iterable<readonly [Body, Body]> | undefined;
  /** Any other rule. Called once per candidate pair, a.index < b.index. */
  readonly keep?: ((a: Body, b: Body) => boolean) | undefined;
}

/** Lists of bodies are not checked here but in `pairPredicate`, which knows the scene's bodies. */
export const filterRules: Rules<PairFilter> = {
  between: anything,
  groups: oneOf('different'),
  allowed: anything,
  keep: aFunction,
};

/**
 * One predicate for all rules of a filter; undefined if the filter excludes nothing. Throws if the filter names a body
 * that the question does not see.
 */
export function pairPredicate(
  filter: PairFilter,
  bodies: readonly Body[],
): ((a: Body, b: Body) => boolean) | undefined {
  const rules: ((a: Body, b: Body) => boolean)[] = [];
  if (filter.between !== undefined) {
    const [first, second] = bothLists(filter.between, bodies);
    rules.push((a, b) => (first.has(a) && second.has(b)) || (first.has(b) && second.has(a)));
  }
  if (filter.groups === 'different') rules.push((a, b) => a.group === undefined || a.group !== b.group);
  if (filter.allowed !== undefined) {
    const allowed = new Map<Body, Set<Body>>();
    for (const [a, b] of allowedPairs(filter.allowed, bodies)) {
      allowed.set(a, (allowed.get(a) ?? new Set()).add(b));
      allowed.set(b, (allowed.get(b) ?? new Set()).add(a));
    }
    rules.push((a, b) => !allowed.get(a)?.has(b));
  }
  if (filter.keep) rules.push(filter.keep);
  if (rules.length < 2) return rules[0];
  return (a, b) => rules.every(rule => rule(a, b));
}

function bothLists(between: unknown, bodies: readonly Body[]): [Set<Body>, Set<Body>] {
  const lists = bodyLists(between);
  if (lists?.length !== 2)
    throw bad(`between must be two lists of bodies: [[a], [b]], not ${inWords(between)}`);
  for (const list of lists) for (const body of list) checkAmong(bodies, body, 'between');
  return [new Set(lists[0]), new Set(lists[1])];
}

function allowedPairs(allowed: unknown, bodies: readonly Body[]): Body[][] {
  const pairs = bodyLists(allowed);
  if (!pairs?.every(pair => pair.length === 2)) {
    throw bad(`allowed must be a list of pairs of bodies: [[a, b]], not ${inWords(allowed)}`);
  }
  for (const pair of pairs) for (const body of pair) checkAmong(bodies, body, 'allowed');
  return pairs;
}

/**
 * The argument as arrays of bodies; undefined if it is not a list of lists of bodies. Each list is iterated only once.
 */
function bodyLists(given: unknown): Body[][] | undefined {
  if (!isList(given)) return undefined;
  const lists = Array.from(given, list => (isList(list) ? [...list] : [undefined]));
  return lists.every(list => list.every(isBody)) ? (lists as Body[][]) : undefined;
}

const isBody = (given: unknown): boolean => given instanceof Body;

const isList = (given: unknown): given is Iterable<unknown> =>
  isObject(given) && Symbol.iterator in given && !ArrayBuffer.isView(given);

/** Candidates asked about between two looks at the clock. */
const candidatesAtOnce = 4096;

/** The candidates (two indices per pair) that a predicate keeps. */
export function filterCandidates(
  candidates: Uint32Array,
  bodies: readonly Body[],
  keep: (a: Body, b: Body) => boolean,
): Uint32Array {
  return toEnd(filterInSteps(candidates, bodies, keep));
}

/** The same in steps. */
export function* filterInSteps(
  candidates: Uint32Array,
  bodies: readonly Body[],
  keep: (a: Body, b: Body) => boolean,
): Generator<number, Uint32Array> {
  const kept = new Uint32Array(candidates.length);
  let count = 0;
  for (let i = 0; i < candidates.length; i += 2) {
    if (i % (2 * candidatesAtOnce) === 0) yield i / candidates.length;
    if (!keep(bodies[candidates[i]], bodies[candidates[i + 1]])) continue;
    kept[count++] = candidates[i];
    kept[count++] = candidates[i + 1];
  }
  return kept.slice(0, count);
}
