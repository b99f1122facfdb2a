// Pairs of a motion over consecutive frames with the same relation: one row of the table each.

import type { AssemblyAnswer, AssemblyPair } from '@nearfield/clashes';

/** A pair of bodies over consecutive frames with the same relation. */
export interface Stretch {
  readonly from: number;
  to: number;
  /** The smallest and the largest number of triangle pairs in any of the frames. */
  least: number;
  most: number;
  /** The smallest distance, if the bodies are too close. */
  nearest: number | undefined;
  /** The pair in the first of these frames. */
  readonly pair: AssemblyPair;
}

/** In order of their first frames. `single` gives every frame its own row. */
export function stretchesOf(frames: AssemblyAnswer['frames'], single: boolean): Stretch[] {
  const all: Stretch[] = [];
  const open = new Map<string, Stretch>();
  for (const { frame, pairs } of frames) {
    for (const pair of pairs) {
      const { triangleCount: found } = pair;
      const key = `${pair.a} ${pair.b} ${pair.relation}`;
      const known = open.get(key);
      if (!single && known?.to === frame - 1) {
        known.to = frame;
        known.least = Math.min(known.least, found);
        known.most = Math.max(known.most, found);
        if (pair.distance !== undefined) known.nearest = Math.min(known.nearest ?? Infinity, pair.distance);
        continue;
      }
      const begun = { from: frame, to: frame, least: found, most: found, nearest: pair.distance, pair };
      open.set(key, begun);
      all.push(begun);
    }
  }
  return all;
}
