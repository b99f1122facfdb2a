// What a group of clashes has: an identity that stays, a title for people, its members with the most important first, the
// bounds of its greatest depth, and the box of its places.

import { NearfieldError } from 'nearfield';
import type { AssemblyBody, AssemblyPair, Bracket, Group } from '../assembly/types.ts';
import { placeOf } from '../history/change.ts';
import { bytesOf, hexOf, sha256 } from '../identity/sha256.ts';
import { deeper } from '../rules/matrix.ts';
import { compareImportance } from '../severity/order.ts';
import { mapped, type Steps, sorted } from '../steps/steps.ts';

/** How clashes are grouped. */
export type GroupBy = 'part' | 'place' | 'test';

/** A group to be. */
export interface Draft {
  /** What the group is known by. */
  readonly identity: string;
  /** Indices of pairs. */
  readonly members: readonly number[];
  /** For people, given the members with the most important first. */
  readonly title: (members: readonly number[]) => string;
  /** What all members share. */
  readonly shared?: Pick<Group, 'part' | 'test'> | undefined;
}

/** Groups in the order in which they matter, that of their most important members. Throws if a pair has no identity. */
export function* finishGroups(
  by: GroupBy,
  drafts: readonly Draft[],
  pairs: readonly AssemblyPair[],
  bodies: readonly GroupBody[],
): Steps<Group[]> {
  const ordered = yield* mapped(drafts, draft => ({
    draft,
    members: [...draft.members].sort((i, j) => compareImportance(pairs[i], pairs[j])),
  }));
  const byWorst = yield* sorted(ordered, (p, q) =>
    compareImportance(pairs[p.members[0]], pairs[q.members[0]]),
  );
  return yield* mapped(byWorst, ({ draft, members }): Group => {
    const worst = members.reduce<Bracket | undefined>((most, i) => deeper(most, pairs[i].depth), undefined);
    const box = boxOf(members, pairs, bodies);
    return {
      id: hexOf(sha256(bytesOf(`${by} ${draft.identity}`)), 12),
      title: draft.title(members),
      members: members.map(i => clashOf(pairs[i])),
      ...draft.shared,
      ...(worst && { worst }),
      ...(box && { box }),
    };
  });
}

/** The identity of a pair, which it gets before it is grouped. */
export function clashOf({ clash, a, b }: AssemblyPair): string {
  if (clash !== undefined) return clash;
  throw new NearfieldError('internal', `the pair of bodies ${a} and ${b} has no identity to be grouped by`);
}

export type GroupBody = Pick<AssemblyBody, 'name' | 'file' | 'path' | 'id' | 'type' | 'fingerprint'>;

/** Where a clash is: its point, or the middle of where the boxes of the two bodies overlap. */
export function clashPlace(pair: AssemblyPair, bodies: readonly GroupBody[]): ArrayLike<number> | undefined {
  const place = placeOf(pair);
  if (place !== undefined) return place;
  const [p, q] = [bodies[pair.a].fingerprint?.box, bodies[pair.b].fingerprint?.box];
  if (p === undefined || q === undefined) return undefined;
  return [0, 1, 2].map(axis => Math.max(p[axis], q[axis]) / 2 + Math.min(p[axis + 3], q[axis + 3]) / 2);
}

function boxOf(
  members: readonly number[],
  pairs: readonly AssemblyPair[],
  bodies: readonly GroupBody[],
): number[] | undefined {
  let box: number[] | undefined;
  for (const i of members) {
    const place = clashPlace(pairs[i], bodies);
    if (place === undefined) continue;
    box ??= [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = Math.min(box[axis], place[axis]);
      box[axis + 3] = Math.max(box[axis + 3], place[axis]);
    }
  }
  return box;
}

/** `IfcSlab floor 1`: the kind of part, unless its name says it already, and its label. */
export function partInWords({ type }: GroupBody, label: string): string {
  return type === undefined || label.toLowerCase().includes(type.toLowerCase()) ? label : `${type} ${label}`;
}

/** `17 clashes`, `1 clash`. */
export const clashCount = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'clash' : 'clashes'}`;
