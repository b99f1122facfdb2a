// The volume of a region that two solids have in common, exactly: the signed volumes of tetrahedra over the boundary.

import type { Sign } from '../../../math/orient.ts';
import { cross, dot, fromTo, type Homogeneous, pointAt, reduced, signOf } from '../../../math/rational.ts';
import { type Boundary, lineLength } from './boundary.ts';
import type { Region } from './regions.ts';

/** The sign of the volume of a region of a boundary, under its number. */
export function exactVolume(region: Region, number: number, boundary: Boundary): Sign {
  const { parts, whole, regionOf } = boundary;
  const known = new Map<number, Homogeneous>();
  const pointOf = (element: number): Homogeneous => {
    let point = known.get(element);
    if (!point) known.set(element, (point = reduced(boundary.exact(element))));
    return point;
  };
  const origin = pointOf(region.elements[0]);
  const sum = new Fraction();
  const add = (a: Homogeneous, b: Homogeneous, c: Homogeneous): void => {
    // Vectors from the origin are scaled by the product of both weights: the origin's has a cube in common.
    const volume = dot(fromTo(origin, a), cross(fromTo(origin, b), fromTo(origin, c)));
    sum.add(volume, a.w * b.w * c.w);
  };
  const p = new Float64Array(9);
  const lines = parts.lines.values;
  for (const part of region.parts) {
    if (part >= parts.commonFrom) continue;
    boundary.corners(parts.side[part], parts.triangle[part], p);
    const corner = pointAt(p, 0);
    for (let line = lineLength * parts.start[part]; line < lineLength * parts.start[part + 1]; line += lineLength) {
      if (regionOf[lines[line]] === number) add(corner, pointOf(lines[line]), pointOf(lines[line + 1]));
    }
  }
  for (const i of region.whole) {
    boundary.corners(whole.side[i], whole.triangle[i], p);
    add(pointAt(p, 0), pointAt(p, 3), pointAt(p, 6));
  }
  return signOf(sum.numerator);
}

/** A sum of fractions; those of one denominator are added first. */
class Fraction {
  readonly #sums = new Map<bigint, bigint>();

  add(numerator: bigint, denominator: bigint): void {
    if (numerator !== 0n) this.#sums.set(denominator, (this.#sums.get(denominator) ?? 0n) + numerator);
  }

  /** Of the sum over some positive denominator. */
  get numerator(): bigint {
    let [numerator, denominator] = [0n, 1n];
    for (const [under, over] of this.#sums) {
      if (over === 0n) continue;
      numerator = numerator * under + over * denominator;
      denominator *= under;
    }
    return numerator;
  }
}
