// Lines and points of one plane, projected along an axis, with exact signs: on which side of a line does a point lie?
// Lines have integer coefficients, and points have integers when needed. But each also has doubles with a proven error
// bound, and these decide nearly every sign. The doubles are computed from the integers, so their errors do not depend
// on how flat or how sheared the input is.
//
// Coordinates become whole numbers by multiplying each axis by its own power of two (curves/whole-frame.ts). The doubles are
// those of the input itself.

import type { Sign } from '../../../../math/exact/orient.ts';
import { bitLength, fromDoubles, ratioToDouble, signOf } from '../../../../math/exact/rational.ts';

/** The line a·u + b·v + c = 0 of whole coordinates u, v. */
export interface Line {
  readonly index: number;
  readonly a: bigint;
  readonly b: bigint;
  readonly c: bigint;
  /**
   * A positive multiple of the same line for the coordinates in doubles. Each number is off by 2^-52 of itself or
   * 2^-1000. The largest is between 1/2 and 1.
   */
  readonly near: readonly [number, number, number];
}

/** The point (u/w, v/w) of whole coordinates, w > 0. */
interface Exact {
  readonly u: bigint;
  readonly v: bigint;
  readonly w: bigint;
}

export interface Spot {
  /** The coordinates as doubles, and how far off each may be. */
  readonly x: number;
  readonly y: number;
  readonly errorX: number;
  readonly errorY: number;
  /** Indices of lines that are known to contain it. */
  readonly on: number[];
  /** Its exact position, computed when first needed. */
  exact: Exact | undefined;
  /** The two lines of which the point is the intersection, if it is one. */
  readonly first: Line | undefined;
  readonly second: Line | undefined;
}

/**
 * The largest error of an intersection's coordinate, for coordinates near 1. If it is larger, the coordinate is computed
 * from integers.
 */
const roughest = 2 ** -36;

const underflow = 2 ** -1000;

export class FlatView {
  /** Whole coordinates are the doubles times 2 to these powers. */
  readonly #shiftU: number;
  readonly #shiftV: number;
  readonly #lines: Line[] = [];
  /** Intersections of lines, by the lines' indices. */
  readonly #meetings = new Map<number, Spot>();

  constructor(shiftU: number, shiftV: number) {
    this.#shiftU = shiftU;
    this.#shiftV = shiftV;
  }

