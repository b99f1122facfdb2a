import { expect, test } from 'vitest';
import { fractionBits, scaledInteger } from '../../../../math/exact/rational.ts';
import { randomIntegers } from '../../../testing/brute-engine.ts';
import { exactLine, FlatView, type Line, nearSign, nearTriple, type Triple } from './flat-view.ts';
import { planeValues, turnValues } from './values.ts';

// Signs of determinants of three lines: doubles with error bounds against integers.

type Integers = (n: number) => number;

/** A random integer with up to this many digits, often small. */
function integer(random: Integers, digits: number): bigint {
  let n = 0n;
  for (let i = 0; i < 1 + random(digits); i++) n = n * 2n + BigInt(random(2));
  return random(2) ? n : -n;
}

const corners = Float64Array.of(0, 0, 1, 0, 0, 1);
const lineOf = (view: FlatView, values: Triple): Line => view.line(nearTriple(values), () => values);

const cross = (f: Triple, g: Triple): Triple => [
  f[1] * g[2] - f[2] * g[1],
  f[2] * g[0] - f[0] * g[2],
  f[0] * g[1] - f[1] * g[0],
];
const dot = (f: Triple, g: Triple): bigint => f[0] * g[0] + f[1] * g[1] + f[2] * g[2];
const signOf = (n: bigint): number => (n > 0n ? 1 : n < 0n ? -1 : 0);

test('the side of a line on which two others meet is that of the integer determinant', () => {
  const seen = [0, 0, 0];
  for (let seed = 1; seed <= 3000; seed++) {
    const random = randomIntegers(seed);
    const view = new FlatView(corners);
    const digits = [3, 12, 60, 400, 2500][random(5)];
    const any = (): Triple => {
      for (;;) {
        const values: Triple = [integer(random, digits), integer(random, digits), integer(random, digits)];
        if (values.some(value => value !== 0n)) return values;
      }
    };
    const [k, l] = [any(), any()];
    const weights = cross(k, l);
    const sum = weights[0] + weights[1] + weights[2];
    if (sum === 0n) continue;
    // The line passes through the intersection of the others, nearly through it, or anywhere.
    const [s, t] = [integer(random, 20), integer(random, 20)];
    const off = random(3) === 0 ? integer(random, 2) : 0n;
    const through: Triple = [s * k[0] + t * l[0], s * k[1] + t * l[1], s * k[2] + t * l[2] + off];
    const m = random(2) && through.some(value => value !== 0n) ? through : any();
    const expected = signOf(dot(m, weights) * sum);
    const spot = view.meeting(lineOf(view, k), lineOf(view, l));
    // The line may be the same object as a multiple of it.
    const line = lineOf(view, m);
    const turned = [0, 1, 2].some(i => signOf(exactLine(line)[i]) * signOf(m[i]) < 0) ? -1 : 1;
    expect(view.side(line, spot) * turned + 0, `seed ${seed}`).toBe(expected);
    seen[expected + 1]++;
  }
  for (const count of seen) expect(count).toBeGreaterThan(200);
});

test('a line is the same object for all its multiples', () => {
  const view = new FlatView(corners);
  const line = lineOf(view, [3n, -5n, 7n]);
  expect(lineOf(view, [-300n, 500n, -700n])).toBe(line);
  expect(lineOf(view, [3n << 2000n, -5n << 2000n, 7n << 2000n])).toBe(line);
  expect(lineOf(view, [3n << 2000n, -5n << 2000n, (7n << 2000n) + 1n])).not.toBe(line);
});

test('the line through two points is found if both are known to lie on it', () => {
  const view = new FlatView(corners);
  const [a, b] = view.corners;
  expect(view.lineThrough(a, b)).toBe(view.sides[0]);
  expect(view.lineThrough(a, view.spotOf([1n, 1n, 1n]))).toBeUndefined();
});

test('the side of a line on which a point with weights in doubles lies is exact to the last digit', () => {
  const view = new FlatView(corners);
  const line = lineOf(view, [1n, -4n, 0n]);
  expect(view.side(line, view.sample(0.4, 0.1, 0.5))).toBe(0);
  expect(view.side(line, view.sample(0.4 + 2 ** -54, 0.1, 0.5))).toBe(1);
  expect(view.side(line, view.sample(0.4 - 2 ** -54, 0.1, 0.5))).toBe(-1);
  expect(view.side(line, view.sample(5e-324, 0, 1))).toBe(1);
});

/** Points with whole coordinates of up to 52 digits, anywhere or within rounding errors of one line. */
function points(random: Integers, count: number): Float64Array {
  const high = [1, 2 ** 6, 2 ** 26][random(3)];
  const any = (): number => high * random(2 ** 26) + random(2 ** 26);
  const along = [any(), any(), any()];
  const isFlat = random(2) === 0;
  return Float64Array.from({ length: 3 * count }, (_, i) => {
    const share = ((Math.floor(i / 3) * 7919) % 97) / 97;
    return isFlat ? Math.round(along[i % 3] * share) + random(3) : any();
  });
}

const whole = (p: Float64Array, at: number): Triple => [BigInt(p[at]), BigInt(p[at + 1]), BigInt(p[at + 2])];
const minus = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** Whether an error bound holds for a whole number. */
function isWithin(near: number, error: number, exact: bigint): boolean {
  const bits = Math.max(fractionBits(near), fractionBits(error));
  const off = scaledInteger(near, bits) - (exact << BigInt(bits));
  return (off < 0n ? -off : off) <= scaledInteger(error, bits);
}

test('values of planes and lines at the corners of a facet are within their errors', () => {
  let closer = 0;
  for (let seed = 1; seed <= 3000; seed++) {
    const random = randomIntegers(seed);
    const p = points(random, 6);
    const [a, b, c] = [whole(p, 9), whole(p, 12), whole(p, 15)];
    const normal = cross(minus(b, a), minus(c, a));
    const plane = planeValues(p, 9, p.subarray(0, 9));
    const turns = new Float64Array(6);
    turnValues(p, 9, 12, 0, 1, Float64Array.of(p[0], p[1], p[3], p[4], p[6], p[7]), turns, 0);
    for (let k = 0; k < 3; k++) {
      const corner = whole(p, 3 * k);
      const value = dot(normal, minus(corner, a));
      expect(isWithin(plane[k], plane[3 + k], value), `seed ${seed}, plane`).toBe(true);
      const [to, from] = [minus(b, a), minus(corner, a)];
      const turn = to[0] * from[1] - to[1] * from[0];
      expect(isWithin(turns[k], turns[3 + k], turn), `seed ${seed}, line`).toBe(true);
      const product = Math.abs(Number(to[0] * from[1]));
      if (Math.abs(turns[k]) < 2 ** -45 * product && turns[3 + k] < Math.abs(turns[k])) closer++;
    }
    const weights = [0.25, 0.5, 0.25, 0, 0, 0] as const;
    const sign = nearSign(plane, 0, weights);
    const exact = [0, 3, 6].map(at => dot(normal, minus(whole(p, at), a)));
    if (sign !== 0) expect(sign, `seed ${seed}`).toBe(signOf(exact[0] + 2n * exact[1] + exact[2]));
  }
  // Values that doubles alone cannot tell from 0.
  expect(closer).toBeGreaterThan(100);
});
