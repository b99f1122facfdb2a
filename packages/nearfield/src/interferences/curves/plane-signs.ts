// On which sides of the planes of two bodies' triangles do their corners lie? The same sign is needed repeatedly: by
// each of the triangles that share a corner, and by each step of a question. For small bodies each sign is computed
// once and kept.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import { orient3dAt, type Sign } from '../../math/exact/orient.ts';
import { computeWelds } from '../../mesh/facts.ts';

/** If both bodies together have more triangles than this, no signs are kept. */
const mostTriangles = 2 ** 9;

export class PlaneSigns {
  /** Triangles of the second body are numbered after those of the first. */
  readonly #firstOfB: number;
  /** Maps corner 3n + k (corner k of triangle n) to the first corner of either body at the same position. */
  readonly #cornerOf: Uint32Array | undefined;
  /** Per triangle and such corner, the sign plus two; 0 if it is not known yet. */
  readonly #known = new Uint8Array(0);

  constructor([a, b]: readonly [Placed, Placed]) {
    this.#firstOfB = a.shape.mesh.triangleCount;
    const count = this.#firstOfB + b.shape.mesh.triangleCount;
    if (count > mostTriangles) return;
    const corners = new Float64Array(9 * count);
    for (let n = 0; n < count; n++) {
      if (n < this.#firstOfB) placeCorners(a, n, corners, 9 * n);
      else placeCorners(b, n - this.#firstOfB, corners, 9 * n);
    }
    this.#cornerOf = computeWelds(corners).vertexOf;
    this.#known = new Uint8Array(3 * count * count);
    for (let corner = 0; corner < 3 * count; corner++) {
      this.#known[3 * count * Math.floor(corner / 3) + this.#cornerOf[corner]] = 2;
    }
  }

  /** The number of triangle t of the first or second body. */
  numberOf(side: 0 | 1, t: number): number {
    return side === 0 ? t : this.#firstOfB + t;
  }

  /**
   * The sign, as from orient3dAt, of the corner at p[corner…] against the plane of the triangle at p[at…]. The corner
   * is corner k of triangle m; the plane is that of triangle n.
   */
  sign(p: Float64Array, n: number, at: number, m: number, k: number, corner: number): Sign {
    if (this.#cornerOf === undefined) return orient3dAt(p, at, at + 3, at + 6, corner);
    const place = this.#cornerOf.length * n + this.#cornerOf[3 * m + k];
    let sign = this.#known[place];
    if (sign === 0) this.#known[place] = sign = orient3dAt(p, at, at + 3, at + 6, corner) + 2;
    return (sign - 2) as Sign;
  }
}
