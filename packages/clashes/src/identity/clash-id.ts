// The identity of a clash: a hash of its two parts' identities, whichever comes first. It says nothing about indices, so
// the same clash has it next week. With a baseline, a clash that is found again takes its identity over instead.

import { pairKey } from '../assembly/pair-key.ts';
import type { AssemblyAnswer, AssemblyFrame, AssemblyPair, PastBody } from '../assembly/types.ts';
import type { OpenPair } from '../severity/judge.ts';
import { worstPairs } from '../severity/worst-frame.ts';
import { each, finish, mapped, type Steps } from '../steps/steps.ts';
import { bodyIdentities, type NamedBody } from './body-key.ts';
import { hexOf, sha256, sha256OfText } from './sha256.ts';

interface TwoBodies {
  readonly a: number;
  readonly b: number;
}

/** 48 bits: among 500,000 clashes, two have the same once in 2,000 runs. One of them then gets another. */
const idDigits = 12;

/**
 * One identity per pair of bodies, all different. `taken` are identities that belong to other clashes. `digits` is for
 * tests.
 */
export function* clashIds(
  bodies: readonly (NamedBody & Pick<PastBody, 'fingerprint'>)[],
  pairs: readonly TwoBodies[],
  taken: ReadonlySet<string> = new Set(),
  digits = idDigits,
): Steps<string[]> {
  const digestOfPair = yield* pairDigests(bodies);
  const ids = yield* mapped(pairs, pair => idOf(digestOfPair(pair, 0), digits));
  if (taken.size === 0 && allDiffer(ids)) return ids;
  const late = (yield* sharing(ids, taken)).map(index => ({
    index,
    order: hexOf(digestOfPair(pairs[index], 0), 64),
  }));
  // In an order that does not depend on indices, so that each gets the same identity next time.
  late.sort((p, q) => (p.order < q.order ? -1 : 1));
  const used = new Set(taken);
  const isLate = new Set(late.map(({ index }) => index));
  yield* each(ids, (id, index) => {
    if (!isLate.has(index)) used.add(id);
  });
  for (const { index } of late) {
    let attempt = 0;
    while (used.has(ids[index])) ids[index] = idOf(digestOfPair(pairs[index], ++attempt), digits);
    used.add(ids[index]);
  }
  return ids;
}

/** The identity of each pair of bodies, unless another pair happens to have the same. */
export function likelyIds(
  bodies: readonly (NamedBody & Pick<PastBody, 'fingerprint'>)[],
): (pair: TwoBodies) => string {
  const digestOfPair = finish(pairDigests(bodies));
  return pair => idOf(digestOfPair(pair, 0), idDigits);
}

const digitNine = '9'.charCodeAt(0);
const letterE = 'e'.charCodeAt(0);

/**
 * The first digits of a hash. A spreadsheet takes 000123456789 and 12e345678901 for numbers and writes them in another way,
 * so such an identity begins with a letter instead.
 */
function idOf(digest: Uint8Array, digits: number): string {
  const id = hexOf(digest, digits);
  for (let i = 0; i < digits; i++) {
    const code = id.charCodeAt(i);
    if (code > digitNine && code !== letterE) return id;
  }
  return /^\d+(e\d+)?$/.test(id) ? 'abcdef'[Number(id[0]) % 6] + id.slice(1) : id;
}

