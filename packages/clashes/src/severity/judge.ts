// Is a pair a clash? A pair that shares interior is one if it is deeper than its tolerance. The tolerance comes from the
// test that names the pair, or from the user; without either, a floor comes from the files themselves: bodies that were
// modelled flush overlap by what their number formats round. Only what is proven not deeper is forgiven; what stays
// undecided counts as deeper.

import type { Body, Limits, Nearfield, PairDepth, Scene } from 'nearfield';
import { pairKey } from '../assembly/pair-key.ts';
import type { AssemblyPair, Bracket, GivenBody, Verdict } from '../assembly/types.ts';
import type { Decision } from '../rules/types.ts';
import { Pauses } from '../steps/pauses.ts';
import { mapped } from '../steps/steps.ts';
import { severityOrder } from './order.ts';
import { crossesPlainly } from './rounding/plain-crossing.ts';
import { roundingOf, WithinRounding } from './rounding/within-rounding.ts';

/** The bodies of an assembly, where they are. */
export interface PlacedBodies {
  readonly nf: Nearfield;
  /** Opens another library, for pairs that do not fit beside all bodies. */
  readonly another?: (() => Promise<Nearfield>) | undefined;
  readonly scene: Scene;
  /** By index. */
  readonly placed: readonly Body[];
  /** Sets the poses of the bodies, if that has been put off until something is asked about them. */
  readonly place?: (() => void) | undefined;
  readonly given: readonly GivenBody[];
  /** Per body, 1 if it is a solid, 2 if it is none, 0 if that was not looked up yet. */
  readonly solids?: Uint8Array | undefined;
  /** The triangles of a pair that meet, (in a, in b), if they are known. */
  readonly trianglesOf?: ((a: number, b: number) => Uint32Array | undefined) | undefined;
  /** By `pairKey`, whether a change within rounding is proven to part a pair. What is found out is added. */
  readonly parted?: Map<number, boolean> | undefined;
}

export interface JudgeSettings {
  /** What is asked about two bodies, by index. */
  readonly decide: (a: number, b: number) => Decision | undefined;
  /**
   * Which depths are measured well: 'none' of them, those of the rows that are 'shown', or 'all'. 'auto' is 'shown', unless
   * more than `mostUnasked` pairs overlap: then it is 'none'. With 'none', depths are bracketed only as far as it is needed to
   * forgive or to ignore.
   */
  readonly depths: 'auto' | 'none' | 'shown' | 'all';
  /** How many rows are shown: their order becomes certain. */
  readonly rows: number;
  /** Further depths that the depth of two bodies, by index, is compared with: the search goes on until it is known whether they are deeper. */
  readonly limits?: ((a: number, b: number) => readonly number[]) | undefined;
}

/** A pair whose fields are still being found. */
export type OpenPair = { -readonly [K in keyof AssemblyPair]: AssemblyPair[K] };

/** Measuring takes about a millisecond per pair: if more pairs than this overlap, depths are not measured unless somebody asks. */
export const mostUnasked = 5000;

/** Upper bounds of a bracket worth reading are at most this many times the lower. */
const readable = 1.1;

/** The share of the time that depths take; the rest is for pairs that may be within rounding. */
const depthShare = 0.9;

/**
 * Adds verdicts to the pairs, and depths as far as they are wanted. Returns how many pairs that overlap were left
 * unmeasured because they are too many.
 */
export async function judge(
  bodies: PlacedBodies,
  pairs: readonly OpenPair[],
  settings: JudgeSettings,
  limits: Limits,
): Promise<number> {
  const most = settings.depths === 'auto' ? mostUnasked : Number.POSITIVE_INFINITY;
  const { deep, total } = weighMany(bodies, pairs, settings.decide, most);
  const tooMany = total > most;
  const depths = settings.depths !== 'auto' ? settings.depths : tooMany ? 'none' : 'shown';
  // The rounding of the files is a tolerance that nobody asked for.
  const open = deep.filter(each => !isSettled(each) && !(depths === 'none' && each.isUnasked));
  if (open.length > 0 || deep.some(({ pair }) => pair.depth !== undefined)) bodies.place?.();
  const first = { none: 0, shown: settings.rows, all: Number.POSITIVE_INFINITY }[depths];
  const depthLimits = partOf(limits, 0, depthShare);
  await measureShown(bodies, open, first, depthLimits);
  if (settings.limits !== undefined) await decideLimits(bodies, deep, settings.limits, depthLimits);
  settle(deep);
  await forgiveRounding(bodies, deep, partOf(limits, depthShare, 1));
  return tooMany ? total - deep.filter(({ pair }) => pair.depth !== undefined).length : 0;
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
  weighEach(
    { given },
    pairs,
    decide,
    () => true,
    each => deep.push(each),
  );
  return deep;
}

