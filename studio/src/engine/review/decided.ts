// Pairs of triangles that a GPU found, decided exactly. Poses are the same doubles, so the candidates are the same too.

import { broad, exactOf, type Interferences, type PairFilter } from 'nearfield';
import type { BodyId, Limits } from '../types.ts';
import type { PlacedScene } from '../worker/placed-scene.ts';
import type { FoundOnGpu } from './types.ts';

export function decidedFrom(
  placed: PlacedScene,
  keep: PairFilter['keep'],
  { bodies, certain, unsure }: FoundOnGpu,
  limits: Limits,
): Promise<Interferences> {
  const candidates = broad(placed.scene, keep ? { keep } : {});
  const keyOf = (a: BodyId, b: BodyId) => a * 2 ** 26 + b;
  const places = new Map<number, number>();
  let count = 0;
  for (const [a, b] of candidates) places.set(keyOf(placed.idOf(a), placed.idOf(b)), count++);
  const here = (records: Uint32Array) => {
    const out = new Uint32Array(records.length);
    let length = 0;
    for (let r = 0; r < records.length; r += 3) {
      const [a, b] = [bodies[2 * records[r]], bodies[2 * records[r] + 1]];
      const [as, bs] = [places.get(keyOf(a, b)), places.get(keyOf(b, a))];
      const place = as ?? bs;
      // Nobody asked about the pair, or its boxes, which are slightly larger on the GPU, do not meet here.
      if (place === undefined) continue;
      out[length] = place;
      out[length + 1] = records[r + (as === undefined ? 2 : 1)];
      out[length + 2] = records[r + (as === undefined ? 1 : 2)];
      length += 3;
    }
    return out.subarray(0, length);
  };
  return exactOf(candidates, { certain: here(certain), unsure: here(unsure), backend: 'gpu' }, limits);
}
