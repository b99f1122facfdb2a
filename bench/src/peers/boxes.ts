// World boxes of bodies that are boxes, for engines that take boxes.

import type { Case, Frame } from '../case.ts';
import { extent } from '../scenes/meshes/generated.ts';

const halves = new WeakMap<object, number[]>();

/** Half the sides of a box mesh around its own origin. */
export function halfLengths(job: Case, body: number): number[] {
  const { mesh } = job.bodies[body];
  let half = halves.get(mesh);
  if (!half) halves.set(mesh, (half = extent(mesh.bounds).size.map(length => length / 2)));
  return half;
}

/** Minimum and maximum of every body's world box, six numbers per body. */
export function worldBoxes(job: Case, { poses }: Frame, out: Float64Array): void {
  for (let i = 0; i < job.bodies.length; i++) {
    const m = poses ? poses[i] : job.bodies[i].pose;
    const [x, y, z] = halfLengths(job, i);
    for (let k = 0; k < 3; k++) {
      const reach = Math.abs(m[k]) * x + Math.abs(m[4 + k]) * y + Math.abs(m[8 + k]) * z;
      out[6 * i + k] = m[12 + k] - reach;
      out[6 * i + 3 + k] = m[12 + k] + reach;
    }
  }
}
