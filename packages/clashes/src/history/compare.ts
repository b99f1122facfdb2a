// What has changed since the baseline? Every clash is new, the same, worse, better or moved, and every clash of the
// baseline that is no longer one is resolved, removed, unchecked or forgiven. Only what was really checked again is resolved.

import { pairKey } from '../assembly/pair-key.ts';
import type {
  AssemblyAnswer,
  AssemblyPair,
  Change,
  Gone,
  History,
  PastBody,
  PastClash,
} from '../assembly/types.ts';
import { type ChangedPair, clashIds, withClashes } from '../identity/clash-id.ts';
import type { Decision } from '../rules/types.ts';
import { isClash } from '../severity/failing.ts';
import { isUnconfirmed, verdictOf, verdictWords } from '../severity/order.ts';
import { worstPairs } from '../severity/worst-frame.ts';
import { each, type Steps } from '../steps/steps.ts';
import { isSamePlaced } from './baseline.ts';
import { changeOf, kindOf, placeOf } from './change.ts';
import type { Past, PastPair } from './past.ts';

export interface CompareOptions {
  /** What today's rules say about two of today's bodies. Without rules every pair is checked. */
  readonly decide: (a: number, b: number) => Pick<Decision, 'clearance' | 'allowed'> | undefined;
}

/** The answer with identities, changes and history. Identities of clashes that were found again are the baseline's. */
export function* compare(
  answer: AssemblyAnswer,
  past: Past,
  { decide }: CompareOptions,
): Steps<AssemblyAnswer> {
  const { bodies, today } = past;
  const pairs = worstPairs(answer);
  const byBodies = new Map(pairs.map((pair, i) => [pairKey(pair, answer.bodies.length), i]));

  const ids = new Array<string | undefined>(pairs.length).fill(undefined);
  const changes = new Array<ChangedPair | undefined>(pairs.length).fill(undefined);
  const gone: Gone[] = [];
  yield* each(past.pairs, was => {
    const [a, b] = [today[was.a], today[was.b]];
    const found = a < 0 || b < 0 ? undefined : byBodies.get(pairKey({ a, b }, answer.bodies.length));
    const now = found === undefined ? undefined : pairs[found];
    if (found !== undefined) ids[found] = was.clash;
    if (!isClash(was)) return;
    const change = now && changeBetween(was, now);
    if (now !== undefined && isClash(now)) {
      const isChanged = (change === 'worse' || change === 'better') && was.depth !== undefined;
      changes[found!] = { change, ...(isChanged && { depthBefore: was.depth }) };
    } else gone.push({ clash: was.clash, ...outcomeOf(was, now, change), was: pastClash(was) });
  });

  const fresh = pairs.flatMap((_, i) => (ids[i] === undefined ? [i] : []));
  const taken = new Set(past.pairs.map(({ clash }) => clash));
  const freshIds = yield* clashIds(
    answer.bodies,
    fresh.map(i => pairs[i]),
    taken,
  );
  fresh.forEach((i, k) => {
    ids[i] = freshIds[k];
  });
  pairs.forEach((pair, i) => {
    if (isClash(pair)) changes[i] ??= { change: 'new' };
  });
  const withIds = yield* withClashes(answer, pairs, ids as string[], changes);
  return { ...withIds, history: { baseline: past.baseline.file, counts: countsOf(changes, gone), gone } };

  /**
   * The clash as it was, with its parts as they are now, if they were found: next week's files have their names. Where
   * motions are involved, the parts keep the way they moved when the clash was found.
   */
  function pastClash(was: PastPair): PastClash {
    const { relation, distance, depth, inMotion } = was;
    const point = placeOf(was);
    const [a, b] = [was.a, was.b].map(body => {
      if (today[body] < 0) return bodies[body];
      const now = answer.bodies[today[body]];
      return inMotion || answer.isMotion ? { ...now, fingerprint: bodies[body].fingerprint } : now;
    });
    const place = point && Array.from(point);
    return { a, b, relation, distance, depth, point: place, ...(inMotion && { inMotion }) };
  }

  function changeBetween(was: PastPair, now: AssemblyPair): Exclude<Change, 'new'> {
    const before: [PastBody, PastBody] = [bodies[was.a], bodies[was.b]];
    const after: [PastBody, PastBody] = [answer.bodies[today[was.a]], answer.bodies[today[was.b]]];
    const isSameMotion = was.inMotion === answer.isMotion;
    if (isSameMotion && isSamePlaced(before[0], after[0]) && isSamePlaced(before[1], after[1])) return 'same';
    return changeOf({ pair: was, bodies: before }, { pair: now, bodies: after });
  }

  function outcomeOf(
    was: PastPair,
    now: AssemblyPair | undefined,
    change: Change | undefined,
  ): Pick<Gone, 'outcome' | 'reason'> {
    const lost = missing(past, was);
    if (lost !== undefined) return lost;
    const [a, b] = [today[was.a], today[was.b]];
    const decision = decide(a, b);
    if (decision === undefined) return unchecked('no test of the rules names the two');
    if (now !== undefined && !isUnconfirmed(now)) {
      if (decision.allowed !== undefined)
        return { outcome: 'forgiven', reason: `allowed: ${decision.allowed}` };
      const verdict = verdictOf(now);
      const isMended = kindOf(now) < kindOf(was) || verdict === 'within-tolerance';
      const outcome = change === 'better' && isMended ? 'resolved' : 'forgiven';
      return { outcome, reason: verdictWords[verdict] };
    }
    if (answer.frames.some(({ bounds }) => bounds !== undefined)) {
      return unchecked('the method samples and may have missed it');
    }
    if (was.inMotion !== answer.isMotion) {
      return unchecked(was.inMotion ? 'it was found in a motion' : 'it was found without a motion');
    }
    const movesAlike = (body: number) =>
      bodies[body].fingerprint?.pose === answer.bodies[today[body]].fingerprint?.pose;
    if (was.inMotion && !(movesAlike(was.a) && movesAlike(was.b))) {
      return unchecked('the parts do not move as they did');
    }
    const { clearance = 0 } = decision;
    if (was.relation === 'separate' && !(clearance > (was.distance ?? Number.POSITIVE_INFINITY))) {
      return unchecked(
        was.distance === undefined
          ? 'how far apart they were is not known'
          : `today's clearance is ${clearance}; they were ${was.distance} apart`,
      );
    }
    const solid = answer.bodies[a].solid && answer.bodies[b].solid;
    if (was.relation !== 'separate' && !solid && boxesMeet(answer.bodies[a], answer.bodies[b])) {
      return unchecked('a part is no solid, and what lies wholly inside it is not found');
    }
    return { outcome: 'resolved', reason: 'checked again' };
  }
}

