// Does a ray meet a triangle, when and where? In exact integers, for what doubles leave open: rays through edges and
// corners, rays in the plane of a triangle, triangles without area, and hits too flat to be measured in doubles.
//
// All coordinates are doubles, so they are integers after multiplication with a power of two: 2^k for positions, 2^l for
// the direction. The determinants are those of cpu/ray-triangle.as.ts, with T = −a, since everything is seen from the
// ray's origin. A time in these integers is 2^(k − l) times the time asked for.

import {
  cross,
  dot,
  fractionBits,
  isZero,
  minus,
  ratioToDouble,
  scaledInteger,
  type Vector,
} from '../math/exact/rational.ts';

/** A number numerator / denominator; the denominator is positive. */
interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A hit; the fraction is its time, as a multiple of the direction. */
export interface ExactHit extends Fraction {
  /** Weights of the three corners, each to be divided by their sum. */
  readonly weights: readonly [bigint, bigint, bigint];
  /** As `RayHits.crossings`, for a triangle that is not mirrored. */
  readonly crossing: number;
}

const isLess = (a: Fraction, b: Fraction): boolean =>
  a.numerator * b.denominator < b.numerator * a.denominator;

/** Which of two hits of one ray is earlier: negative if the first is. */
export const compareTimes = (a: ExactHit, b: ExactHit): number => (isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0);

/** Whether a hit is later than a time. */
export function isLater({ numerator, denominator }: ExactHit, time: number): boolean {
  if (time === Infinity) return false;
  const bits = fractionBits(time);
  return numerator << BigInt(bits) > scaledInteger(time, bits) * denominator;
}

/** The time of a hit, correctly rounded. */
export const timeOf = ({ numerator, denominator }: ExactHit): number => ratioToDouble(numerator, denominator);

/** The weights of the second and third corner, correctly rounded. */
export function weightsOf({ weights: [first, second, third] }: ExactHit): [number, number] {
  const sum = first + second + third;
  return [ratioToDouble(second, sum), ratioToDouble(third, sum)];
}

/** The first point of the ray at rays[at…] that lies in the triangle at corners[0…8]; undefined if there is none. */
export function meetExactly(
  rays: ArrayLike<number>,
  at: number,
  corners: ArrayLike<number>,
): ExactHit | undefined {
  let bits = 0;
  let turnBits = 0;
  for (let i = 0; i < 9; i++) bits = Math.max(bits, fractionBits(corners[i]));
  for (let i = 0; i < 3; i++) {
    bits = Math.max(bits, fractionBits(rays[at + i]));
    turnBits = Math.max(turnBits, fractionBits(rays[at + 3 + i]));
  }
  const origin = integersAt(rays, at, bits);
  const direction = integersAt(rays, at + 3, turnBits);
  const [a, b, c] = [0, 3, 6].map(i => minus(integersAt(corners, i, bits), origin));
  const hit = meet(direction, a, b, c);
  if (hit === undefined) return undefined;
  const shift = BigInt(turnBits - bits);
  return shift >= 0n
    ? { ...hit, numerator: hit.numerator << shift }
    : { ...hit, denominator: hit.denominator << -shift };
}

const integersAt = (from: ArrayLike<number>, at: number, bits: number): Vector => ({
  x: scaledInteger(from[at], bits),
  y: scaledInteger(from[at + 1], bits),
  z: scaledInteger(from[at + 2], bits),
});

function meet(d: Vector, a: Vector, b: Vector, c: Vector): ExactHit | undefined {
  const normal = cross(minus(b, a), minus(c, a));
  if (dot(normal, d) !== 0n) return meetPlane(d, a, b, c, normal);
  if (isZero(normal)) return meetSegment(d, [a, b, c]);
  return dot(normal, a) === 0n ? meetInPlane(d, a, b, c, normal) : undefined;
}

