// In which order do people want to see pairs? Clashes first, the deepest at the top, then pairs that are too close, the
// nearest first, then what is forgiven. The JSON keeps its own order, by bodies.

import type { AssemblyPair, Verdict } from '../assembly/types.ts';

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

/** Pairs in the order in which they matter. */
export const byImportance = <P extends AssemblyPair>(pairs: readonly P[]): P[] =>
  [...pairs].sort(compareImportance);

/**
 * Negative if the first pair matters more. A pair without a measured depth may be of any depth, so it comes before
 * those with one. Pairs that are equal in all this keep the order of their bodies.
 */
export function compareImportance(p: AssemblyPair, q: AssemblyPair): number {
  return (
    verdictOrder.indexOf(verdictOf(p)) - verdictOrder.indexOf(verdictOf(q)) ||
    deepest(q) - deepest(p) ||
    (p.distance ?? 0) - (q.distance ?? 0) ||
    q.triangleCount - p.triangleCount ||
    p.a - q.a ||
    p.b - q.b
  );
}

/** The greatest depth that the pair may have. Large, not infinite, where it is unknown: differences stay numbers. */
const deepest = ({ depth, relation }: AssemblyPair): number =>
  depth?.upper ?? (relation === 'separate' || relation === 'touching' ? 0 : Number.MAX_VALUE);
