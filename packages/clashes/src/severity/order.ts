// In which order do people want to see pairs? First what is to be fixed: by the severity of its test, clashes with the
// deepest at the top, then pairs that are too close, the nearest first. Then what touches, then what is forgiven. The JSON
// keeps its own order, by bodies.

import type { AssemblyPair, Severity, Verdict } from '../assembly/types.ts';
import { type Steps, sorted } from '../steps/steps.ts';

/**
 * The order of verdicts in tables and reports, and of the frames of a pair: first what fails the check, then what would if
 * nobody had accepted it.
 */
export const verdictOrder: readonly Verdict[] = [
  'clash',
  'too-close',
  'touching',
  'within-rounding',
  'accepted',
  'within-tolerance',
  'allowed',
  'ignored',
];

/** How much a test cares, the most first. */
export const severityOrder: readonly Severity[] = ['critical', 'major', 'minor', 'info'];

/** How a verdict reads in tables and reports. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  clash: 'clash',
  'too-close': 'too close',
  touching: 'touching',
  'within-rounding': "within the files' rounding",
  'within-tolerance': 'touching within tolerance',
  allowed: 'allowed',
  accepted: 'accepted',
  ignored: 'ignored',
};

/** The verdict of a pair: what was decided, or what its relation alone says. */
export function verdictOf({ verdict, relation }: AssemblyPair): Verdict {
  return verdict ?? (relation === 'separate' ? 'too-close' : relation === 'touching' ? 'touching' : 'clash');
}

/** Whether a method that samples reports the pair, and the exact relation does not confirm it. */
export const isUnconfirmed = ({ relation, distance }: AssemblyPair): boolean =>
  relation === 'separate' && distance === undefined;

/** Whether somebody has to do something about the pair: it overlaps too deep, or is too close. */
export function isToFix(pair: AssemblyPair): boolean {
  const verdict = verdictOf(pair);
  return verdict === 'clash' || verdict === 'too-close';
}

/** Pairs in the order in which they matter. */
export const byImportance = <P extends AssemblyPair>(pairs: readonly P[]): Steps<P[]> =>
  sorted(pairs, compareImportance);

/**
 * Negative if the first pair matters more. What is not confirmed comes last. A pair without a measured depth may be of any depth, so it comes before
 * those with one. Pairs that are equal in all this keep the order of their bodies.
 */
export function compareImportance(p: AssemblyPair, q: AssemblyPair): number {
  const bySeverity = severityRank(p.severity) - severityRank(q.severity);
  return (
    Number(isUnconfirmed(p)) - Number(isUnconfirmed(q)) ||
    (isToFix(p) && isToFix(q) && bySeverity) ||
    verdictOrder.indexOf(verdictOf(p)) - verdictOrder.indexOf(verdictOf(q)) ||
    bySeverity ||
    deepest(q) - deepest(p) ||
    // Rows are measured in this order (scene.depths), so what is shown is what was measured.
    (q.depth?.lower ?? 0) - (p.depth?.lower ?? 0) ||
    (p.distance ?? 0) - (q.distance ?? 0) ||
    q.triangleCount - p.triangleCount ||
    p.a - q.a ||
    p.b - q.b
  );
}

/** 0 for the most serious. Without rules every pair is as serious as a test that does not say. */
export const severityRank = (severity: Severity = 'major'): number => severityOrder.indexOf(severity);

/** The greatest depth that the pair may have. Large, not infinite, where it is unknown: differences stay numbers. */
const deepest = ({ depth, relation }: AssemblyPair): number =>
  depth?.upper ?? (relation === 'separate' || relation === 'touching' ? 0 : Number.MAX_VALUE);
