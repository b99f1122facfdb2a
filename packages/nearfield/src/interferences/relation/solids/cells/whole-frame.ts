// World positions of two bodies as whole numbers. The coordinates of both bodies along an axis are multiplied by that
// axis's own power of two. This changes no relation, and the integers are only as long as the coordinates of one axis
// require.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../../bodies/snapshot/world.ts';
import { fractionBits, scaledInteger } from '../../../../math/exact/rational.ts';

/** A point with whole coordinates. */
export type WholePoint = readonly [bigint, bigint, bigint];

/** The plane normal · x + offset = 0. */
export interface WholePlane {
  readonly normal: WholePoint;
  readonly offset: bigint;
}

export class WholeFrame {
  /** Per axis: whole coordinates are doubles times 2^shift. */
  readonly shifts: readonly [number, number, number];
  readonly #planes = [new Map<number, WholePlane>(), new Map<number, WholePlane>()];

  constructor(bodies: readonly Placed[]) {
    const shifts: [number, number, number] = [0, 0, 0];
    const p = new Float64Array(9);
    for (const body of bodies) {
      for (let t = 0; t < body.shape.mesh.triangleCount; t++) {
        placeCorners(body, t, p, 0);
        for (let i = 0; i < 9; i++) shifts[i % 3] = Math.max(shifts[i % 3], fractionBits(p[i]));
      }
    }
    this.shifts = shifts;
  }

  /** The point at p[at…]. */
  point(p: Float64Array, at: number): WholePoint {
    const [x, y, z] = this.shifts;
    return [scaledInteger(p[at], x), scaledInteger(p[at + 1], y), scaledInteger(p[at + 2], z)];
  }

  /** The plane of triangle t of a body, whose corners are at p[at…]. */
  plane(side: 0 | 1, t: number, p: Float64Array, at: number): WholePlane {
    let plane = this.#planes[side].get(t);
    if (!plane) {
      plane = planeOf(this.point(p, at), this.point(p, at + 3), this.point(p, at + 6));
      this.#planes[side].set(t, plane);
    }
    return plane;
  }
}

function planeOf(a: WholePoint, b: WholePoint, c: WholePoint): WholePlane {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx] as const;
  return { normal, offset: -(normal[0] * a[0] + normal[1] * a[1] + normal[2] * a[2]) };
}

/** The plane's value at a point; its sign tells the side. */
export const valueAt = ({ normal, offset }: WholePlane, point: WholePoint): bigint =>
  normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2] + offset;