/**
 * The same, and how many pairs there are whose verdict their depth decides. If there are more than `most`, only those are
 * returned whose depth is known or asked for: there may be millions of the others.
 */
function weighMany(
  bodies: Pick<PlacedBodies, 'given' | 'solids'>,
  pairs: readonly OpenPair[],
  decide: JudgeSettings['decide'],
  most: number,
): { deep: readonly DeepPair[]; total: number } {
  const isKept = (pair: OpenPair, isUnasked: boolean) => !isUnasked || pair.depth !== undefined;
  let deep: DeepPair[] = [];
  let total = 0;
  const isWanted = (pair: OpenPair, isUnasked: boolean) => {
    if (++total === most + 1) deep = deep.filter(each => isKept(each.pair, each.isUnasked));
    return total <= most || isKept(pair, isUnasked);
  };
  weighEach(bodies, pairs, decide, isWanted, each => deep.push(each));
  return { deep, total };
}

function weighEach(
  // Asking the bodies themselves, millions of times and out of order, mostly waits for memory.
  { given, solids = new Uint8Array(given.length) }: Pick<PlacedBodies, 'given' | 'solids'>,
  pairs: readonly OpenPair[],
  decide: JudgeSettings['decide'],
  isWanted: (pair: OpenPair, isUnasked: boolean) => boolean,
  take: (deep: DeepPair) => void,
): void {
  const isSolid = (i: number) => (solids[i] ||= given[i].mesh.solid ? 1 : 2) === 1;
  for (const pair of pairs) {
    const { a, b, relation } = pair;
    const decision = decide(a, b);
    if (decision === undefined) continue;
    const { test, severity, tolerance, ignore, allowed } = decision;
    const isIgnored = ignore.size > 0 && ignore.has(relation);
    if (test !== undefined) {
      pair.test = test;
      pair.severity = severity;
    }
    const touches = relation === 'touching';
    // Solids that touch share no interior. A body that is no solid may touch another and still reach into it.
    const mayReachIn = touches && !(isSolid(a) && isSolid(b));
    if (allowed !== undefined) {
      pair.verdict = 'allowed';
      pair.reason = allowed;
    } else if (isIgnored && !mayReachIn) pair.verdict = 'ignored';
    else if (relation === 'separate') pair.verdict = 'too-close';
    else {
      const plain = touches ? 'touching' : 'within-rounding';
      const forgiven: Verdict = isIgnored ? 'ignored' : tolerance === undefined ? plain : 'within-tolerance';
      pair.verdict = touches ? forgiven : 'clash';
      if (touches && !mayReachIn) continue;
      const isUnasked = tolerance === undefined && !isIgnored;
      if (!isWanted(pair, isUnasked)) continue;
      const rounding = roundingOf(given[a], given[b]);
      const depth = typeof tolerance === 'number' ? tolerance : rounding;
      take({ pair, tolerance: depth, rounding, forgiven, isUnasked });
    }
  }
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
  /** How far a translation may move one of the two within the rounding of both. */
  readonly rounding: number;
  /** Whether the tolerance is only what the files round, and nothing is hidden because of it. */
  readonly isUnasked: boolean;
  /** The verdict if the pair is not deeper than its tolerance. */
  readonly forgiven: Verdict;
}

const contains = ({ lower, upper }: Bracket, depth: number): boolean => lower <= depth && depth < upper;

/** Whether an earlier run has measured the depth well enough: its bracket is about the same numbers. */
const isSettled = ({ pair: { depth }, tolerance }: DeepPair): boolean =>
  depth !== undefined && depth.upper <= readable * depth.lower && !contains(depth, tolerance);

/**
 * Measures the pairs of the most severe tests first: they are shown first, so fewer rows are left for the others. Depths
 * of pairs beyond the rows that are shown are measured only as precisely as tolerances need.
 */
async function measureShown(
  bodies: PlacedBodies,
  deep: readonly DeepPair[],
  rows: number,
  { signal, progress }: Limits,
): Promise<void> {
  let [left, done] = [rows, 0];
  for (const severity of severityOrder) {
    const some = deep.filter(({ pair }) => (pair.severity ?? 'major') === severity);
    if (some.length === 0) continue;
    const start = done;
    const share = (part: number) => progress?.((start + part * some.length) / deep.length);
    await measure(bodies, some, left, { signal, progress: share });
    done += some.length;
    const shown = some.filter(({ pair: { depth }, tolerance }) => depth!.upper > tolerance);
    left = Math.max(left - shown.length, 0);
  }
}