  /** The line with these coefficients, a and b not both 0. It is the same object for all multiples of them. */
  line(a: bigint, b: bigint, c: bigint): Line {
    const near = this.#nearLine(a, b, c);
    const [fa, fb, fc] = near;
    for (const other of this.#lines) {
      const [ga, gb, gc] = other.near;
      // If the lines are multiples of each other, these products differ by at most 2^-50.
      if (!(Math.abs(fa * gb - fb * ga) < 2 ** -44)) continue;
      if (!(Math.abs(fa * gc - fc * ga) < 2 ** -44) || !(Math.abs(fb * gc - fc * gb) < 2 ** -44)) continue;
      if (a * other.b === b * other.a && a * other.c === c * other.a && b * other.c === c * other.b) {
        return other;
      }
    }
    const line: Line = { index: this.#lines.length, a, b, c, near };
    this.#lines.push(line);
    return line;
  }

  /** The line through two points whose whole coordinates are given. */
  lineThrough(u0: bigint, v0: bigint, u1: bigint, v1: bigint): Line {
    const [a, b] = [v0 - v1, u1 - u0];
    return this.line(a, b, -(a * u0 + b * v0));
  }

  #nearLine(a: bigint, b: bigint, c: bigint): [number, number, number] {
    const [ea, eb, ec] = [exponentOf(a) + this.#shiftU, exponentOf(b) + this.#shiftV, exponentOf(c)];
    const top = Math.max(ea, eb, ec);
    return [scaled(a, this.#shiftU - top), scaled(b, this.#shiftV - top), scaled(c, -top)];
  }

  /** A point given by doubles. */
  spotAt(x: number, y: number): Spot {
    return { x, y, errorX: 0, errorY: 0, on: [], exact: undefined, first: undefined, second: undefined };
  }

  /** The point (u/w, v/w) of whole coordinates, w ≠ 0. */
  spotOf(u: bigint, v: bigint, w: bigint): Spot {
    const exact = w > 0n ? { u, v, w } : { u: -u, v: -v, w: -w };
    return this.#spotOf(exact, [], undefined, undefined);
  }

  #spotOf(exact: Exact, on: number[], first: Line | undefined, second: Line | undefined): Spot {
    const { u, v, w } = exact;
    const x = quotient(u, w, this.#shiftU);
    const y = quotient(v, w, this.#shiftV);
    const errorX = 2 ** -50 * Math.abs(x) + underflow;
    const errorY = 2 ** -50 * Math.abs(y) + underflow;
    return { x, y, errorX, errorY, on, exact, first, second };
  }

  /**
   * The intersection of two lines that are not parallel. With numbers that are off by η = 2^-52 of themselves, a
   * difference of two products is off by less than 2^-50 times the sum of their sizes. A quotient n/d, if d is off by
   * less than half of itself, is off by 2(error of n + |n/d|·error of d)/|d| and a rounding.
   */
  meeting(first: Line, second: Line): Spot {
    const [low, high] = first.index < second.index ? [first, second] : [second, first];
    const key = low.index * 2 ** 26 + high.index;
    let spot = this.#meetings.get(key);
    if (spot) return spot;
    const [fa, fb, fc] = low.near;
    const [ga, gb, gc] = high.near;
    const d = fa * gb - fb * ga;
    const x = (fb * gc - fc * gb) / d;
    const y = (fc * ga - fa * gc) / d;
    const errorD = 2 ** -50 * (Math.abs(fa * gb) + Math.abs(fb * ga)) + underflow;
    const errorU = 2 ** -50 * (Math.abs(fb * gc) + Math.abs(fc * gb)) + underflow;
    const errorV = 2 ** -50 * (Math.abs(fc * ga) + Math.abs(fa * gc)) + underflow;
    const errorX = (2.1 * (errorU + Math.abs(x) * errorD)) / Math.abs(d) + 2 ** -51 * Math.abs(x);
    const errorY = (2.1 * (errorV + Math.abs(y) * errorD)) / Math.abs(d) + 2 ** -51 * Math.abs(y);
    const on = [low.index, high.index];
    if (2 * errorD < Math.abs(d) && errorX < roughest && errorY < roughest) {
      spot = { x, y, errorX, errorY, on, exact: undefined, first: low, second: high };
    } else spot = this.#spotOf(meetingOf(low, high), on, low, high);
    this.#meetings.set(key, spot);
    return spot;
  }

  /** The sign of a line's value at a point. */
  side(line: Line, spot: Spot): Sign {
    if (spot.on.includes(line.index)) return 0;
    const [fa, fb, fc] = line.near;
    const { x, y, errorX, errorY } = spot;
    const value = fa * x + fb * y + fc;
    // Three numbers that are off by 2^-52 of themselves, and four roundings.
    const bound =
      2 ** -49 * (Math.abs(fa * x) + Math.abs(fb * y) + Math.abs(fc)) +
      1.001 * (Math.abs(fa) * errorX + Math.abs(fb) * errorY) +
      underflow * (Math.abs(x) + Math.abs(y) + 1);
    if (value > bound) return 1;
    if (-value > bound) return -1;
    const { u, v, w } = this.exact(spot);
    const sign = signOf(line.a * u + line.b * v + line.c * w);
    if (sign === 0) spot.on.push(line.index);
    return sign;
  }

  exact(spot: Spot): Exact {
    if (spot.exact === undefined) {
      if (spot.first && spot.second) spot.exact = meetingOf(spot.first, spot.second);
      else {
        const { x, y, w } = fromDoubles(spot.x, spot.y, 0);
        spot.exact = { u: x << BigInt(this.#shiftU), v: y << BigInt(this.#shiftV), w };
      }
    }
    return spot.exact;
  }
}

function meetingOf(first: Line, second: Line): Exact {
  const u = first.b * second.c - first.c * second.b;
  const v = first.c * second.a - first.a * second.c;
  const w = first.a * second.b - first.b * second.a;
  return w > 0n ? { u, v, w } : { u: -u, v: -v, w: -w };
}

/** n < 2^exponent; −Infinity for 0. */
const exponentOf = (n: bigint): number => (n === 0n ? -Infinity : bitLength(n < 0n ? -n : n));

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

/** u / (w·2^shift), off by less than 2^-51 of itself. */
function quotient(u: bigint, w: bigint, shift: number): number {
  const near = Number(u) / Number(w) / 2 ** shift;
  return Number.isFinite(near) && (near !== 0 || u === 0n) ? near : ratioToDouble(u, w << BigInt(shift));
}
