// Oracle: the squared distance of two triangles is that of the origin from the hull of the nine differences of their
// corners. If the origin is outside, the nearest point is the foot of the perpendicular from the origin in the
// interior of a triangle, an edge or a corner of these differences: all of them are tried, in exact fractions.

import { commonBits, toIntegers } from '../integers.ts';
import { meetByDifferences } from './difference-hull.ts';

/** numerator / denominator, denominator > 0. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

type Vector = readonly [bigint, bigint, bigint];

const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** For the triangles of 18 doubles. */
export function squaredDistance(p: Float64Array): Fraction {
  const integers = toIntegers(p);
  const unit = unitOf(p);
  if (meetByDifferences(integers)) return { numerator: 0n, denominator: 1n };
  const c = integers as unknown as bigint[];
  const d: Vector[] = [];
  for (let i = 0; i < 9; i += 3) {
    for (let j = 9; j < 18; j += 3) d.push([c[i] - c[j], c[i + 1] - c[j + 1], c[i + 2] - c[j + 2]]);
  }
  let best: Fraction | undefined;
  const offer = (numerator: bigint, denominator: bigint) => {
    if (best === undefined || numerator * best.denominator < best.numerator * denominator)
      best = { numerator, denominator };
  };
  for (let i = 0; i < 9; i++) {
    offer(dot(d[i], d[i]), 1n);
    for (let j = i + 1; j < 9; j++) {
      const e = subtract(d[j], d[i]);
      const along = -dot(d[i], e);
      const length = dot(e, e);
      if (along > 0n && along < length) offer(dot(d[i], d[i]) * length - along * along, length);
      for (let k = j + 1; k < 9; k++) {
        const n = cross(e, subtract(d[k], d[i]));
        const area = dot(n, n);
        if (area === 0n) continue;
        const inside =
          dot(n, cross(d[i], d[j])) >= 0n &&
          dot(n, cross(d[j], d[k])) >= 0n &&
          dot(n, cross(d[k], d[i])) >= 0n;
        const height = dot(n, d[i]);
        if (inside) offer(height * height, area);
      }
    }
  }
  const { numerator, denominator } = best!;
  return { numerator, denominator: denominator * unit * unit };
}

/**
 * For a point and a triangle (nine doubles): the smallest over all corners, edges and the face whose foot lies
 * inside.
 */
export function pointSquaredDistance(point: ArrayLike<number>, corners: ArrayLike<number>): Fraction {
  const all = Float64Array.from({ length: 12 }, (_, i) => (i < 3 ? point[i] : corners[i - 3]));
  const c = toIntegers(all) as unknown as bigint[];
  const d = [3, 6, 9].map((at): Vector => [c[at] - c[0], c[at + 1] - c[1], c[at + 2] - c[2]]);
  let best: Fraction | undefined;
  const offer = (numerator: bigint, denominator: bigint) => {
    if (best === undefined || numerator * best.denominator < best.numerator * denominator)
      best = { numerator, denominator };
  };
  for (let i = 0; i < 3; i++) {
    const [p, q] = [d[i], d[(i + 1) % 3]];
    offer(dot(p, p), 1n);
    const e = subtract(q, p);
    const [along, length] = [-dot(p, e), dot(e, e)];
    if (along > 0n && along < length) offer(dot(p, p) * length - along * along, length);
  }
  const n = cross(subtract(d[1], d[0]), subtract(d[2], d[0]));
  const inside = [0, 1, 2].every(i => dot(n, cross(d[i], d[(i + 1) % 3])) >= 0n);
  if (inside && dot(n, n) > 0n) offer(dot(n, d[0]) ** 2n, dot(n, n));
  const { numerator, denominator } = best!;
  const unit = unitOf(all);
  return { numerator, denominator: denominator * unit * unit };
}

/** The factor of `toIntegers`. */
const unitOf = (p: ArrayLike<number>): bigint => 1n << BigInt(commonBits(p));

export const compareFractions = (a: Fraction, b: Fraction): number => {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
};

/** A double as a fraction, for comparisons with exact values. */
export const fractionOf = (x: number): Fraction => ({
  numerator: (toIntegers([x]) as unknown as bigint[])[0],
  denominator: unitOf([x]),
});
