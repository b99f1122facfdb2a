// Lines and points of a triangle's plane, with exact signs: on which side of a line does a point lie? A line is given by
// its values at the triangle's three corners, a point by its weights at them (barycentric coordinates). The value of a
// line at a point is the sum of the products.
//
// Both have whole numbers when needed. But each also has doubles with a proven error bound, and these decide nearly every
// sign. They do not depend on how flat or how sheared the bodies are: seen from the triangle, space has the same shape.

import type { Sign } from '../../../../math/exact/orient.ts';
import { bitLength, fractionBits, scaledInteger, signOf } from '../../../../math/exact/rational.ts';

/** Three whole numbers, one per corner of the facet. */
export type Triple = readonly [bigint, bigint, bigint];

/** Three doubles, one per corner, and how far off each may be. */
export type Near = readonly [number, number, number, number, number, number];

export interface Line {
  readonly index: number;
  /** Its values at the corners, all multiplied by the same positive number. */
  readonly near: Near;
  /** The same in whole numbers, computed when first needed. */
  exact: Triple | undefined;
  readonly findExact: () => Triple;
}

export interface Spot {
  /** Its weights at the corners, of which the sum is about 1. */
  readonly near: Near;
  /** Its coordinates along the two axes after the facet's, as doubles, and how far off each may be. */
  readonly x: number;
  readonly y: number;
  readonly errorX: number;
  readonly errorY: number;
  /** Indices of lines that are known to contain it. */
  readonly on: number[];
  /** Its weights in whole numbers, times any positive number, computed when first needed. */
  exact: Triple | undefined;
  /** What they are computed from: two lines that meet there, or else the doubles `near`, which are then exact. */
  readonly lines: readonly [Line, Line] | undefined;
}

/** The largest error of a weight that is computed from doubles. If it is larger, it is computed from whole numbers. */
const roughest = 2 ** -36;

/** The largest error of a line's value that is computed from doubles, as a part of its largest value. */
const roughestValue = 2 ** -30;

const underflow = 2 ** -1000;

export class FlatView {
  /** The facet's corners, projected along its axis: two numbers each. */
  readonly #p: Float64Array;
  readonly #lines: Line[] = [];
  /** Intersections of lines, by the lines' indices. */
  readonly #meetings = new Map<number, Spot>();
  /** The corners of the facet, and its sides; side i runs from corner i to the next. Lines are positive inside. */
  readonly corners: readonly [Spot, Spot, Spot];
  readonly sides: readonly [Line, Line, Line];

