// Applies the statuses to an answer: clashes that people accepted do not fail the check, and statuses that do not fit
// the answer are reported.

import type {
  AssemblyAnswer,
  AssemblyBody,
  AssemblyPair,
  ClashStatus,
  Fingerprint,
  PastBody,
} from '../../assembly/types.ts';
import { bodyKey } from '../../identity/body-key.ts';
import { shortHash } from '../../identity/sha256.ts';
import { isClash } from '../../severity/failing.ts';
import { roundingOf } from '../../severity/rounding/within-rounding.ts';
import { worstPairs } from '../../severity/worst-frame.ts';
import { each, type Steps } from '../../steps/steps.ts';
import type { StatusEntry, Statuses } from './statuses.ts';

export interface AppliedStatuses {
  readonly answer: AssemblyAnswer;
  /** One sentence per clash whose status does not fit: fixed but still there, accepted but deeper now. */
  readonly notes: readonly string[];
}

/** Reads a length of the file in the answer's unit. `what` is for the message if its unit cannot be brought to it. */
export type LengthOf = (length: number | string, what: string) => number;

/**
 * The answer with statuses, whose pairs have identities. An accepted clash, or one that is not an issue, gets the verdict
 * 'accepted' if it is proven to be no deeper than it was when it was accepted.
 */
export function applyStatuses(
  answer: AssemblyAnswer,
  statuses: Statuses,
  lengthOf: LengthOf,
): AppliedStatuses {
  const notes: string[] = [];
  const applied = new Map<string, Pick<AssemblyPair, 'status' | 'verdict'>>();
  const isShared = sharesKey(answer.bodies);
  for (const pair of worstPairs(answer)) {
    const entry = pair.clash === undefined ? undefined : statuses.clashes.get(pair.clash);
    if (entry === undefined || !isClash(pair)) continue;
    const { name } = answer.bodies[pair.a];
    const who = `${pair.clash} (${name} and ${answer.bodies[pair.b].name})`;
    const why = objection(pair, entry);
    if (why === undefined) applied.set(pair.clash!, { status: shown(entry), verdict: 'accepted' });
    else {
      applied.set(pair.clash!, { status: shown(entry) });
      if (why !== '') notes.push(`${who} ${why}`);
    }
  }
  if (applied.size === 0) return { answer, notes };
  const frames = answer.frames.map(frame => ({
    ...frame,
    pairs: frame.pairs.map(pair => {
      const { status, verdict } = applied.get(pair.clash ?? '') ?? {};
      if (status === undefined) return pair;
      return { ...pair, status, ...(verdict && isClash(pair) && { verdict }) };
    }),
  }));
  return { answer: { ...answer, frames }, notes };

  /** Why the clash still fails the check, for its note. Empty if it is open: that needs no note. Undefined if it is accepted. */
  function objection(pair: AssemblyPair, entry: StatusEntry): string | undefined {
    const { status, geometry } = entry;
    if (status === 'open') return '';
    if (status === 'fixed') return 'is marked as fixed but is still there';
    const words = status === 'accepted' ? 'accepted' : 'marked as not an issue';
    const isFoundAgain = pair.change !== undefined && pair.change !== 'new';
    // Parts with the same name are numbered by place, so another one may have the number of the one that was accepted.
    if ((isShared(pair.a) || isShared(pair.b)) && !isFoundAgain && geometry !== geometryOf(answer, pair)) {
      return `is ${words}, but other parts have the same names: only --baseline tells whether it is the same clash`;
    }
    const limit = acceptedDepth(entry, answer.bodies[pair.a], answer.bodies[pair.b], lengthOf, statuses.file);
    const { relation, depth, change } = pair;
    const isDeep = (relation !== 'touching' && relation !== 'separate') || pair.verdict === 'clash';
    if (limit !== undefined && depth !== undefined) {
      const upTo = `is ${words} up to a depth of ${entry.depth ?? entry.depthFound}`;
      if (depth.lower > limit) return `${upTo} and is deeper now`;
      return depth.upper <= limit ? undefined : `${upTo} and may be deeper now`;
    }
    if (limit !== undefined && isDeep) {
      return `is ${words} up to a depth of ${entry.depth ?? entry.depthFound}, and its depth was not measured now`;
    }
    if (change === 'worse') return `is ${words} and has become worse since the baseline`;
    if (limit === undefined && isDeep && !isFoundAgain) {
      return `is ${words}, but nobody knows up to which depth: set it again with "nearfield status"`;
    }
    return undefined;
  }
}

