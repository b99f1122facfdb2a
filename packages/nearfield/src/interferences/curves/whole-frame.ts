// World positions of two bodies as whole numbers. The coordinates of both bodies along an axis are multiplied by that
// axis's own power of two. This changes no relation, and the integers are only as long as the coordinates of one axis
// require.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import { fractionBits, scaledInteger } from '../../math/exact/rational.ts';

/** A point with whole coordinates. */
export type WholePoint = readonly [bigint, bigint, bigint];

/** The plane normal · x + offset = 0. */
export interface WholePlane {
  readonly normal: WholePoint;
  readonly offset: bigint;
}

/** A triangle of a body, once it has been asked for. */
interface WholeTriangle {
  readonly corners: readonly [WholePoint, WholePoint, WholePoint];
  plane: WholePlane | undefined;
}

export class WholeFrame {
  /** Per axis: whole coordinates are doubles times 2^shift. */
  readonly shifts: readonly [number, number, number];
  /** No whole coordinate has more binary digits than this. */
  readonly digits: number;
  readonly #bodies: readonly Placed[];
  readonly #triangles = [new Map<number, WholeTriangle>(), new Map<number, WholeTriangle>()];

  constructor(bodies: readonly Placed[]) {
    this.#bodies = bodies;
    const shifts: [number, number, number] = [0, 0, 0];
    const sizes = [0, 0, 0];
    for (const body of bodies) {
      for (let t = 0; t < body.shape.mesh.triangleCount; t++) {
        placeCorners(body, t, p, 0);
        for (let i = 0; i < 9; i++) {
          shifts[i % 3] = Math.max(shifts[i % 3], fractionBits(p[i]));
          sizes[i % 3] = Math.max(sizes[i % 3], Math.abs(p[i]));
        }
      }
    }
    this.shifts = shifts;
    this.digits = Math.max(...shifts.map((shift, axis) => shift + 1 + Math.max(0, Math.log2(sizes[axis]))));
  }

  /** The corners of a body's triangle. */
  corners(side: 0 | 1, t: number): WholeTriangle['corners'] {
    return this.#triangle(side, t).corners;
  }

  /** The plane of a body's triangle. Its values are positive above the triangle. */
  plane(side: 0 | 1, t: number): WholePlane {
    const triangle = this.#triangle(side, t);
    return (triangle.plane ??= planeOf(triangle.corners));
  }

  #triangle(side: 0 | 1, t: number): WholeTriangle {
    let triangle = this.#triangles[side].get(t);
    if (!triangle) {
      placeCorners(this.#bodies[side], t, p, 0);
      triangle = { corners: [this.#point(0), this.#point(3), this.#point(6)], plane: undefined };
      this.#triangles[side].set(t, triangle);
    }
    return triangle;
  }

  #point(at: number): WholePoint {
    const [x, y, z] = this.shifts;
    return [scaledInteger(p[at], x), scaledInteger(p[at + 1], y), scaledInteger(p[at + 2], z)];
  }
}

const p = new Float64Array(9);

function planeOf([a, b, c]: WholeTriangle['corners']): WholePlane {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx] as const;
  return { normal, offset: -(normal[0] * a[0] + normal[1] * a[1] + normal[2] * a[2]) };
}

/** The plane's value at a point; its sign tells the side. */
export const valueAt = ({ normal, offset }: WholePlane, point: WholePoint): bigint =>
  normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2] + offset;