  /** Takes the facet's corners, projected along its axis: two numbers per corner. */
  constructor(p: Float64Array) {
    this.#p = p;
    this.corners = [0, 1, 2].map(k => this.#spot(units[k], wholeUnits[k])) as [Spot, Spot, Spot];
    const opposite = [2, 0, 1];
    this.sides = opposite.map(k => this.line(units[k], () => wholeUnits[k])) as [Line, Line, Line];
    this.sides.forEach((side, i) => {
      this.corners[i].on.push(side.index);
      this.corners[(i + 1) % 3].on.push(side.index);
    });
  }

  /**
   * The line with these values at the corners, not all of them 0. It is the same object for all multiples of them. If the
   * doubles are too rough, they are computed again from the whole numbers.
   */
  line(values: Near, findExact: () => Triple): Line {
    let exact: Triple | undefined;
    let near = values;
    if (!areFine(values, 0)) {
      exact = findExact();
      near = nearTriple(exact);
    }
    for (const other of this.#lines) {
      if (!mayBeMultiples(near, other.near)) continue;
      exact ??= findExact();
      if (areMultiples(exact, exactLine(other))) return other;
    }
    const line: Line = { index: this.#lines.length, near, exact, findExact };
    this.#lines.push(line);
    return line;
  }

  /** The line through two distinct points, if they are known to lie on one. */
  lineThrough(from: Spot, to: Spot): Line | undefined {
    for (const index of from.on) if (to.on.includes(index)) return this.#lines[index];
    return undefined;
  }

  /** The point with these weights, whose sum is not 0. */
  spotOf(weights: Triple): Spot {
    const exact = withPositiveSum(weights);
    return this.#spot(nearWeights(exact), exact);
  }

  /** The point whose weights are exactly proportional to these doubles. */
  sample(w0: number, w1: number, w2: number): Spot {
    const sum = w0 + w1 + w2;
    // The quotients are off by 2^-51 of themselves, which `side` does not count: it takes the doubles given.
    const p = this.#p;
    const x = (w0 * p[0] + w1 * p[2] + w2 * p[4]) / sum;
    const y = (w0 * p[1] + w1 * p[3] + w2 * p[5]) / sum;
    const sizeX = (Math.abs(w0 * p[0]) + Math.abs(w1 * p[2]) + Math.abs(w2 * p[4])) / sum;
    const sizeY = (Math.abs(w0 * p[1]) + Math.abs(w1 * p[3]) + Math.abs(w2 * p[5])) / sum;
    return {
      near: [w0, w1, w2, 0, 0, 0],
      x,
      y,
      errorX: 2 ** -49 * sizeX + underflow,
      errorY: 2 ** -49 * sizeY + underflow,
      on: [],
      exact: undefined,
      lines: undefined,
    };
  }

  /** Weights with the sum 1, each off by at most its error. */
  #spot(near: Near, exact: Triple | undefined, on: number[] = [], lines?: readonly [Line, Line]): Spot {
    const p = this.#p;
    const w0 = near[0];
    const w1 = near[1];
    const w2 = near[2];
    const d0 = near[3];
    const d1 = near[4];
    const d2 = near[5];
    const x = w0 * p[0] + w1 * p[2] + w2 * p[4];
    const y = w0 * p[1] + w1 * p[3] + w2 * p[5];
    // Each weight's error counts times its coordinate; three roundings.
    const errorX =
      Math.abs(p[0]) * (d0 + 2 ** -50 * Math.abs(w0)) +
      Math.abs(p[2]) * (d1 + 2 ** -50 * Math.abs(w1)) +
      Math.abs(p[4]) * (d2 + 2 ** -50 * Math.abs(w2)) +
      underflow;
    const errorY =
      Math.abs(p[1]) * (d0 + 2 ** -50 * Math.abs(w0)) +
      Math.abs(p[3]) * (d1 + 2 ** -50 * Math.abs(w1)) +
      Math.abs(p[5]) * (d2 + 2 ** -50 * Math.abs(w2)) +
      underflow;
    return { near, x, y, errorX, errorY, on, exact, lines };
  }

  /** The intersection of two lines that are not parallel: its weights are the cross product of their values. */
  meeting(first: Line, second: Line): Spot {
    const [low, high] = first.index < second.index ? [first, second] : [second, first];
    const key = low.index * 2 ** 26 + high.index;
    let spot = this.#meetings.get(key);
    if (spot) return spot;
    const near = nearMeeting(low.near, high.near);
    const exact = near === undefined ? meetingOf(low, high) : undefined;
    spot = this.#spot(near ?? nearWeights(exact!), exact, [low.index, high.index], [low, high]);
    this.#meetings.set(key, spot);
    return spot;
  }

  /** The sign of a line's value at a point. */
  side(line: Line, spot: Spot): Sign {
    if (spot.on.includes(line.index)) return 0;
    const sign = nearSign(line.near, 0, spot.near);
    if (sign !== 0) return sign;
    const exact = signOf(dotProduct(exactLine(line), exactSpot(spot)));
    if (exact === 0) spot.on.push(line.index);
    return exact;
  }
}

/** A line's values, in whole numbers. */
export const exactLine = (line: Line): Triple => (line.exact ??= line.findExact());

/** A point's weights, in whole numbers. */
export function exactSpot(spot: Spot): Triple {
  if (spot.exact === undefined) {
    const { near, lines } = spot;
    if (lines) spot.exact = meetingOf(lines[0], lines[1]);
    else {
      const bits = Math.max(fractionBits(near[0]), fractionBits(near[1]), fractionBits(near[2]));
      spot.exact = [scaledInteger(near[0], bits), scaledInteger(near[1], bits), scaledInteger(near[2], bits)];
    }
  }
  return spot.exact;
}

const meetingOf = (first: Line, second: Line): Triple =>
  withPositiveSum(crossProduct(exactLine(first), exactLine(second)));

/** The weights of two lines' intersection; undefined if their doubles are too rough. */
function nearMeeting(f: Near, g: Near): Near | undefined {
  const w0 = f[1] * g[2] - f[2] * g[1];
  const w1 = f[2] * g[0] - f[0] * g[2];
  const w2 = f[0] * g[1] - f[1] * g[0];
  const error0 = productError(f[1], f[4], g[2], g[5]) + productError(f[2], f[5], g[1], g[4]);
  const error1 = productError(f[2], f[5], g[0], g[3]) + productError(f[0], f[3], g[2], g[5]);
  const error2 = productError(f[0], f[3], g[1], g[4]) + productError(f[1], f[4], g[0], g[3]);
  const total = w0 + w1 + w2;
  const totalError =
    1.001 * (error0 + error1 + error2) + 2 ** -51 * (Math.abs(w0) + Math.abs(w1) + Math.abs(w2));
  return dividedBy([w0, w1, w2, error0, error1, error2], total, totalError);
}

/**
 * The sign of the sum of products of three values, at values[at…], and three weights; 0 if their doubles cannot decide it.
 * The bound is the sum of `productError`, written out.
 */
export function nearSign(values: ArrayLike<number>, at: number, weights: Near): Sign {
  const f0 = values[at];
  const f1 = values[at + 1];
  const f2 = values[at + 2];
  const w0 = weights[0];
  const w1 = weights[1];
  const w2 = weights[2];
  const sum = f0 * w0 + f1 * w1 + f2 * w2;
  const s0 = Math.abs(w0);
  const s1 = Math.abs(w1);
  const s2 = Math.abs(w2);
  const bound =
    1.001 *
      (Math.abs(f0) * (weights[3] + 2 ** -51 * s0) +
        Math.abs(f1) * (weights[4] + 2 ** -51 * s1) +
        Math.abs(f2) * (weights[5] + 2 ** -51 * s2) +
        values[at + 3] * (s0 + weights[3]) +
        values[at + 4] * (s1 + weights[4]) +
        values[at + 5] * (s2 + weights[5])) +
    underflow;
  return sum > bound ? 1 : -sum > bound ? -1 : 0;
}

/**
 * How far the product of two numbers with these errors may be off, with three roundings, of which two are those of a sum
 * of three such products.
 */
const productError = (f: number, d: number, w: number, e: number): number =>
  1.001 * (Math.abs(f) * (e + 2 ** -51 * Math.abs(w)) + d * (Math.abs(w) + e));

/**
 * Values divided by a total, with their errors; undefined if an error is too large. A quotient n/t, if t is off by less
 * than half of itself, is off by 2(error of n + |n/t|·error of t)/|t| and a rounding.
 */
function dividedBy(values: Near, total: number, totalError: number): Near | undefined {
  const size = Math.abs(total);
  if (!(2 * totalError < size) || !(size < 2 ** 500) || !(size > 2 ** -500)) return undefined;
  const w0 = values[0] / total;
  const w1 = values[1] / total;
  const w2 = values[2] / total;
  const d0 = (2.1 * (values[3] + Math.abs(w0) * totalError)) / size + 2 ** -51 * Math.abs(w0) + underflow;
  const d1 = (2.1 * (values[4] + Math.abs(w1) * totalError)) / size + 2 ** -51 * Math.abs(w1) + underflow;
  const d2 = (2.1 * (values[5] + Math.abs(w2) * totalError)) / size + 2 ** -51 * Math.abs(w2) + underflow;
  return d0 < roughest && d1 < roughest && d2 < roughest ? [w0, w1, w2, d0, d1, d2] : undefined;
}

/** Whether the values at values[at…] are near enough, and far from both ends of the range of doubles. */
export function areFine(values: ArrayLike<number>, at: number): boolean {
  const size = Math.max(Math.abs(values[at]), Math.abs(values[at + 1]), Math.abs(values[at + 2]));
  const error = Math.max(values[at + 3], values[at + 4], values[at + 5]);
  return error <= roughestValue * size && size < 2 ** 500 && size > 2 ** -500;
}

/** Whether two lines' values may be multiples of each other: these products are then equal. */
const mayBeMultiples = (f: Near, g: Near): boolean =>
  mayBeEqual(f, g, 0, 1) && mayBeEqual(f, g, 1, 2) && mayBeEqual(f, g, 2, 0);

/** Whether f[i]·g[j] and f[j]·g[i] may be equal. */
const mayBeEqual = (f: Near, g: Near, i: number, j: number): boolean =>
  Math.abs(f[i] * g[j] - f[j] * g[i]) <=
  productError(f[i], f[3 + i], g[j], g[3 + j]) + productError(f[j], f[3 + j], g[i], g[3 + i]) + underflow;

const areMultiples = (f: Triple, g: Triple): boolean =>
  f[0] * g[1] === f[1] * g[0] && f[1] * g[2] === f[2] * g[1] && f[2] * g[0] === f[0] * g[2];

const crossProduct = (f: Triple, g: Triple): Triple => [
  f[1] * g[2] - f[2] * g[1],
  f[2] * g[0] - f[0] * g[2],
  f[0] * g[1] - f[1] * g[0],
];

export const dotProduct = (f: Triple, g: Triple): bigint => f[0] * g[0] + f[1] * g[1] + f[2] * g[2];

const withPositiveSum = (w: Triple): Triple => (w[0] + w[1] + w[2] > 0n ? w : [-w[0], -w[1], -w[2]]);

const units: readonly Near[] = [
  [1, 0, 0, 0, 0, 0],
  [0, 1, 0, 0, 0, 0],
  [0, 0, 1, 0, 0, 0],
];

const wholeUnits: readonly Triple[] = [
  [1n, 0n, 0n],
  [0n, 1n, 0n],
  [0n, 0n, 1n],
];

/** Doubles near whole numbers, multiplied by a power of two so that the largest is between 1/2 and 1. */
export function nearTriple([a, b, c]: Triple): Near {
  const top = Math.max(digitsOf(a), digitsOf(b), digitsOf(c));
  const [x, y, z] = [scaled(a, -top), scaled(b, -top), scaled(c, -top)];
  return [x, y, z, errorOf(x), errorOf(y), errorOf(z)];
}

/** Weights divided by their sum, which is positive. */
function nearWeights(exact: Triple): Near {
  const sum = exact[0] + exact[1] + exact[2];
  const top = digitsOf(sum);
  const divisor = scaled(sum, -top);
  const [x, y, z] = exact.map(weight => scaled(weight, -top) / divisor);
  // Two numbers that are off by 2^-52 of themselves, and a rounding.
  return [x, y, z, 4 * errorOf(x), 4 * errorOf(y), 4 * errorOf(z)];
}

/** `scaled` is off by 2^-52 of itself, or underflows. */
const errorOf = (x: number): number => 2 ** -52 * Math.abs(x) + underflow;

/** |n| < 2^digits; 0 for 0. */
export const digitsOf = (n: bigint): number => (n === 0n ? 0 : bitLength(n < 0n ? -n : n));

/** n·2^exponent as a double, off by 2^-52 of itself. */
function scaled(n: bigint, exponent: number): number {
  if (n === 0n) return 0;
  const excess = bitLength(n < 0n ? -n : n) - 64;
  if (excess <= 0) return timesPower(Number(n), exponent);
  // Drops all but the highest 64 bits, which changes it by less than 2^-63 of itself.
  return timesPower(Number(n >> BigInt(excess)), exponent + excess);
}

/** x·2^exponent, in steps that neither overflow nor lose digits before the last. */
function timesPower(x: number, exponent: number): number {
  if (exponent < -1000) return exponent < -2200 ? 0 : x * 2 ** -1000 * 2 ** Math.max(exponent + 1000, -1074);
  return x * 2 ** exponent;
}