/** Measures depths as precisely as tolerances and the rows that are shown need. */
async function measure(
  { scene, placed }: PlacedBodies,
  deep: readonly DeepPair[],
  first: number,
  limits: Limits,
): Promise<void> {
  const { pairs: measured } = await scene.depths(
    deep.map(({ pair: { a, b } }) => ({ a: placed[a], b: placed[b] })),
    { ...limits, first, stopAtRatio: readable, tolerance: deep.map(({ tolerance }) => tolerance) },
  );
  for (const [i, { pair }] of deep.entries()) narrow(pair, measured[i]);
}

/** Asks whether a pair is deeper than each of its limits that its measured bracket contains. */
async function decideLimits(
  { scene, placed }: PlacedBodies,
  deep: readonly DeepPair[],
  limitsOf: NonNullable<JudgeSettings['limits']>,
  limits: Limits,
): Promise<void> {
  const open = deep.flatMap(({ pair }) =>
    limitsOf(pair.a, pair.b)
      .filter(limit => pair.depth && contains(pair.depth, limit))
      .map(limit => ({ pair, limit })),
  );
  if (open.length === 0) return;
  const { pairs: measured } = await scene.depths(
    open.map(({ pair: { a, b } }) => ({ a: placed[a], b: placed[b] })),
    { ...limits, first: 0, stopAtRatio: Infinity, tolerance: open.map(({ limit }) => limit) },
  );
  for (const [i, { pair }] of open.entries()) narrow(pair, measured[i]);
}

/** The depth lies in both brackets, so it lies in their intersection. */
function narrow(pair: OpenPair, { depth, translation }: PairDepth): void {
  const known = pair.depth ?? { lower: 0, upper: Infinity };
  if (depth.upper < known.upper) pair.translation = translation;
  pair.depth = { lower: Math.max(known.lower, depth.lower), upper: Math.min(known.upper, depth.upper) };
}

/**
 * Pairs that are deeper than their tolerance, but that a change of their vertices within rounding leaves without common
 * interior, are not clashes, if the tolerance is at least the rounding.
 */
async function forgiveRounding(
  bodies: PlacedBodies,
  deep: readonly DeepPair[],
  { signal, progress }: Limits,
): Promise<void> {
  const { nf, another, placed, given, parted = new Map<number, boolean>() } = bodies;
  const keyOf = (pair: OpenPair) => pairKey(pair, given.length);
  const pauses = new Pauses(signal);
  const isOpen = ({ pair, tolerance, rounding }: DeepPair): boolean => {
    const { relation, verdict, depth } = pair;
    // If one lies in the other, no small change takes it out.
    if (verdict !== 'clash' || depth === undefined || relation !== 'crossing') return false;
    if (!(rounding > 0 && rounding <= tolerance)) return false;
    notePlain({ ...bodies, parted }, pair, rounding);
    return parted.get(keyOf(pair)) !== false;
  };
  const areOpen = await pauses.finish(mapped(deep, isOpen));
  const open = deep.filter((_, i) => areOpen[i]);
  const rounding = new WithinRounding(nf, placed, given, { signal }, another);
  try {
    for (const [i, { pair, forgiven }] of open.entries()) {
      progress?.(i / open.length);
      await pauses.take();
      let isParted = parted.get(keyOf(pair));
      if (isParted === undefined) parted.set(keyOf(pair), (isParted = await rounding.holds(pair.a, pair.b)));
      if (!isParted) continue;
      pair.verdict = forgiven;
      pair.withinRounding = true;
      delete pair.undecided;
    }
  } finally {
    rounding.close();
  }
  progress?.(1);
}

/** Notes if the triangles of a pair, where they are known, show that no change within rounding parts the two. */
export function notePlain(
  { placed, given, trianglesOf, parted }: Omit<PlacedBodies, 'nf' | 'scene'>,
  pair: AssemblyPair,
  rounding: number,
): void {
  const key = pairKey(pair, given.length);
  if (parted === undefined || parted.has(key)) return;
  const triangles = trianglesOf?.(pair.a, pair.b);
  const side = (i: number) => ({ body: placed[i], mesh: given[i].mesh });
  if (triangles !== undefined && crossesPlainly(side(pair.a), side(pair.b), triangles, rounding))
    parted.set(key, false);
}

/** The limits of a part of the work, which takes the progress from one share to another. */
export const partOf = ({ signal, progress }: Limits, from: number, to: number): Limits => ({
  signal,
  progress: progress && (done => progress(from + (to - from) * done)),
});
