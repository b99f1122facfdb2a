// On which sides of the planes of two bodies' triangles do their corners lie? The same sign is asked for again and again: by
// each of the triangles that a position is a corner of, and by each step of a question. Of small bodies it is found once.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import { orient3dAt, type Sign } from '../../math/exact/orient.ts';
import { computeWelds } from '../../mesh/facts.ts';

/** Of more triangles together nothing is kept. */
const mostTriangles = 2 ** 9;

export class PlaneSigns {
  /** Triangles of the second body are numbered after those of the first. */
  readonly #firstOfB: number;
  /** Corner k of triangle n is corner 3n + k: the first corner of either body at the same position. */
  readonly #cornerOf: Uint32Array | undefined;
  /** For each triangle and such corner the sign plus two; 0 if it has not been asked for. */
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

  /** The number of triangle t of a body. */
  numberOf(side: 0 | 1, t: number): number {
    return side === 0 ? t : this.#firstOfB + t;
  }

  /**
   * The sign, as orient3dAt's, of p[corner…], which is corner k of triangle m, against the plane of triangle n, whose corners are
   * p[at…].
   */
  sign(p: Float64Array, n: number, at: number, m: number, k: number, corner: number): Sign {
    if (this.#cornerOf === undefined) return orient3dAt(p, at, at + 3, at + 6, corner);
    const place = this.#cornerOf.length * n + this.#cornerOf[3 * m + k];
    let sign = this.#known[place];
    if (sign === 0) this.#known[place] = sign = orient3dAt(p, at, at + 3, at + 6, corner) + 2;
    return (sign - 2) as Sign;
  }
}