/**
 * How deep an accepted clash of the two bodies may be, in the answer's unit: the accepted depth, plus the rounding of the
 * files, plus the rounding of a change of unit. Undefined if the clash is not accepted, or its entry has no depth.
 */
export function acceptedDepth(
  entry: StatusEntry,
  a: Pick<AssemblyBody, 'rounding'>,
  b: Pick<AssemblyBody, 'rounding'>,
  lengthOf: LengthOf,
  file: string,
): number | undefined {
  const depth = entry.depth ?? entry.depthFound;
  if (!isAccepted(entry) || depth === undefined) return undefined;
  const limit = lengthOf(depth, `${file}: the depth of an accepted clash`);
  return limit + roundingOf(a, b) + limit * 2 ** -30;
}

/** Whether another body has the same id, or the same path or name in the same file. */
function sharesKey(bodies: readonly PastBody[]): (body: number) => boolean {
  const keys = bodies.map(bodyKey);
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return body => counts.get(keys[body])! > 1;
}

function geometryOf({ bodies }: AssemblyAnswer, { a, b }: AssemblyPair): string | undefined {
  const [p, q] = [bodies[a].fingerprint, bodies[b].fingerprint];
  return p && q && geometryHash(p, q);
}

/** A hash of the shapes and poses of both parts: 12 hexadecimal digits. It does not depend on the order of the parts. */
export const geometryHash = (a: Fingerprint, b: Fingerprint): string =>
  shortHash(
    [a, b]
      .map(({ mesh, pose }) => `${mesh} ${pose}`)
      .sort()
      .join(),
  );

/** What an answer shows of an entry. */
const shown = ({ status, comment, by, date, parts, depth }: StatusEntry): ClashStatus => ({
  ...{ status, comment, by, date, parts, depth },
});

/**
 * Adds an open entry for every clash that has none, so that people have something to edit, and leaves what people wrote as
 * it is. Every entry gets the depth found now: a person who accepts the clash accepts this depth. An accepted entry
 * without a depth gets the depth that was accepted. `depthOf` writes a length of the answer for the file.
 */
export function* updateStatuses(
  statuses: Statuses,
  answer: AssemblyAnswer,
  date: string,
  depthOf: (length: number) => number | string = length => length,
): Steps<Statuses> {
  const clashes = new Map(statuses.clashes);
  yield* each(worstPairs(answer), pair => {
    if (pair.clash === undefined || !isClash(pair)) return;
    const parts = [answer.bodies[pair.a].name, answer.bodies[pair.b].name];
    const known = clashes.get(pair.clash) ?? { status: 'open', found: date, parts };
    const [geometry, depth] = [geometryOf(answer, pair), depthNow(pair)];
    const accepted = isAccepted(known)
      ? (known.depth ?? known.depthFound ?? provenDepth(pair, depthOf))
      : known.depth;
    clashes.set(pair.clash, {
      ...known,
      ...(accepted !== undefined && { depth: accepted }),
      ...(depth !== undefined && { depthFound: depthOf(depth) }),
      // An accepted entry that does not apply to these parts keeps the geometry it was accepted for.
      ...(geometry !== undefined && !(isAccepted(known) && pair.verdict !== 'accepted') && { geometry }),
    });
  });
  return { ...statuses, clashes };
}

const isAccepted = ({ status }: StatusEntry): boolean => status === 'accepted' || status === 'not-an-issue';

/** The depth to accept. It is 0 for parts that are apart or only touch: accepting such a pair accepts no overlap. */
const depthNow = ({ relation, depth }: AssemblyPair): number | undefined =>
  depth?.upper ?? (relation === 'separate' || relation === 'touching' ? 0 : undefined);

/** The depth of a clash that was accepted without one: what the baseline proves. */
function provenDepth(
  { verdict, change, depthBefore, ...pair }: AssemblyPair,
  depthOf: (length: number) => number | string,
): number | string | undefined {
  const depth =
    verdict === 'accepted' ? depthNow({ ...pair }) : change === 'worse' ? depthBefore?.upper : undefined;
  return depth === undefined ? undefined : depthOf(depth);
}
