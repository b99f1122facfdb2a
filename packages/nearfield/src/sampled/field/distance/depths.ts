// How deep do points of an intersection lie, and which way out is shortest (Hoff et al., section 5.4)? For each point
// this finds the nearest point of any of the bodies' surfaces. It is symmetric in the bodies and says whose surface it
// is.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import type { PointDepths } from '../volume.ts';
import { type Measured, pointsAtOnce } from './measured.ts';
import { measurePoints } from './measurer.ts';

/** Depths of world points, three numbers per point. Yields the share done. */
export function* measureDepths(
  engine: CpuEngine,
  bodies: readonly Placed[],
  points: Float64Array,
): Generator<number, PointDepths> {
  const count = points.length / 3;
  const depths: PointDepths = {
    depth: new Float32Array(count).fill(Infinity),
    direction: new Float32Array(3 * count),
    body: new Uint32Array(count),
    triangle: new Uint32Array(count).fill(0xffffffff),
  };
  const found: Measured = {
    distance: new Float32Array(pointsAtOnce),
    triangle: new Uint32Array(pointsAtOnce),
    toward: new Float32Array(3 * pointsAtOnce),
  };
  for (let first = 0; first < count; first += pointsAtOnce) {
    const some = Math.min(pointsAtOnce, count - first);
    const chunk = points.subarray(3 * first, 3 * (first + some));
    for (let b = 0; b < bodies.length; b++) {
      // Searches only for what is nearer than the bodies before: most walks of the others end at once.
      const known = b === 0 ? Infinity : depths.depth.subarray(first, first + some);
      measurePoints(engine, bodies[b], chunk, some, known, found, 0);
      keepNearer(depths, found, b, first, some);
    }
    yield (first + some) / count;
  }
  return depths;
}

function keepNearer(depths: PointDepths, found: Measured, body: number, first: number, count: number): void {
  const toward = found.toward!;
  for (let i = 0; i < count; i++) {
    const at = first + i;
    const distance = found.distance[i];
    if (!(distance < depths.depth[at])) continue;
    depths.depth[at] = distance;
    depths.body[at] = body;
    depths.triangle[at] = found.triangle[i];
    // Squares of singles are exact in double. Math.sqrt gives the same root in every JavaScript engine, unlike
    // Math.hypot.
    const [x, y, z] = [toward[3 * i], toward[3 * i + 1], toward[3 * i + 2]];
    const length = Math.sqrt(x * x + y * y + z * z);
    for (let axis = 0; axis < 3; axis++) {
      depths.direction[3 * at + axis] = length > 0 ? toward[3 * i + axis] / length : 0;
    }
  }
}
