// Is a pair a clash? A pair that shares interior is one if it is deeper than its tolerance. The tolerance comes from the
// test that names the pair, or from the user; without either, a floor comes from the files themselves: bodies that were
// modelled flush overlap by what their number formats round. Only what is proven not deeper is forgiven; what stays
// undecided counts as deeper.

import type { Body, Limits, Scene } from 'nearfield';
import type { AssemblyPair, GivenBody, Verdict } from '../assembly/types.ts';
import type { Decision } from '../rules/types.ts';

export interface JudgeSettings {
  /** What is asked about two bodies, by index. */
  readonly decide: (a: number, b: number) => Decision | undefined;
  /**
   * Which depths are measured well: 'none' of them, those of the rows that are 'shown', or 'all'. 'auto' is 'shown', unless
   * more than 5,000 pairs overlap: then it is 'none'. With 'none', depths are bracketed only as far as it is needed to
   * forgive or to ignore.
   */
  readonly depths: 'auto' | 'none' | 'shown' | 'all';
  /** How many rows are shown: their order becomes certain. */
  readonly rows: number;
}

/** A pair whose fields are still being found. */
export type OpenPair = { -readonly [K in keyof AssemblyPair]: AssemblyPair[K] };

/** Measuring takes about a millisecond per pair: of more pairs than this, depths are not measured unless somebody asks. */
const mostUnasked = 5000;

/** Upper bounds of a bracket worth reading are at most this many times the lower. */
const readable = 1.1;

/**
 * Adds verdicts to the pairs, and depths as far as they are wanted. `placed` are the bodies by index. Returns how many pairs
 * that overlap were left unmeasured because they are too many.
 */
export async function judge(
  scene: Scene,
  placed: readonly Body[],
  given: readonly GivenBody[],
  pairs: readonly OpenPair[],
  settings: JudgeSettings,
  limits: Limits,
): Promise<number> {
  const deep = weigh(given, pairs, settings.decide);
  const tooMany = settings.depths === 'auto' && deep.length > mostUnasked;
  const depths = settings.depths !== 'auto' ? settings.depths : tooMany ? 'none' : 'shown';
  // The rounding of the files is a tolerance that nobody asked for.
  const open = deep.filter(({ pair, isUnasked }) => !pair.depth && !(depths === 'none' && isUnasked));
  const first = { none: 0, shown: settings.rows, all: Number.POSITIVE_INFINITY }[depths];
  if (open.length > 0) await measure(scene, placed, open, first, limits);
  settle(deep);
  return tooMany ? deep.filter(({ pair }) => pair.depth === undefined).length : 0;
}

/**
 * Adds to the pairs what is known without their depths: tests, and verdicts, where those that may be deep count as deep.
 * Returns the pairs whose verdict their depth decides.
 */
export function weigh(
  given: readonly GivenBody[],
  pairs: readonly OpenPair[],
  decide: JudgeSettings['decide'],
): DeepPair[] {
  const deep: DeepPair[] = [];
  for (const pair of pairs) {
    const { a, b, relation } = pair;
    const decision = decide(a, b);
    if (decision === undefined) continue;
    const { test, severity, tolerance, ignore, allowed } = decision;
    if (test !== undefined) Object.assign(pair, { test, severity });
    // Solids that touch share no interior. A body that is no solid may touch another and still reach into it.
    const mayReachIn = !(given[a].mesh.solid && given[b].mesh.solid);
    if (allowed !== undefined) Object.assign(pair, { verdict: 'allowed', reason: allowed });
    else if (ignore.has(relation) && !(relation === 'touching' && mayReachIn)) pair.verdict = 'ignored';
    else if (relation === 'separate') pair.verdict = 'too-close';
    else {
      const touches = relation === 'touching';
      const plain = touches ? 'touching' : 'within-rounding';
      const forgiven: Verdict = ignore.has(relation)
        ? 'ignored'
        : tolerance === undefined
          ? plain
          : 'within-tolerance';
      pair.verdict = touches ? forgiven : 'clash';
      if (touches && !mayReachIn) continue;
      const depth = typeof tolerance === 'number' ? tolerance : roundingOf(given[a], given[b]);
      deep.push({
        pair,
        tolerance: depth,
        forgiven,
        isUnasked: tolerance === undefined && !ignore.has(relation),
      });
    }
  }
  return deep;
}

/** The verdicts of pairs by their depths, where these are known. */
export function settle(deep: readonly DeepPair[]): void {
  for (const { pair, tolerance, forgiven } of deep) {
    if (pair.depth === undefined) continue;
    pair.verdict = pair.depth.upper <= tolerance ? forgiven : 'clash';
    if (pair.verdict === 'clash' && pair.depth.lower <= tolerance) pair.undecided = true;
  }
}

/** A pair whose verdict its depth decides. */
export interface DeepPair {
  readonly pair: OpenPair;
  /** The depth that is forgiven. */
  readonly tolerance: number;
  /** Whether the tolerance is only what the files round, and nothing is hidden because of it. */
  readonly isUnasked: boolean;
  /** The verdict if the pair is not deeper than its tolerance. */
  readonly forgiven: Verdict;
}

/** Measures depths as well as tolerances and the rows that are shown need it. */
async function measure(
  scene: Scene,
  placed: readonly Body[],
  deep: readonly DeepPair[],
  first: number,
  limits: Limits,
): Promise<void> {
  const { pairs: measured } = await scene.depths(
    deep.map(({ pair: { a, b } }) => ({ a: placed[a], b: placed[b] })),
    { ...limits, first, stopAtRatio: readable, tolerance: deep.map(({ tolerance }) => tolerance) },
  );
  for (const [i, { pair }] of deep.entries()) {
    const { depth, translation } = measured[i];
    Object.assign(pair, { depth, translation });
  }
}

/**
 * How deep two bodies may seem to overlap because their files round. No point of a body is off by more than its
 * rounding, so faces that were flush overlap by at most the sum of both. Bodies that were flush on several sides at once,
 * up to three at right angles, need a translation of up to √3 < 2 times that.
 */
export const roundingOf = (a: Pick<GivenBody, 'rounding'>, b: Pick<GivenBody, 'rounding'>): number =>
  2 * ((a.rounding ?? 0) + (b.rounding ?? 0));