/** A hash of the identities of both bodies, and of the number of attempts so far to find one that no other clash has. */
function* pairDigests(
  bodies: readonly (NamedBody & Pick<PastBody, 'fingerprint'>)[],
): Steps<(pair: TwoBodies, attempt: number) => Uint8Array> {
  const identities = yield* bodyIdentities(bodies);
  // Half of each digest is enough, and one block of the hash.
  const digests = new Uint8Array(16 * bodies.length);
  const isKnown = new Uint8Array(bodies.length);
  // There may be millions of pairs: they share one digest.
  const digest = new Uint8Array(32);
  const digestAt = (body: number): number => {
    const at = 16 * body;
    if (isKnown[body] === 0) {
      isKnown[body] = 1;
      sha256OfText(identities[body], digest);
      for (let i = 0; i < 16; i++) digests[at + i] = digest[i];
    }
    return at;
  };
  const input = new Uint8Array(36);
  const both = input.subarray(0, 32);
  return ({ a, b }, attempt) => {
    const [p, q] = [digestAt(a), digestAt(b)];
    let i = 0;
    while (i < 15 && digests[p + i] === digests[q + i]) i++;
    const [first, second] = digests[p + i] <= digests[q + i] ? [p, q] : [q, p];
    for (let k = 0; k < 16; k++) {
      input[k] = digests[first + k];
      input[16 + k] = digests[second + k];
    }
    if (attempt === 0) return sha256(both, digest);
    new DataView(input.buffer).setUint32(32, attempt);
    return sha256(input, digest);
  };
}

/** Whether no two identities are equal, which is nearly always so. They have at most 12 hexadecimal digits: 48 bits. */
function allDiffer(ids: readonly string[]): boolean {
  const numbers = new Float64Array(ids.length);
  for (let i = 0; i < ids.length; i++) numbers[i] = Number.parseInt(ids[i], 16);
  numbers.sort();
  for (let i = 1; i < numbers.length; i++) if (numbers[i] === numbers[i - 1]) return false;
  return true;
}

/** The items whose identity another item has too, or that is taken. */
function* sharing(ids: readonly string[], taken: ReadonlySet<string>): Steps<number[]> {
  const first = new Map<string, number>();
  const found = new Set<number>();
  yield* each(ids, (id, index) => {
    const other = first.get(id);
    if (other === undefined) first.set(id, index);
    else found.add(other).add(index);
    if (taken.has(id)) found.add(index);
  });
  return [...found];
}

/** Gives every pair of an answer its identity, the same in every frame. For runs without a baseline. */
export function* identify(answer: AssemblyAnswer): Steps<AssemblyAnswer> {
  const pairs = worstPairs(answer);
  const ids = yield* clashIds(answer.bodies, pairs);
  const indexOf = yield* indicesOf(answer, pairs);
  for (const frame of answer.frames) {
    // Written into the pairs that there are: copies of half a million take a second.
    yield* each<OpenPair>(frame.pairs, (pair, place) => {
      pair.clash = ids[indexOf(pair, place)];
    });
  }
  return answer;
}

/** What a baseline says about a pair. */
export type ChangedPair = Pick<AssemblyPair, 'change' | 'depthBefore'>;

/** The answer with these identities, and changes, in all frames. */
export function* withClashes(
  answer: AssemblyAnswer,
  pairs: readonly TwoBodies[],
  ids: readonly string[],
  changes: readonly (ChangedPair | undefined)[],
): Steps<AssemblyAnswer> {
  const indexOf = yield* indicesOf(answer, pairs);
  const frames: AssemblyFrame[] = [];
  for (const frame of answer.frames) {
    const named = yield* mapped(frame.pairs, (pair, place) => {
      const i = indexOf(pair, place);
      return { ...pair, clash: ids[i], ...changes[i] };
    });
    frames.push({ ...frame, pairs: named });
  }
  return { ...answer, frames };
}

/** The index that a pair of a frame, given with its place there, has among the pairs of all frames. */
function* indicesOf(
  { bodies, frames }: AssemblyAnswer,
  pairs: readonly TwoBodies[],
): Steps<(pair: TwoBodies, place: number) => number> {
  // Without a motion, the pairs are those of the only frame.
  if (frames.length === 1 && frames[0].pairs === pairs) return (_, place) => place;
  const indices = new Map<number, number>();
  yield* each(pairs, (pair, i) => indices.set(pairKey(pair, bodies.length), i));
  return pair => indices.get(pairKey(pair, bodies.length))!;
}
