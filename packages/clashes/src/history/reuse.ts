// What need not be computed again? Two bodies whose meshes and poses are those of the baseline meet, or not, as they did
// then, if the same was asked. The answer is the same as without: distances, relations, counts and points come from the
// same doubles in the same order of bodies. Bounds of a depth hold as long as the doubles do; they may be narrower than
// today's question needs.

import type { AssemblyBody, AssemblyPair } from '../assembly/types.ts';
import type { Baseline } from './baseline.ts';

export interface Reusable {
  /** Pairs of today's bodies, as the baseline has them; without verdicts, which today's rules give. */
  readonly pairs: readonly AssemblyPair[];
  /** Whether two of today's bodies have to be examined. */
  readonly keep: (a: number, b: number) => boolean;
  /** How many of today's bodies are as they were. */
  readonly unchanged: number;
}

/**
 * What the baseline knows about today's bodies; undefined if that is nothing. `question` is today's hash of everything
 * that was asked (questionHash): the version, the method, the unit, clearances, which measures were taken, and the
 * text of the rules. It must be equal to the baseline's. Bodies must have fingerprints, and `sets` in them if there are
 * rules: a body that is in other sets than it was is examined again. Motions and methods that sample are never reused.
 */
export function reusable(
  baseline: Baseline,
  bodies: readonly Pick<AssemblyBody, 'fingerprint'>[],
  question: string,
): Reusable | undefined {
  const [{ pairs, bounds }] = baseline.frames;
  if (baseline.isMotion || bounds !== undefined || baseline.question !== question) return undefined;
  const waiting = new Map<string, number[]>();
  // Bodies of carried clashes were not examined. In reverse, so that the first of several equal bodies is taken first.
  for (let i = baseline.examined - 1; i >= 0; i--) {
    const key = contentOf(baseline.bodies[i]);
    if (key === undefined) continue;
    const known = waiting.get(key);
    if (known) known.push(i);
    else waiting.set(key, [i]);
  }
  const origins = Int32Array.from(bodies, body => waiting.get(contentOf(body) ?? '')?.pop() ?? -1);
  const unchanged = origins.reduce((sum, origin) => sum + (origin < 0 ? 0 : 1), 0);
  if (unchanged < 2) return undefined;
  const today = new Int32Array(baseline.examined).fill(-1);
  origins.forEach((origin, i) => {
    if (origin >= 0) today[origin] = i;
  });
  // Among equally near points, those of the body with the lower index are given: the order must be the same.
  const isKnown = (a: number, b: number) =>
    origins[a] >= 0 && origins[b] >= 0 && origins[a] < origins[b] === a < b;
  return {
    unchanged,
    keep: (a, b) => !isKnown(a, b),
    pairs: pairs
      .filter(({ a, b }) => today[a] >= 0 && today[b] >= 0 && isKnown(today[a], today[b]))
      .map(pair => ({ ...measured(pair), a: today[pair.a], b: today[pair.b] }))
      .sort((p, q) => p.a - q.a || p.b - q.b),
  };
}

const contentOf = ({ fingerprint }: Pick<AssemblyBody, 'fingerprint'>): string | undefined =>
  fingerprint && `${fingerprint.mesh} ${fingerprint.pose} ${fingerprint.sets ?? ''}`;

/** What was measured, without what was decided. Depths that are not narrow enough for today's question are refined. */
function measured(pair: AssemblyPair): AssemblyPair {
  const { a, b, relation, triangleCount, distance, pointA, pointB, point } = pair;
  const { depth, translation, volume, area } = pair;
  return { a, b, relation, triangleCount, distance, pointA, pointB, point, depth, translation, volume, area };
}
