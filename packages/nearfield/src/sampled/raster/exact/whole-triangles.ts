// Triangles as a view sees them, in integers: whether the line of a pixel crosses one, how deep, and which of two
// comes first. All of it follows from the doubles of the world and of the view (view.ts) without any rounding. Doubles
// decide nearly everything before (crossings.ts); this file decides what they leave open.

import type { Sign } from '../../../math/exact/orient.ts';
import { fractionBits, ratioToDouble, scaledInteger, signOf } from '../../../math/exact/rational.ts';
import { lineShift, type Triple, type View } from '../view.ts';

/** numerator / denominator, denominator > 0. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const zero: Fraction = { numerator: 0n, denominator: 1n };

export const difference = (p: Fraction, q: Fraction): Fraction => ({
  numerator: p.numerator * q.denominator - q.numerator * p.denominator,
  denominator: p.denominator * q.denominator,
});

export const sum = (p: Fraction, q: Fraction): Fraction => ({
  numerator: p.numerator * q.denominator + q.numerator * p.denominator,
  denominator: p.denominator * q.denominator,
});

export const compareFractions = (p: Fraction, q: Fraction): Sign =>
  signOf(p.numerator * q.denominator - q.numerator * p.denominator);

/** A finite double. */
export function fractionOf(value: number): Fraction {
  const bits = fractionBits(value);
  return { numerator: scaledInteger(value, bits), denominator: 1n << BigInt(bits) };
}

/** Lines are at whole multiples of 2^-shiftBits pixels. */
const shiftBits = 38;
const cell = 1n << BigInt(shiftBits);
const shiftRight = BigInt(lineShift[0] * 2 ** shiftBits);
const shiftUp = BigInt(lineShift[1] * 2 ** shiftBits);

/** The line of a pixel, in 2^-shiftBits pixels from the view's corner. */
export interface WholeLine {
  readonly x: bigint;
  readonly y: bigint;
}

export const wholeLine = (column: number, row: number): WholeLine => ({
  x: BigInt(column) * cell + cell / 2n + shiftRight,
  y: BigInt(row) * cell + cell / 2n + shiftUp,
});

/** The numbers of a view that are the same for all triangles, scaled by powers of two. */
export class WholeView {
  readonly originBits: number;
  readonly pixelBits: number;
  readonly axisBits: number;
  readonly axes: readonly (readonly bigint[])[];
  readonly #origin: Triple;
  readonly #pixel: number;

  constructor({ origin, pixel, right, up, direction }: View) {
    const axes = [right, up, direction];
    this.#origin = origin;
    this.#pixel = pixel;
    this.originBits = Math.max(...origin.map(fractionBits));
    this.pixelBits = fractionBits(pixel) + shiftBits;
    this.axisBits = Math.max(...axes.flat().map(fractionBits));
    this.axes = axes.map(axis => axis.map(x => scaledInteger(x, this.axisBits)));
  }

  origin(bits: number): bigint[] {
    return this.#origin.map(x => scaledInteger(x, bits));
  }

  /** A step of lines, 2^-shiftBits pixels, times 2^bits. */
  step(bits: number): bigint {
    return scaledInteger(this.#pixel, bits - shiftBits);
  }
}

/**
 * A triangle of world corners in a view. Everything is an integer multiple of 2^-bits. With E twice its area as seen,
 * its plane is at the depth
 *
 *     z = z₀ + ((x − x₀)·p + (y − y₀)·q)/E,   p = y₂·z₁ − y₁·z₂,   q = x₁·z₂ − x₂·z₁   (corners 1 and 2 from corner 0),
 *
 * which is (slopeX·x + slopeY·y + level)/denominator at the line (x, y).
 */
export class WholeTriangle {
  readonly #x: readonly bigint[];
  readonly #y: readonly bigint[];
  readonly #step: bigint;
  /** Positive if the corners run counter-clockwise as seen; 0 if it is edge-on. */
  readonly turn: Sign;
  readonly slopeX: bigint;
  readonly slopeY: bigint;
  readonly level: bigint;
  /** Above 0, unless the triangle is seen edge-on. */
  readonly denominator: bigint;
  readonly #compared = new Map<WholeTriangle, readonly [bigint, bigint, bigint]>();

