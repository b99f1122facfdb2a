// Is a pair a clash? A pair that shares interior is one if it is deeper than its tolerance. The tolerance comes from the
// test that names the pair, or from the user; without either, a floor comes from the files themselves: bodies that were
// modelled flush overlap by what their number formats round. Only what is proven not deeper is forgiven; what stays
// undecided counts as deeper.

import type { Body, Limits, Relation, Scene } from 'nearfield';
import type { AssemblyPair, GivenBody, Verdict } from '../assembly/types.ts';
import type { Decision } from '../rules/types.ts';

export interface JudgeSettings {
  /** What the rules say about two bodies, by index. Without rules every pair is asked the same. */
  readonly decide?: ((a: number, b: number) => Decision | undefined) | undefined;
  /** The depth that is forgiven; 'file' for the rounding of the files. */
  readonly tolerance?: number | 'file' | undefined;
  /** Relations that the user does not mind. */
  readonly ignore?: ReadonlySet<Relation> | undefined;
  /**
   * Which depths are measured well: 'none' of them, those of the rows that are 'shown', or 'all'. With 'none', depths are
   * bracketed only as far as tolerances need it.
   */
  readonly depths: 'none' | 'shown' | 'all';
  /** How many rows are shown: their order becomes certain. */
  readonly rows: number;
}

/** A pair whose fields are still being found. */
export type OpenPair = { -readonly [K in keyof AssemblyPair]: AssemblyPair[K] };

/** Upper bounds of a bracket worth reading are at most this many times the lower. */
const readable = 1.1;

/** Adds verdicts to the pairs, and depths as far as they are wanted. `placed` are the bodies by index. */
export async function judge(
  scene: Scene,
  placed: readonly Body[],
  given: readonly GivenBody[],
  pairs: readonly OpenPair[],
  settings: JudgeSettings,
  limits: Limits,
): Promise<void> {
  const deep: OpenPair[] = [];
  for (const pair of pairs) {
    const decision = settings.decide?.(pair.a, pair.b);
    if (decision !== undefined) Object.assign(pair, { test: decision.test, severity: decision.severity });
    const { relation } = pair;
    const isForgiven = (decision?.tolerance ?? settings.tolerance) !== undefined;
    if (decision?.allowed !== undefined) {
      Object.assign(pair, { verdict: 'allowed', reason: decision.allowed } satisfies Partial<AssemblyPair>);
    } else if (settings.ignore?.has(relation) || decision?.ignore.has(relation)) pair.verdict = 'ignored';
    else if (relation === 'separate') pair.verdict = 'too-close';
    else if (relation === 'touching') pair.verdict = isForgiven ? 'within-tolerance' : 'touching';
    else {
      pair.verdict = 'clash';
      deep.push(pair);
    }
    if (relation === 'touching' && settings.depths !== 'none') pair.depth = { lower: 0, upper: 0 };
  }
  const tolerances = deep.map(({ a, b }) => {
    const tolerance = settings.decide?.(a, b)?.tolerance ?? settings.tolerance;
    return typeof tolerance === 'number' ? tolerance : roundingOf(given[a], given[b]);
  });
  const asked = settings.tolerance !== undefined || settings.decide !== undefined;
  if (deep.length === 0 || (settings.depths === 'none' && !asked)) return;
  const first = { none: 0, shown: settings.rows, all: Number.POSITIVE_INFINITY }[settings.depths];
  const { pairs: measured } = await scene.depths(
    deep.map(({ a, b }) => ({ a: placed[a], b: placed[b] })),
    { ...limits, first, stopAtRatio: readable, tolerance: tolerances },
  );
  for (const [i, pair] of deep.entries()) {
    const { depth, translation } = measured[i];
    Object.assign(pair, { depth, translation });
    const forgiven = verdictWithin(settings, pair);
    if (depth.upper <= tolerances[i]) pair.verdict = forgiven;
    else if (depth.lower <= tolerances[i]) pair.undecided = true;
  }
}

/** The verdict of a pair that is not deeper than its tolerance. */
function verdictWithin({ decide, tolerance }: JudgeSettings, { a, b }: OpenPair): Verdict {
  return (decide?.(a, b)?.tolerance ?? tolerance) === undefined ? 'within-rounding' : 'within-tolerance';
}

/**
 * How deep two bodies may seem to overlap because their files round. A coordinate of a body is off by at most its
 * rounding r, so a point by at most √3·r < 2r, and a face that was flush with another by at most the sum for both.
 */
export const roundingOf = (a: GivenBody, b: GivenBody): number => 2 * ((a.rounding ?? 0) + (b.rounding ?? 0));
