// The baseline seen from today: in today's unit, with its bodies found among today's, and its pairs with those that it
// carries along from still earlier runs.

import { pairKey } from '../assembly/pair-key.ts';
import type { AssemblyAnswer, AssemblyPair, Bracket, PastBody } from '../assembly/types.ts';
import { clashIds } from '../identity/clash-id.ts';
import { worstPairs } from '../severity/worst-frame.ts';
import { finish } from '../steps/steps.ts';
import { type Baseline, withFilesOf } from './baseline.ts';
import { positionSlack } from './change.ts';
import { type BodyMatch, matchBodies } from './match/bodies.ts';

/** A pair of the baseline, in its worst frame. It has an identity. */
export type PastPair = AssemblyPair & { readonly clash: string; readonly inMotion: boolean };

export interface Past extends BodyMatch {
  readonly baseline: Baseline;
  /** The baseline's bodies. */
  readonly bodies: readonly PastBody[];
  /** Pairs refer to `bodies`. */
  readonly pairs: readonly PastPair[];
  /** What the user should know: a sentence. */
  readonly note?: string | undefined;
}

/** What the baseline says of today's bodies. Where only one side states its unit, lengths of the baseline are left out. */
export function pastOf(
  baseline: Baseline,
  today: Pick<AssemblyAnswer, 'files' | 'unit'> & { readonly bodies: readonly PastBody[] },
): Past {
  const isUnknown = (baseline.unit === undefined) !== (today.unit === undefined);
  const scale = isUnknown ? undefined : (baseline.unit ?? 1) / (today.unit ?? 1);
  const bodies = baseline.bodies.map(body => scaledBody(body, scale));
  const { files = [] } = today;
  const match = matchBodies(
    { ...baseline, bodies },
    { files: withFilesOf(today.bodies, files), bodies: today.bodies },
  );
  const pairs = pastPairs(baseline, bodies).map(pair => scaledPair(pair, scale));
  if (!isUnknown) return { ...match, baseline, bodies, pairs };
  const which = baseline.unit === undefined ? `${baseline.file} does` : "today's files do";
  const note = `${which} not state a unit: depths and distances cannot be compared with ${baseline.file}, and overlaps of parts that have changed count as worse (--units states it)`;
  return { ...match, baseline, bodies, pairs, note };
}

/** How deep each pair of today's bodies may be without being worse than in the baseline, by `pairKey`. */
export function depthsBefore(past: Past, bodies: readonly PastBody[]): ReadonlyMap<number, number> {
  const limits = new Map<number, number>();
  for (const { a, b, depth } of past.pairs) {
    const now = { a: past.today[a], b: past.today[b] };
    if (depth === undefined || now.a < 0 || now.b < 0) continue;
    const slack = positionSlack([past.bodies[a], past.bodies[b], bodies[now.a], bodies[now.b]]);
    limits.set(pairKey(now, bodies.length), depth.upper + slack);
  }
  return limits;
}

/** The baseline's pairs, with those it carries along. Older versions wrote no identities. */
function pastPairs(baseline: Baseline, bodies: readonly PastBody[]): PastPair[] {
  const own = worstPairs(baseline).map(pair => ({ ...pair, inMotion: baseline.isMotion }));
  const known = new Set(own.map(pair => pairKey(pair, bodies.length)));
  const pairs = [...own, ...baseline.carried.filter(pair => !known.has(pairKey(pair, bodies.length)))];
  const given = new Set<string>();
  const nameless: number[] = [];
  pairs.forEach(({ clash }, i) => {
    // A file may say anything, also that two clashes are one.
    if (clash === undefined || given.has(clash)) nameless.push(i);
    else given.add(clash);
  });
  const ids = finish(
    clashIds(
      bodies,
      nameless.map(i => pairs[i]),
      given,
    ),
  );
  const newIds = new Map(nameless.map((i, k) => [i, ids[k]]));
  return pairs.map((pair, i) => ({ ...pair, clash: newIds.get(i) ?? pair.clash! }));
}

/** Lengths times the scale; without a scale there are none. */
function scaledPair(pair: PastPair, scale: number | undefined): PastPair {
  if (scale === 1) return pair;
  const { distance, depth, point, pointA, pointB, ...rest } = pair;
  if (scale === undefined) return rest;
  return {
    ...rest,
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

function scaledBody(body: PastBody, scale: number | undefined): PastBody {
  if (scale === 1) return body;
  const { rounding, fingerprint, ...rest } = body;
  const by = (value: number): number => value * scale!;
  const isKnown = scale !== undefined;
  return {
    ...rest,
    rounding: isKnown && rounding !== undefined ? by(rounding) : undefined,
    fingerprint: fingerprint && { ...fingerprint, box: isKnown ? fingerprint.box?.map(by) : undefined },
  };
}
