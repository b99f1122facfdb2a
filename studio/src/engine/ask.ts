// Questions about two bodies. They run in the worker on the CPU engine.

import { type Body, NearfieldError } from 'nearfield';
import type { CurvesData, DistanceData, Limits, TwoBodies } from './types.ts';
import type { PlacedScene } from './worker/placed-scene.ts';

export async function askDistance(scene: PlacedScene, two: TwoBodies, limits: Limits): Promise<DistanceData> {
  const [a, b] = placeTwo(scene, two);
  const { distance, pointA, pointB } = await scene.scene.distance(a, b, limits);
  return { distance, pointA, pointB };
}

export async function askCurves(scene: PlacedScene, two: TwoBodies, limits: Limits): Promise<CurvesData> {
  const [a, b] = placeTwo(scene, two);
  const ends: number[] = [];
  for (const { points, closed } of await scene.scene.curves(a, b, limits)) {
    const count = points.length / 3;
    for (let i = 0; i + 1 < count + (closed ? 1 : 0); i++) {
      const next = (i + 1) % count;
      ends.push(...points.subarray(3 * i, 3 * i + 3), ...points.subarray(3 * next, 3 * next + 3));
    }
  }
  return { ends: Float64Array.from(ends) };
}

/** Places two bodies and no others. Throws 'bad-option' if they are one. */
export function placeTwo(scene: PlacedScene, { a, b }: TwoBodies): readonly [Body, Body] {
  if (a.id === b.id) throw new NearfieldError('bad-option', 'the two bodies must be different');
  scene.place({ ids: Uint32Array.of(a.id, b.id), poses: Float64Array.of(...a.pose, ...b.pose) });
  return [scene.bodies[0], scene.bodies[1]];
}
