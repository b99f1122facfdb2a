// When is a pair at its worst? A clash is a pair of bodies, in however many frames of a motion they meet.

import type { AssemblyAnswer, AssemblyPair } from '../assembly/types.ts';
import { compareImportance } from './order.ts';

/** Every pair of bodies once, in the frame in which it matters most, in order of the bodies. */
export function worstPairs({
  frames,
  bodies,
}: Pick<AssemblyAnswer, 'frames'> & { readonly bodies: readonly unknown[] }): readonly AssemblyPair[] {
  if (frames.length === 1) return frames[0].pairs;
  const worst = new Map<number, AssemblyPair>();
  for (const { pairs } of frames) {
    for (const pair of pairs) {
      const key = pairKey(pair, bodies.length);
      const known = worst.get(key);
      if (known === undefined || compareImportance(pair, known) < 0) worst.set(key, pair);
    }
  }
  return [...worst.values()].sort((p, q) => p.a - q.a || p.b - q.b);
}

/** One number per pair of bodies, whichever is named first. */
export const pairKey = ({ a, b }: { readonly a: number; readonly b: number }, bodyCount: number): number =>
  Math.min(a, b) * bodyCount + Math.max(a, b);
