// What has changed since the baseline? Every clash is new, the same, worse, better or moved, and every clash of the
// baseline that is none now is resolved, removed, unchecked or forgiven. Only what was really checked again is resolved.

import type {
  AssemblyAnswer,
  AssemblyPair,
  Bracket,
  Change,
  Gone,
  History,
  PastBody,
  PastClash,
} from '../assembly/types.ts';
import { type ChangedPair, clashIds, withClashes } from '../identity/clash-id.ts';
import type { Decision } from '../rules/types.ts';
import { isClash } from '../severity/failing.ts';
import { verdictOf, verdictWords } from '../severity/order.ts';
import { pairKey, worstPairs } from '../severity/worst-frame.ts';
import { type Baseline, isSamePlaced, withFilesOf } from './baseline.ts';
import { changeOf, placeOf } from './change.ts';
import { type BodyMatch, matchBodies } from './match/bodies.ts';

export interface CompareOptions {
  /** What today's rules say about two of today's bodies. Without rules every pair is checked. */
  readonly decide: (a: number, b: number) => Pick<Decision, 'clearance' | 'allowed'> | undefined;
}

/** The answer with identities, changes and history. Identities of clashes that were found again are the baseline's. */
export function compare(
  answer: AssemblyAnswer,
  baseline: Baseline,
  { decide }: CompareOptions,
): AssemblyAnswer {
  const scale = baseline.unit && answer.unit ? baseline.unit / answer.unit : 1;
  const bodies = baseline.bodies.map(body => scaledBody(body, scale));
  const match = matchBodies(
    { ...baseline, bodies },
    { files: withFilesOf(answer.bodies, answer.files ?? []), bodies: answer.bodies },
  );
  const past = pastPairs(baseline, bodies, scale);
  const pairs = worstPairs(answer);
  const byBodies = new Map(pairs.map((pair, i) => [pairKey(pair, answer.bodies.length), i]));

  const ids = new Array<string | undefined>(pairs.length).fill(undefined);
  const changes = new Array<ChangedPair | undefined>(pairs.length).fill(undefined);
  const gone: Gone[] = [];
  for (const was of past) {
    const [a, b] = [match.today[was.a], match.today[was.b]];
    const found = a < 0 || b < 0 ? undefined : byBodies.get(pairKey({ a, b }, answer.bodies.length));
    const now = found === undefined ? undefined : pairs[found];
    if (found !== undefined) ids[found] = was.clash;
    if (!isClash(was)) continue;
    const change = now && changeBetween(was, now);
    if (now !== undefined && isClash(now)) {
      const isChanged = (change === 'worse' || change === 'better') && was.depth !== undefined;
      changes[found!] = { change, ...(isChanged && { depthBefore: was.depth }) };
    } else gone.push({ clash: was.clash, ...outcomeOf(was, now, change), was: pastClash(was) });
  }

  const fresh = pairs.flatMap((_, i) => (ids[i] === undefined ? [i] : []));
  const taken = new Set(past.map(({ clash }) => clash));
  const freshIds = clashIds(
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
  const withIds = withClashes(answer, pairs, ids as string[], changes);
  return { ...withIds, history: { baseline: baseline.file, counts: countsOf(changes, gone), gone } };

  /** The clash as it was, with its parts as they are now, if they were found: next week's files have their names. */
  function pastClash(was: PastPair): PastClash {
    const { relation, distance, depth } = was;
    const point = placeOf(was);
    const [a, b] = [was.a, was.b].map(body =>
      match.today[body] < 0 ? bodies[body] : answer.bodies[match.today[body]],
    );
    return { a, b, relation, distance, depth, point: point && Array.from(point) };
  }

  function changeBetween(was: PastPair, now: AssemblyPair): Exclude<Change, 'new'> {
    const before: [PastBody, PastBody] = [bodies[was.a], bodies[was.b]];
    const isSwapped = match.today[was.a] !== now.a;
    const after: [PastBody, PastBody] = [answer.bodies[now.a], answer.bodies[now.b]];
    if (isSwapped) after.reverse();
    const isAlike = (answer.isMotion ?? false) === (baseline.isMotion ?? false);
    if (isAlike && isSamePlaced(before[0], after[0]) && isSamePlaced(before[1], after[1])) return 'same';
    return changeOf({ pair: was, bodies: before }, { pair: now, bodies: after });
  }

  function outcomeOf(
    was: PastPair,
    now: AssemblyPair | undefined,
    change: Change | undefined,
  ): Pick<Gone, 'outcome' | 'reason'> {
    const lost = missing(bodies, was, match);
    if (lost !== undefined) return lost;
    const [a, b] = [match.today[was.a], match.today[was.b]];
    const decision = decide(a, b);
    if (decision === undefined) return unchecked('no test of the rules names the two');
    if (now !== undefined && now.relation !== 'separate') {
      if (decision.allowed !== undefined)
        return { outcome: 'forgiven', reason: `allowed: ${decision.allowed}` };
      if (change === 'better') return { outcome: 'resolved', reason: verdictWords[verdictOf(now)] };
      return { outcome: 'forgiven', reason: verdictWords[verdictOf(now)] };
    }
    if (answer.frames.some(({ bounds }) => bounds !== undefined)) {
      return unchecked('the method samples and may have missed it');
    }
    if (baseline.isMotion && !(answer.isMotion && answer.frames.length >= baseline.frames.length)) {
      return unchecked('the baseline has more frames');
    }
    if (was.relation === 'separate' && !((decision.clearance ?? 0) > (was.distance ?? 0))) {
      return unchecked('the clearance is not larger than their distance was');
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
  bodies: readonly PastBody[],
  was: AssemblyPair,
  { today, files }: BodyMatch,
): Pick<Gone, 'outcome' | 'reason'> | undefined {
  const lost = [was.a, was.b].filter(body => today[body] < 0).map(body => bodies[body]);
  const removed = lost.find(({ file }) => file === undefined || files.has(file));
  if (removed !== undefined) return { outcome: 'removed', reason: `${removed.name} is gone` };
  return lost.length === 0 ? undefined : unchecked(`${lost[0].file} was not given`);
}

/** A pair of the baseline. It has an identity. */
type PastPair = AssemblyPair & { readonly clash: string };

/** The baseline's pairs in today's unit, with those it carries along. Older versions wrote no identities. */
function pastPairs(baseline: Baseline, bodies: readonly PastBody[], scale: number): PastPair[] {
  const own = worstPairs(baseline);
  const known = new Set(own.map(pair => pairKey(pair, bodies.length)));
  const pairs = [...own, ...baseline.carried.filter(pair => !known.has(pairKey(pair, bodies.length)))];
  const given = new Set<string>();
  const nameless: number[] = [];
  pairs.forEach(({ clash }, i) => {
    // A file may say anything, also that two clashes are one.
    if (clash === undefined || given.has(clash)) nameless.push(i);
    else given.add(clash);
  });
  const ids = clashIds(
    bodies,
    nameless.map(i => pairs[i]),
    given,
  );
  const newIds = new Map(nameless.map((i, k) => [i, ids[k]]));
  return pairs.map((pair, i) => ({ ...scaledPair(pair, scale), clash: newIds.get(i) ?? pair.clash! }));
}

function scaledPair(pair: AssemblyPair, scale: number): AssemblyPair {
  if (scale === 1) return pair;
  const { distance, depth, point, pointA, pointB } = pair;
  return {
    ...pair,
    distance: distance && distance * scale,
    depth: depth && scaledBracket(depth, scale),
    point: point?.map(value => value * scale),
    pointA: pointA?.map(value => value * scale),
    pointB: pointB?.map(value => value * scale),
  };
}

const scaledBracket = ({ lower, upper }: Bracket, scale: number): Bracket => ({
  lower: lower * scale,
  upper: upper * scale,
});

function scaledBody(body: PastBody, scale: number): PastBody {
  if (scale === 1) return body;
  const { rounding, fingerprint } = body;
  return {
    ...body,
    rounding: rounding && rounding * scale,
    fingerprint: fingerprint && { ...fingerprint, box: fingerprint.box?.map(value => value * scale) },
  };
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