/** A ray that crosses the plane of the triangle. */
function meetPlane(d: Vector, a: Vector, b: Vector, c: Vector, normal: Vector): ExactHit | undefined {
  const determinant = -dot(normal, d);
  const sign = determinant > 0n ? 1n : -1n;
  const sideB = cross(d, minus(c, a));
  const sideC = cross(minus(b, a), d);
  const second = -sign * dot(a, sideB);
  const third = -sign * dot(a, sideC);
  const first = sign * determinant - second - third;
  const numerator = -sign * dot(a, normal);
  if (first < 0n || second < 0n || third < 0n || numerator < 0n) return undefined;
  // How the four grow if the ray's origin moves.
  const sideA = { x: -sideB.x - sideC.x, y: -sideB.y - sideC.y, z: -sideB.z - sideC.z };
  const crosses =
    isPositiveMoved(first, sign, sideA) &&
    isPositiveMoved(second, sign, sideB) &&
    isPositiveMoved(third, sign, sideC) &&
    isPositiveMoved(numerator, sign, normal);
  return {
    numerator,
    denominator: sign * determinant,
    weights: [first, second, third],
    crossing: crosses ? -Number(sign) : 0,
  };
}

/** Whether a value ≥ 0 that grows by sign·slope·(ε, ε², ε³) is positive for small ε. */
function isPositiveMoved(value: bigint, sign: bigint, slope: Vector): boolean {
  return value > 0n || sign * (slope.x || slope.y || slope.z) > 0n;
}

/** A ray in the plane of a triangle: each side bounds its times. */
function meetInPlane(d: Vector, a: Vector, b: Vector, c: Vector, normal: Vector): ExactHit | undefined {
  // Per side, opposite a, b and c: how far the point s·d of the ray lies inward of it, start + s·slope.
  const sides = [
    [b, c],
    [c, a],
    [a, b],
  ].map(([from, to]) => {
    const along = minus(to, from);
    return { start: -dot(cross(along, from), normal), slope: dot(cross(along, d), normal) };
  });
  let low: Fraction = { numerator: 0n, denominator: 1n };
  let high: Fraction | undefined;
  for (const { start, slope } of sides) {
    if (slope === 0n) {
      if (start < 0n) return undefined;
    } else if (slope > 0n) {
      const from = { numerator: -start, denominator: slope };
      if (isLess(low, from)) low = from;
    } else {
      const to = { numerator: start, denominator: -slope };
      if (high === undefined || isLess(to, high)) high = to;
    }
  }
  if (high !== undefined && isLess(high, low)) return undefined;
  const at = ({ start, slope }: (typeof sides)[0]) => start * low.denominator + slope * low.numerator;
  return { ...low, weights: [at(sides[0]), at(sides[1]), at(sides[2])], crossing: 0 };
}

/** A triangle without area: its corners lie on a line, or are one point. */
function meetSegment(d: Vector, corners: readonly Vector[]): ExactHit | undefined {
  const [i, j] = farthest(corners);
  const [p, q] = [corners[i], corners[j]];
  const along = minus(q, p);
  const across = cross(d, along);
  const zero = { numerator: 0n, denominator: 1n };
  /** The hit at a time and a share of the way from p to q. */
  const hit = (time: Fraction, { numerator, denominator }: Fraction): ExactHit => {
    const weights: [bigint, bigint, bigint] = [0n, 0n, 0n];
    weights[i] = denominator - numerator;
    weights[j] = numerator;
    return { ...time, weights, crossing: 0 };
  };
  if (!isZero(across)) {
    const denominator = dot(across, across);
    const time = dot(cross(p, along), across);
    const share = dot(cross(p, d), across);
    const isMissed = dot(p, across) !== 0n || time < 0n || share < 0n || share > denominator;
    return isMissed ? undefined : hit({ numerator: time, denominator }, { numerator: share, denominator });
  }
  if (!isZero(cross(p, d))) return undefined;
  const timeP = dot(p, d);
  const timeQ = dot(q, d);
  const denominator = dot(d, d);
  if (timeP < 0n && timeQ < 0n) return undefined;
  if (timeP < 0n) return hit(zero, { numerator: -timeP, denominator: timeQ - timeP });
  if (timeQ < 0n) return hit(zero, { numerator: timeP, denominator: timeP - timeQ });
  return timeP <= timeQ
    ? hit({ numerator: timeP, denominator }, zero)
    : hit({ numerator: timeQ, denominator }, { numerator: 1n, denominator: 1n });
}

/** The two of three corners on a line that lie farthest apart. */
function farthest(corners: readonly Vector[]): readonly [number, number] {
  const pairs = [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const;
  const lengths = pairs.map(([i, j]) => {
    const way = minus(corners[j], corners[i]);
    return dot(way, way);
  });
  const most = lengths.reduce((a, b) => (a > b ? a : b));
  return pairs[lengths.indexOf(most)];
}
