// On which side of a plane or of an edge's line does a point or an edge of the other body lie, if "on it" is not
// allowed as an answer? The body of the lower index is treated as moved by δ = εd + ε²g + (ε³, ε⁴, ε⁵), ε > 0 smaller
// than any number (simulation of simplicity, Edelsbrunner and Mücke 1990, with one translation for the whole body).
// Every sign that is zero is then decided by the first of d, g and the axes along which moving makes a difference. g is
// a direction that few planes contain, so that doubles mostly decide. Two bodies moved like this are in general
// position to one another: no corner lies on the other's triangles and no edge meets the other's edges, though each
// body may still do so with itself. Counts for such bodies are consistent, and sums over them equal those of the bodies
// as they are. d leads away from where the bodies lie flat on one another, so that most parts that only touch come
// apart; the others are removed afterwards (chains.ts).
//
// Let f be orient3d(a, b, c, d) = det[a−d; b−d; c−d], positive iff d lies below the plane of a, b, c.
//   d moved by δ:        f − n·δ with n = (b−a)×(c−a)
//   a and b moved by δ:  f + δ·(b−a)×(c−d)
// So the signs of products of the direction with cross products decide. If all are zero, the triangle is degenerate, or
// the two edges are parallel and no edge of one passes the other's triangle there.

import { orient3dAt, type Sign, samePosition } from '../../math/exact/orient.ts';
import {
  cross,
  directionFromDoubles,
  dot,
  fromTo,
  type Homogeneous,
  pointAt,
  signOf,
} from '../../math/exact/rational.ts';
import type { Vector } from '../../math/vector.ts';

/** 1 if the point or edge belongs to the body that is moved, −1 if the triangle does. */
export type Moved = 1 | -1;

export class Perturbation {
  readonly direction: Vector;
  /** How many signs were decided by moving: 0 as long as everything tested is in general position. */
  decided = 0;
  readonly #exact: Homogeneous;

  /** The direction d, of any length, or zero. */
  constructor(direction: Vector) {
    this.direction = direction;
    this.#exact = directionFromDoubles(direction[0], direction[1], direction[2]);
  }

  /** The side of the plane of the triangle at p[triangle…] on which the point at p[point…] lies: positive is below. */
  sideOfPlane(p: Float64Array, triangle: number, point: number, moved: Moved): Sign {
    // Common corners are frequent; comparing them is faster.
    if (
      !samePosition(p, triangle, point) &&
      !samePosition(p, triangle + 3, point) &&
      !samePosition(p, triangle + 6, point)
    ) {
      const side = orient3dAt(p, triangle, triangle + 3, triangle + 6, point);
      if (side !== 0) return side;
    }
    this.decided++;
    return (-moved * this.lead(p, triangle)) as Sign;
  }

  /** orient3d of the ends of an edge, at p[from…] and p[to…], and of two corners of a triangle, at p[a…] and p[b…]. */
  turnAround(p: Float64Array, from: number, to: number, a: number, b: number, moved: Moved): Sign {
    if (
      !samePosition(p, from, a) &&
      !samePosition(p, from, b) &&
      !samePosition(p, to, a) &&
      !samePosition(p, to, b)
    ) {
      const side = orient3dAt(p, from, to, a, b);
      if (side !== 0) return side;
    }
    this.decided++;
    return (moved * this.#leadOf(p, from, to, b, a)) as Sign;
  }

  /** The sign of n·δ for the normal n of the triangle at p[at…]. */
  lead(p: Float64Array, at: number): Sign {
    return this.#leadOf(p, at, at + 3, at, at + 6);
  }

  /** The sign of δ·(b−a)×(d−c): in doubles if that is certain, else exactly. */
  #leadOf(p: Float64Array, a: number, b: number, c: number, d: number): Sign {
    const [x, y, z] = this.direction;
    const isZero = x === 0 && y === 0 && z === 0;
    if (!isZero) {
      const sure = sureSign(this.direction, p, a, b, c, d);
      if (sure !== 0) return sure;
    }
    let exact: Homogeneous | undefined;
    if (!isZero) {
      exact = crossOf(p, a, b, c, d);
      const sign = signOf(dot(this.#exact, exact));
      if (sign !== 0) return sign;
    }
    const sure = sureSign(general, p, a, b, c, d);
    if (sure !== 0) return sure;
    exact ??= crossOf(p, a, b, c, d);
    return signOf(dot(generalExact, exact)) || signOf(exact.x) || signOf(exact.y) || signOf(exact.z);
  }
}

const general: Vector = [0.8298755187, 0.4620981203, 0.3128689301];
const generalExact = directionFromDoubles(general[0], general[1], general[2]);

const crossOf = (p: Float64Array, a: number, b: number, c: number, d: number): Homogeneous =>
  cross(fromTo(pointAt(p, a), pointAt(p, b)), fromTo(pointAt(p, c), pointAt(p, d)));

/**
 * The sign of a direction times (b−a)×(d−c); 0 if doubles cannot tell. Each of the six products of the determinant has
 * five roundings, so that 2^-48 of their magnitudes is more than all of them. The magnitudes must be large enough that
 * nothing underflows.
 */
function sureSign([x, y, z]: Vector, p: Float64Array, a: number, b: number, c: number, d: number): Sign {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[d] - p[c];
  const vy = p[d + 1] - p[c + 1];
  const vz = p[d + 2] - p[c + 2];
  const value = x * (uy * vz - uz * vy) + y * (uz * vx - ux * vz) + z * (ux * vy - uy * vx);
  const size =
    Math.abs(x) * (Math.abs(uy * vz) + Math.abs(uz * vy)) +
    Math.abs(y) * (Math.abs(uz * vx) + Math.abs(ux * vz)) +
    Math.abs(z) * (Math.abs(ux * vy) + Math.abs(uy * vx));
  if (!(size > 1e-200 && size < 1e200 && Math.abs(value) > 2 ** -48 * size)) return 0;
  return value > 0 ? 1 : -1;
}
