// On which sides of the planes of two bodies' triangles do their corners lie? The same sign is needed repeatedly: by
// each of the triangles that share a corner, and by each step of a question. For small bodies each sign is computed
// once and kept. If double-doubles cannot decide it, the plane's whole numbers do, which are computed once per plane.
// That takes a fifth of the time of expansions, which begin again for every corner.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import { orient3dAt, orient3dBriefly, type Sign } from '../../math/exact/orient.ts';
import { unsure } from '../../math/exact/orient-double-double.ts';
import { signOf } from '../../math/exact/rational.ts';
import { computeWelds } from '../../mesh/facts.ts';
import { valueAt, WholeFrame } from './whole-frame.ts';

/** If both bodies together have more triangles than this, no signs are kept. */
const mostTriangles = 2 ** 9;

/** Whether signs of these bodies are kept. */
export const areKept = (a: Placed, b: Placed): boolean =>
  a.shape.mesh.triangleCount + b.shape.mesh.triangleCount <= mostTriangles;

/** Whole coordinates with more binary digits than this are slower than expansions. */
const mostDigits = 400;

/** The signs of two bodies. */
interface KeptSigns {
  /** Maps corner 3n + k (corner k of triangle n) to the first corner of either body at the same position. */
  readonly cornerOf: Uint32Array;
  /** Per triangle and such corner, the sign plus two; 0 if it is not known yet. */
  readonly known: Uint8Array;
}

/** The signs that are known at first: a triangle's own corners lie on its plane. */
function firstSigns(a: Placed, b: Placed): KeptSigns {
  const firstOfB = a.shape.mesh.triangleCount;
  const count = firstOfB + b.shape.mesh.triangleCount;
  const corners = new Float64Array(9 * count);
  for (let n = 0; n < count; n++) {
    if (n < firstOfB) placeCorners(a, n, corners, 9 * n);
    else placeCorners(b, n - firstOfB, corners, 9 * n);
  }
  const cornerOf = computeWelds(corners).vertexOf;
  const known = new Uint8Array(3 * count * count);
  for (let corner = 0; corner < 3 * count; corner++) {
    known[3 * count * Math.floor(corner / 3) + cornerOf[corner]] = 2;
  }
  return { cornerOf, known };
}

export class PlaneSigns {
  readonly #bodies: readonly [Placed, Placed];
  #frame: WholeFrame | undefined;
  /** Triangles of the second body are numbered after those of the first. */
  readonly #firstOfB: number;
  /** Made for the first sign: most pairs of solids are related without any. */
  #kept: KeptSigns | undefined;

  constructor(bodies: readonly [Placed, Placed]) {
    this.#bodies = bodies;
    this.#firstOfB = bodies[0].shape.mesh.triangleCount;
  }

  /** Undefined if no signs are kept. */
  get #signs(): KeptSigns | undefined {
    const [a, b] = this.#bodies;
    if (this.#kept === undefined && areKept(a, b)) this.#kept = firstSigns(a, b);
    return this.#kept;
  }

  /** The corners of both bodies as whole numbers. */
  get frame(): WholeFrame {
    return (this.#frame ??= new WholeFrame(this.#bodies));
  }

  /** The number of triangle t of the first or second body. */
  numberOf(side: 0 | 1, t: number): number {
    return side === 0 ? t : this.#firstOfB + t;
  }

  /** A number that all corners at the position of corner k of triangle n share; undefined if no signs are kept. */
  vertexOf(n: number, k: number): number | undefined {
    return this.#signs?.cornerOf[3 * n + k];
  }

  /** The body and the triangle with a number. */
  #triangle(n: number): readonly [0 | 1, number] {
    return n < this.#firstOfB ? [0, n] : [1, n - this.#firstOfB];
  }

  /**
   * The sign, as from orient3dAt, of the corner at p[corner…] against the plane of the triangle at p[at…]. The corner
   * is corner k of triangle m; the plane is that of triangle n.
   */
  sign(p: Float64Array, n: number, at: number, m: number, k: number, corner: number): Sign {
    const signs = this.#signs;
    if (signs === undefined) return orient3dAt(p, at, at + 3, at + 6, corner);
    const { cornerOf, known } = signs;
    const place = cornerOf.length * n + cornerOf[3 * m + k];
    let sign = known[place];
    if (sign === 0) known[place] = sign = this.#find(p, n, at, m, k, corner) + 2;
    return (sign - 2) as Sign;
  }

  #find(p: Float64Array, n: number, at: number, m: number, k: number, corner: number): Sign {
    const sign = orient3dBriefly(p, at, at + 3, at + 6, corner);
    if (sign !== unsure) return sign;
    const { frame } = this;
    if (frame.digits > mostDigits) return orient3dAt(p, at, at + 3, at + 6, corner);
    const [side, t] = this.#triangle(n);
    const [other, u] = this.#triangle(m);
    return -signOf(valueAt(frame.plane(side, t), frame.corners(other, u)[k])) as Sign;
  }
}
