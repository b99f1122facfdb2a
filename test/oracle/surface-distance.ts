// Oracle: the exact distance of two surfaces with any triangles. Takes pairs of triangles in order of the gap between
// their boxes, in fractions: once the gap exceeds the smallest distance found, no pair is nearer.

import {
  compareFractions,
  type Fraction,
  fractionOf,
  squaredDistance,
} from './triangles/least-difference.ts';

const zero: Fraction = { numerator: 0n, denominator: 1n };

function add(a: Fraction, b: Fraction): Fraction {
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  };
}

/** The squared gap between the boxes of the triangles of 18 doubles. */
function boxGap(p: Float64Array): Fraction {
  let sum = zero;
  for (let axis = 0; axis < 3; axis++) {
    const a = [p[axis], p[axis + 3], p[axis + 6]];
    const b = [p[axis + 9], p[axis + 12], p[axis + 15]];
    const [low, high] =
      Math.max(...a) < Math.min(...b) ? [Math.max(...a), Math.min(...b)] : [Math.max(...b), Math.min(...a)];
    if (low >= high) continue;
    const gap = add(fractionOf(high), negative(fractionOf(low)));
    sum = add(sum, { numerator: gap.numerator ** 2n, denominator: gap.denominator ** 2n });
  }
  return sum;
}

const negative = ({ numerator, denominator }: Fraction): Fraction => ({ numerator: -numerator, denominator });

/**
 * Squared, with the lowest triangle of the first and then of the second at that distance. Nine doubles per triangle.
 */
export function exactSurfaceDistance(
  a: Float64Array,
  b: Float64Array,
): { squared: Fraction; triangleA: number; triangleB: number } {
  const pairs: { gap: Fraction; i: number; j: number }[] = [];
  const p = new Float64Array(18);
  const put = (i: number, j: number) => {
    p.set(a.subarray(9 * i, 9 * i + 9));
    p.set(b.subarray(9 * j, 9 * j + 9), 9);
  };
  for (let i = 0; 9 * i < a.length; i++) {
    for (let j = 0; 9 * j < b.length; j++) {
      put(i, j);
      pairs.push({ gap: boxGap(p), i, j });
    }
  }
  pairs.sort((x, y) => compareFractions(x.gap, y.gap) || x.i - y.i || x.j - y.j);
  let best: { squared: Fraction; triangleA: number; triangleB: number } | undefined;
  for (const { gap, i, j } of pairs) {
    if (best !== undefined && compareFractions(gap, best.squared) > 0) break;
    put(i, j);
    const squared = squaredDistance(p);
    const order = best === undefined ? -1 : compareFractions(squared, best.squared);
    const lower = best !== undefined && (i - best.triangleA || j - best.triangleB) < 0;
    if (order < 0 || (order === 0 && lower)) best = { squared, triangleA: i, triangleB: j };
  }
  return best!;
}