/** Whether the boxes of two bodies have a common point; true if one is not known. */
function boxesMeet({ fingerprint: p }: PastBody, { fingerprint: q }: PastBody): boolean {
  const [one, other] = [p?.box, q?.box];
  if (one === undefined || other === undefined) return true;
  return [0, 1, 2].every(axis => one[axis] <= other[axis + 3] && other[axis] <= one[axis + 3]);
}

const unchecked = (reason: string): Pick<Gone, 'outcome' | 'reason'> => ({ outcome: 'unchecked', reason });

/** A part that is gone though its file was read is removed; a part of a file that was not given is unchecked. */
function missing(
  { bodies, today, files }: Past,
  was: AssemblyPair,
): Pick<Gone, 'outcome' | 'reason'> | undefined {
  const lost = [was.a, was.b].filter(body => today[body] < 0).map(body => bodies[body]);
  const removed = lost.find(({ file }) => file === undefined || files.has(file));
  if (removed !== undefined) return { outcome: 'removed', reason: `${removed.name} is gone` };
  return lost.length === 0 ? undefined : unchecked(`${lost[0].file} was not given`);
}

function countsOf(changes: readonly (ChangedPair | undefined)[], gone: readonly Gone[]): History['counts'] {
  const counts = {
    new: 0,
    same: 0,
    worse: 0,
    better: 0,
    moved: 0,
    resolved: 0,
    removed: 0,
    unchecked: 0,
    forgiven: 0,
  };
  for (const each of changes) if (each?.change) counts[each.change]++;
  for (const { outcome } of gone) counts[outcome]++;
  return counts;
}
