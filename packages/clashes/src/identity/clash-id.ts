// The identity of a clash: a hash of its two parts' identities, whichever comes first. It says nothing about indices, so
// the same clash has it next week. With a baseline, a clash that is found again takes its identity over instead.

import type { AssemblyAnswer, AssemblyPair, PastBody } from '../assembly/types.ts';
import { pairKey, worstPairs } from '../severity/worst-frame.ts';
import { bodyIdentities, type NamedBody } from './body-key.ts';
import { bytesOf, hexOf, sha256 } from './sha256.ts';

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
export function clashIds(
  bodies: readonly (NamedBody & Pick<PastBody, 'fingerprint'>)[],
  pairs: readonly TwoBodies[],
  taken: ReadonlySet<string> = new Set(),
  digits = idDigits,
): string[] {
  const identities = bodyIdentities(bodies);
  const digests = new Map<number, Uint8Array>();
  const digestOf = (body: number): Uint8Array => {
    let digest = digests.get(body);
    if (digest === undefined) digests.set(body, (digest = sha256(bytesOf(identities[body]))));
    return digest;
  };
  const input = new Uint8Array(65);
  const digestOfPair = ({ a, b }: TwoBodies, attempt: number): Uint8Array => {
    const [p, q] = [digestOf(a), digestOf(b)];
    const isOrdered = compareBytes(p, q) <= 0;
    input.set(isOrdered ? p : q);
    input.set(isOrdered ? q : p, 32);
    input[64] = attempt;
    return sha256(attempt === 0 ? input.subarray(0, 64) : input);
  };
  const ids = pairs.map(pair => hexOf(digestOfPair(pair, 0), digits));
  settle(
    ids,
    taken,
    index => attempt => hexOf(digestOfPair(pairs[index], attempt), attempt === 0 ? 64 : digits),
  );
  return ids;
}

/** Gives every item that shares its identity, or whose identity is taken, another one, in an order that stays the same. */
function settle(
  ids: string[],
  taken: ReadonlySet<string>,
  hashes: (index: number) => (attempt: number) => string,
): void {
  const owners = new Map<string, number>();
  const late: number[] = [];
  ids.forEach((id, index) => {
    const owner = owners.get(id);
    if (taken.has(id)) late.push(index);
    else if (owner === undefined) owners.set(id, index);
    else if (hashes(owner)(0) <= hashes(index)(0)) late.push(index);
    else {
      owners.set(id, index);
      late.push(owner);
    }
  });
  late.sort((i, j) => (hashes(i)(0) < hashes(j)(0) ? -1 : 1));
  for (const index of late) {
    for (let attempt = 1; ; attempt++) {
      const id = hashes(index)(attempt);
      if (taken.has(id) || owners.has(id)) continue;
      owners.set(id, index);
      ids[index] = id;
      break;
    }
  }
}

function compareBytes(p: Uint8Array, q: Uint8Array): number {
  for (let i = 0; i < p.length; i++) if (p[i] !== q[i]) return p[i] - q[i];
  return 0;
}

/** The answer with an identity per pair, the same in every frame. For runs without a baseline. */
export function identify(answer: AssemblyAnswer): AssemblyAnswer {
  const pairs = worstPairs(answer);
  return withClashes(answer, pairs, clashIds(answer.bodies, pairs));
}

/** What a baseline says about a pair. */
export type ChangedPair = Pick<AssemblyPair, 'change' | 'depthBefore'>;

/** The answer with these identities, and changes, in all frames. */
export function withClashes(
  answer: AssemblyAnswer,
  pairs: readonly TwoBodies[],
  ids: readonly string[],
  changes: readonly (ChangedPair | undefined)[] = [],
): AssemblyAnswer {
  const count = answer.bodies.length;
  const indices = new Map(pairs.map((pair, i) => [pairKey(pair, count), i]));
  const frames = answer.frames.map(frame => ({
    ...frame,
    pairs: frame.pairs.map(pair => {
      const i = indices.get(pairKey(pair, count))!;
      return { ...pair, clash: ids[i], ...changes[i] };
    }),
  }));
  return { ...answer, frames };
}
