// When is a pair at its worst? A clash is a pair of bodies, in however many frames of a motion they meet.

import { pairKey } from '../assembly/pair-key.ts';
import type { AssemblyAnswer, AssemblyPair } from '../assembly/types.ts';
import { compareImportance } from './order.ts';

/** A pair of bodies over the frames of a motion. */
export interface PairOverFrames {
  /** As it is in its worst frame. */
  readonly pair: AssemblyPair;
  /** The frame in which it matters most; the first of several. */
  readonly frame: number;
  /** Every frame in which the pair is found, in order. */
  readonly frames: readonly number[];
}

type Frames = Pick<AssemblyAnswer, 'frames'> & { readonly bodies: readonly unknown[] };

/** Every pair of bodies once, in the frame in which it matters most, in order of the bodies. */
export function pairsOverFrames({ frames, bodies }: Frames): readonly PairOverFrames[] {
  if (frames.length === 1) {
    const [{ frame, pairs }] = frames;
    return pairs.map(pair => ({ pair, frame, frames: [frame] }));
  }
  const known = new Map<number, { pair: AssemblyPair; frame: number; frames: number[] }>();
  for (const { frame, pairs } of frames) {
    for (const pair of pairs) {
      const key = pairKey(pair, bodies.length);
      const found = known.get(key);
      if (found === undefined) known.set(key, { pair, frame, frames: [frame] });
      else {
        found.frames.push(frame);
        if (compareImportance(pair, found.pair) < 0) Object.assign(found, { pair, frame });
      }
    }
  }
  return [...known.values()].sort((p, q) => p.pair.a - q.pair.a || p.pair.b - q.pair.b);
}

/** The same, without the frames. */
export const worstPairs = (answer: Frames): readonly AssemblyPair[] =>
  answer.frames.length === 1 ? answer.frames[0].pairs : pairsOverFrames(answer).map(({ pair }) => pair);
