import { describe, expect, test } from 'vitest';
import { orient2dAt, orient2dSign, orient3dAt, orient3dSign, samePosition } from './orient.ts';

describe('conventions', () => {
  test('3D: positive below a counter-clockwise triangle', () => {
    expect(orient3dSign(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1)).toBe(1);
    expect(orient3dSign(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)).toBe(-1);
    expect(orient3dSign(0, 0, 0, 1, 0, 0, 0, 1, 0, 5, -7, 0)).toBe(0);
  });

  test('2D: positive counter-clockwise', () => {
    expect(orient2dSign(0, 0, 1, 0, 0, 1)).toBe(1);
    expect(orient2dSign(0, 0, 0, 1, 1, 0)).toBe(-1);
    expect(orient2dSign(0, 0, 1, 1, 3, 3)).toBe(0);
  });

  test('the variants that take offsets agree', () => {
    const p = Float64Array.of(9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1);
    expect(orient3dAt(p, 1, 4, 7, 10)).toBe(1);
    expect(orient3dAt(p, 4, 1, 7, 10)).toBe(-1);
    expect(orient2dAt(p, 1, 4, 7, 0, 1)).toBe(1);
    expect(orient2dAt(p, 1, 4, 7, 1, 0)).toBe(-1);
    expect(orient2dAt(p, 1, 4, 7, 1, 2)).toBe(0);
  });

  test('−0 counts as 0', () => {
    expect(samePosition(Float64Array.of(0, 1, -0, -0, 1, 0), 0, 3)).toBe(true);
    expect(orient3dSign(0, 0, -0, 1, 0, 0, 0, 1, -0, 5, -7, 0)).toBe(0);
  });
});

describe('all sizes of numbers', () => {
  // robust-predicates answers 0 from about 1e-108 down and NaN from about 1e103 up.
  // Powers of two, so that three times the scale is exact.
  const exponents = [
    -1074, -1060, -1000, -700, -359, -260, -251, -240, -100, 0, 100, 240, 251, 260, 342, 700, 1000,
  ];

  test.each(exponents)('3D at scale 2^%i', exponent => {
    const s = 2 ** exponent;
    const [a, b, c] = [s, 2 * s, 3 * s];
    expect(orient3dSign(0, 0, 0, b, 0, 0, 0, c, 0, a, a, -a)).toBe(1);
    expect(orient3dSign(0, 0, 0, b, 0, 0, 0, c, 0, a, a, a)).toBe(-1);
    // Points on the plane x + y + z = 3s, and the next double off it.
    expect(orient3dSign(c, 0, 0, 0, c, 0, 0, 0, c, a, a, a)).toBe(0);
    expect(orient3dSign(c, 0, 0, 0, c, 0, 0, 0, c, a, a, nextUp(a))).toBe(-1);
    expect(orient3dSign(c, 0, 0, 0, c, 0, 0, 0, c, a, a, -nextUp(-a))).toBe(1);
  });

  test.each(exponents)('2D at scale 2^%i', exponent => {
    const s = 2 ** exponent;
    expect(orient2dSign(0, 0, s, s, 3 * s, 3 * s)).toBe(0);
    expect(orient2dSign(0, 0, s, s, 3 * s, nextUp(3 * s))).toBe(1);
    expect(orient2dSign(0, 0, s, s, nextUp(3 * s), 3 * s)).toBe(-1);
    expect(orient2dSign(0, 0, s, 0, 0, s)).toBe(1);
  });

  test('differences that overflow', () => {
    const huge = Number.MAX_VALUE;
    expect(orient3dSign(-huge, -huge, -huge, huge, -huge, -huge, -huge, huge, -huge, 0, 0, huge)).toBe(-1);
    expect(orient3dSign(-huge, -huge, 0, huge, -huge, 0, -huge, huge, 0, huge, huge, 0)).toBe(0);
    expect(orient3dSign(-huge, -huge, 0, huge, -huge, 0, -huge, huge, 0, huge, huge, 5e-324)).toBe(-1);
    expect(orient2dSign(-huge, -huge, huge, huge, 1, 1)).toBe(0);
    expect(orient2dSign(-huge, -huge, huge, huge, 1, 1 + 2 ** -52)).toBe(1);
  });

  test('large and tiny numbers together', () => {
    expect(orient3dSign(1e300, 0, 0, 0, 1e300, 0, -1e300, -1e300, 0, 0, 0, -5e-324)).toBe(1);
    expect(orient3dSign(1e300, 0, 1e-300, 0, 1e300, 1e-300, 0, 0, 1e-300, 3, 4, 1e-300)).toBe(0);
    expect(orient2dSign(0, 1e-300, 1e300, 1e-300, 1, 1.1e-300)).toBe(1);
    expect(orient2dSign(1e-200, 1e-200, 2e-200, 2e-200, 1e200, 1e200)).toBe(0);
  });
});

describe('determinants that look like zero but are not', () => {
  // Every order of the rows that keeps the sign, and one that changes it.
  const check = (a: number[], b: number[], c: number[], d: number[], expected: number): void => {
    const sign = (rows: number[][]): number => orient3dAt(Float64Array.from(rows.flat()), 0, 3, 6, 9);
    expect(sign([a, b, c, d])).toBe(expected);
    expect(sign([b, c, a, d])).toBe(expected);
    expect(sign([c, a, b, d])).toBe(expected);
    expect(sign([d, c, b, a])).toBe(expected);
    expect(sign([b, a, c, d])).toBe(-expected);
  };

  test.each([110, 200, 900])('a difference that loses 2^-%i', exponent => {
    // c = a + b, so the determinant is the height of d times the sum of the minors.
    const [a, b, c] = [
      [1, 0, 1],
      [0, 1, 1],
      [1, 1, 2],
    ];
    check(a, b, c, [0, 0, 2 ** -exponent], 1);
    check(a, b, c, [0, 0, -(2 ** -exponent)], -1);
  });

  test('a small product beside two large ones that cancel', () => {
    const large = (2 ** 53 - 1) * 2 ** 50;
    check([0, 3, large], [1, 0, 2 ** -20], [1, 3, large], [0, 0, 0], 1);
    check([0, 3, large], [1, 0, -(2 ** -20)], [1, 3, large], [0, 0, 0], -1);
  });
});

function nextUp(x: number): number {
  const view = new DataView(new ArrayBuffer(8));
  if (x === 0) return 5e-324;
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + (x > 0 ? 1n : -1n));
  return view.getFloat64(0);
}