  constructor(view: WholeView, corners: ArrayLike<number>) {
    let own = view.originBits;
    for (let i = 0; i < 9; i++) own = Math.max(own, fractionBits(corners[i]));
    const bits = Math.max(own + view.axisBits, view.pixelBits);
    const lift = BigInt(bits - own - view.axisBits);
    const origin = view.origin(own);
    const along = (axis: number, corner: number): bigint => {
      let total = 0n;
      for (let k = 0; k < 3; k++) {
        total += view.axes[axis][k] * (scaledInteger(corners[3 * corner + k], own) - origin[k]);
      }
      return total << lift;
    };
    const x = (this.#x = [along(0, 0), along(0, 1), along(0, 2)]);
    const y = (this.#y = [along(1, 0), along(1, 1), along(1, 2)]);
    const z = [along(2, 0), along(2, 1), along(2, 2)];
    this.#step = view.step(bits);
    const [x1, y1, z1] = [x[1] - x[0], y[1] - y[0], z[1] - z[0]];
    const [x2, y2, z2] = [x[2] - x[0], y[2] - y[0], z[2] - z[0]];
    const area = x1 * y2 - y1 * x2;
    this.turn = signOf(area);
    const sign = area < 0n ? -1n : 1n;
    const p = sign * (y2 * z1 - y1 * z2);
    const q = sign * (x1 * z2 - x2 * z1);
    this.slopeX = p * this.#step;
    this.slopeY = q * this.#step;
    this.level = sign * area * z[0] - p * x[0] - q * y[0];
    this.denominator = (sign * area) << BigInt(bits);
  }

  /**
   * How a line crosses it: 1 if the corners run counter-clockwise as seen, −1 if clockwise, 0 if the line misses it.
   */
  passes({ x, y }: WholeLine): Sign {
    const [px, py] = [x * this.#step, y * this.#step];
    const first = this.#sideOf(0, 1, px, py);
    if (first === 0 || this.#sideOf(1, 2, px, py) !== first) return 0;
    return this.#sideOf(2, 0, px, py) === first ? first : 0;
  }

  /** A line on the edge counts as shifted by (ε, ε²), as in inside/crossing.ts. */
  #sideOf(a: number, b: number, px: bigint, py: bigint): Sign {
    const [x, y] = [this.#x, this.#y];
    const sign = signOf((x[a] - px) * (y[b] - py) - (y[a] - py) * (x[b] - px));
    if (sign !== 0) return sign;
    return y[b] !== y[a] ? (y[b] > y[a] ? -1 : 1) : signOf(x[b] - x[a]);
  }

  /** The depth of its plane on a line, from the view's origin. */
  depth({ x, y }: WholeLine): Fraction {
    return {
      numerator: this.slopeX * x + this.slopeY * y + this.level,
      denominator: this.denominator,
    };
  }

  /** Correctly rounded. */
  depthRounded(line: WholeLine): number {
    const { numerator, denominator } = this.depth(line);
    return ratioToDouble(numerator, denominator);
  }

  /**
   * The sign of its depth minus another's on a line. Coincident faces are compared pixel after pixel, so the result is
   * kept per pair.
   */
  compare(other: WholeTriangle, { x, y }: WholeLine): Sign {
    let known = this.#compared.get(other);
    if (known === undefined) {
      const [own, its] = [this.denominator, other.denominator];
      known = [
        this.slopeX * its - other.slopeX * own,
        this.slopeY * its - other.slopeY * own,
        this.level * its - other.level * own,
      ];
      this.#compared.set(other, known);
    }
    const [slopeX, slopeY, level] = known;
    return slopeX === 0n && slopeY === 0n ? signOf(level) : signOf(slopeX * x + slopeY * y + level);
  }
}
