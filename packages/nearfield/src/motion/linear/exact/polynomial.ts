// Polynomials with integer coefficients and their roots in [0, 1], exactly. Every decision is made on integers: the number of
// roots (Descartes' rule of signs in Bernstein form), their order, and the signs of other polynomials there. contact.md says
// what they are needed for.

import type { Sign } from '../../../math/exact/orient.ts';
import { signOf } from '../../../math/exact/rational.ts';

/** Coefficients of 1, t, t², …; the last one is not 0. The zero polynomial has none. */
export type Polynomial = readonly bigint[];

export const isZero = (p: Polynomial): boolean => p.length === 0;

const trimmed = (p: bigint[]): Polynomial => {
  while (p.length > 0 && p[p.length - 1] === 0n) p.pop();
  return p;
};

export const polynomial = (...coefficients: bigint[]): Polynomial => trimmed(coefficients);

export function sum(p: Polynomial, q: Polynomial): Polynomial {
  const [long, short] = p.length >= q.length ? [p, q] : [q, p];
  return trimmed(long.map((c, i) => (i < short.length ? c + short[i] : c)));
}

export const negated = (p: Polynomial): Polynomial => p.map(c => -c);

export const difference = (p: Polynomial, q: Polynomial): Polynomial => sum(p, negated(q));

export function product(p: Polynomial, q: Polynomial): Polynomial {
  if (p.length === 0 || q.length === 0) return [];
  const out = new Array<bigint>(p.length + q.length - 1).fill(0n);
  for (let i = 0; i < p.length; i++) for (let j = 0; j < q.length; j++) out[i + j] += p[i] * q[j];
  return out;
}

/** The sign of p at n / 2^bits. */
export function signAt(p: Polynomial, n: bigint, bits: bigint): Sign {
  if (p.length === 0) return 0;
  // Horner's rule on 2^(bits·degree)·p(n / 2^bits).
  let value = p[p.length - 1];
  let shift = 0n;
  for (let i = p.length - 2; i >= 0; i--) {
    shift += bits;
    value = value * n + (p[i] << shift);
  }
  return signOf(value);
}

/** The sign of p at numerator / denominator, denominator > 0. */
function signAtFraction(p: Polynomial, { numerator, denominator }: Fraction): Sign {
  if (p.length === 0) return 0;
  let value = p[p.length - 1];
  let power = 1n;
  for (let i = p.length - 2; i >= 0; i--) {
    power *= denominator;
    value = value * numerator + p[i] * power;
  }
  return signOf(value);
}

interface Fraction {
  readonly numerator: bigint;
  /** Above 0. */
  readonly denominator: bigint;
}

/**
 * A root in [0, 1] of a polynomial: a fraction, if it is known to be one; if not, the only root strictly between n / 2^bits and
 * (n + 1) / 2^bits, neither of which is a root. It is not a repeated one.
 */
export class Root {
  readonly #of: Polynomial;
  /** The sign of the polynomial at n / 2^bits. */
  readonly #below: Sign;
  #n: bigint;
  #bits: bigint;
  #fraction: Fraction | undefined;

  private constructor(of: Polynomial, n: bigint, bits: bigint, fraction: Fraction | undefined) {
    this.#of = of;
    this.#n = n;
    this.#bits = bits;
    this.#fraction = fraction;
    this.#below = fraction === undefined ? signAt(of, n, bits) : 0;
  }

  /** The root numerator / denominator, denominator > 0. */
  static at(numerator: bigint, denominator: bigint): Root {
    return new Root([], 0n, 0n, { numerator, denominator });
  }

  /** The root of p in the interval from n / 2^bits to (n + 1) / 2^bits. */
  static between(p: Polynomial, n: bigint, bits: bigint): Root {
    return new Root(p, n, bits, undefined);
  }

  /** Halves the interval. */
  #narrow(): void {
    this.#bits++;
    const middle = 2n * this.#n + 1n;
    const sign = signAt(this.#of, middle, this.#bits);
    if (sign === 0) this.#fraction = { numerator: middle, denominator: 1n << this.#bits };
    this.#n = sign === this.#below ? middle : middle - 1n;
  }

  /** The sign of a polynomial of degree 2 or less at the root. */
  signOf(q: Polynomial): Sign {
    for (let narrowed = 0; ; narrowed++) {
      if (this.#fraction !== undefined) return signAtFraction(q, this.#fraction);
      const sign = signBetween(q, this.#n, this.#bits);
      if (sign !== undefined) return sign;
      // Most signs are decided by now. A polynomial that is 0 at the root would never be.
      if (narrowed === 16 && this.isRootOf(q)) return 0;
      this.#narrow();
    }
  }

  /** Whether q is 0 at the root: iff the greatest common divisor is. It divides the polynomial, so it has no other root nearby. */
  isRootOf(q: Polynomial): boolean {
    if (this.#fraction !== undefined) return signAtFraction(q, this.#fraction) === 0;
    const common = commonDivisor(this.#of, q);
    return signAt(common, this.#n, this.#bits) * signAt(common, this.#n + 1n, this.#bits) < 0;
  }

  /**
   * The cell of a grid of 2^bits intervals, bits ≤ 50, that holds the root, as one number: 2n if the root is n / 2^bits, 2n + 1 if
   * it lies strictly between n / 2^bits and (n + 1) / 2^bits.
   */
  cell(bits: number): number {
    const places = BigInt(bits);
    while (this.#fraction === undefined && this.#bits < places) this.#narrow();
    if (this.#fraction === undefined) return 2 * Number(this.#n >> (this.#bits - places)) + 1;
    const { numerator, denominator } = this.#fraction;
    const scaled = numerator << places;
    const n = scaled / denominator;
    return 2 * Number(n) + (n * denominator === scaled ? 0 : 1);
  }
}

/**
 * The sign that a polynomial of degree 2 or less has on all of [n, n + 1] / 2^bits; undefined if its Bernstein form has several.
 */
function signBetween(q: Polynomial, n: bigint, bits: bigint): Sign | undefined {
  const [c = 0n, b = 0n, a = 0n] = q;
  if (q.length <= 1) return signOf(c);
  // The coefficients are the polar form at (n, n), (n, n + 1) and (n + 1, n + 1), here times 2·2^(2·bits).
  const polar = (s: bigint, t: bigint): Sign =>
    signOf(2n * ((c << (2n * bits)) + a * s * t) + ((b * (s + t)) << bits));
  const first = polar(n, n);
  return first !== 0 && first === polar(n, n + 1n) && first === polar(n + 1n, n + 1n) ? first : undefined;
}

/** The roots of a polynomial in [0, 1], each once, in ascending order. The polynomial is not 0. */
export function rootsOf(p: Polynomial): Root[] {
  // Repeated roots are rare, and removing them takes longer than finding the others.
  return isolated(p, 24n) ?? isolated(squareFree(p), undefined)!;
}

/** The same; undefined if intervals of 2^-deepest are too long to separate the roots. Only a repeated root needs ever shorter ones. */
function isolated(p: Polynomial, deepest: bigint | undefined): Root[] | undefined {
  if (p.length < 2) return [];
  if (p.length === 2) {
    const [numerator, denominator] = p[1] > 0n ? [-p[0], p[1]] : [p[0], -p[1]];
    return numerator >= 0n && numerator <= denominator ? [Root.at(numerator, denominator)] : [];
  }
  const roots: Root[] = [];
  if (p[0] === 0n) roots.push(Root.at(0n, 1n));
  if (!isolate(p, bernstein(p), 0n, 0n, deepest, roots)) return undefined;
  if (signAt(p, 1n, 0n) === 0) roots.push(Root.at(1n, 1n));
  return roots;
}

/**
 * Adds the roots strictly between n / 2^bits and (n + 1) / 2^bits. `form` is the Bernstein form there, times some positive
 * number. The number of its changes of sign is that of the roots, or larger by an even number (Descartes). It is the number of
 * roots once the interval is small enough, unless a root is repeated.
 */
function isolate(
  p: Polynomial,
  form: readonly bigint[],
  n: bigint,
  bits: bigint,
  deepest: bigint | undefined,
  roots: Root[],
): boolean {
  const changes = changesOfSign(form);
  if (changes === 0) return true;
  if (changes === 1 && form[0] !== 0n && form[form.length - 1] !== 0n) {
    roots.push(Root.between(p, n, bits));
    return true;
  }
  if (bits === deepest) return false;
  const [left, right] = halves(form);
  if (!isolate(p, left, 2n * n, bits + 1n, deepest, roots)) return false;
  if (right[0] === 0n) roots.push(Root.at(2n * n + 1n, 1n << (bits + 1n)));
  return isolate(p, right, 2n * n + 1n, bits + 1n, deepest, roots);
}

/** The Bernstein form on [0, 1] times degree!: coefficient i is the sum of C(i, j) / C(degree, j) · p[j] over j ≤ i. */
function bernstein(p: Polynomial): bigint[] {
  // Begin with p[j] / C(degree, j), then take repeated sums of neighbours: they are binomial sums.
  const degree = p.length - 1;
  const form: bigint[] = [];
  let binomial = 1;
  let factorial = 1;
  for (let j = 2; j <= degree; j++) factorial *= j;
  for (let j = 0; j <= degree; j++) {
    form.push((p[j] * BigInt(factorial)) / BigInt(binomial));
    binomial = (binomial * (degree - j)) / (j + 1);
  }
  for (let step = 1; step <= degree; step++) for (let i = degree; i >= step; i--) form[i] += form[i - 1];
  return form;
}

/** De Casteljau's algorithm at the middle, both halves times 2^degree. */
function halves(form: readonly bigint[]): [bigint[], bigint[]] {
  const degree = form.length - 1;
  const row = [...form];
  const left: bigint[] = [];
  const right = new Array<bigint>(degree + 1);
  for (let step = 0; step <= degree; step++) {
    const scale = BigInt(degree - step);
    left.push(row[0] << scale);
    right[degree - step] = row[degree - step] << scale;
    for (let i = 0; i < degree - step; i++) row[i] += row[i + 1];
  }
  return [left, right];
}

function changesOfSign(form: readonly bigint[]): number {
  let changes = 0;
  let last: Sign = 0;
  for (const c of form) {
    const sign = signOf(c);
    if (sign !== 0 && last !== 0 && sign !== last) changes++;
    if (sign !== 0) last = sign;
  }
  return changes;
}

/** A polynomial with the same roots, none repeated. */
function squareFree(p: Polynomial): Polynomial {
  if (p.length <= 2) return p;
  const repeated = commonDivisor(p, derivative(p));
  return repeated.length <= 1 ? p : quotient(p, repeated);
}

const derivative = (p: Polynomial): Polynomial => p.slice(1).map((c, i) => c * BigInt(i + 1));

/** A greatest common divisor, by Euclid's algorithm with remainders times whatever keeps them integers. */
export function commonDivisor(p: Polynomial, q: Polynomial): Polynomial {
  let [a, b] = [p, q];
  while (!isZero(b)) [a, b] = [b, primitive(remainder(a, b))];
  return primitive(a);
}

/** The remainder of p by q, times some number that makes it an integer polynomial. */
function remainder(p: Polynomial, q: Polynomial): Polynomial {
  const lead = q[q.length - 1];
  let rest = p;
  while (rest.length >= q.length) {
    const top = rest[rest.length - 1];
    const from = rest.length - q.length;
    rest = trimmed(rest.map((c, i) => lead * c - (i >= from ? top * q[i - from] : 0n)));
  }
  return rest;
}

/** p / q times some number, where q divides p over the rational numbers: lead^k·p = q·out + rest holds at every step. */
function quotient(p: Polynomial, q: Polynomial): Polynomial {
  const lead = q[q.length - 1];
  const out = new Array<bigint>(p.length - q.length + 1).fill(0n);
  let rest: readonly bigint[] = p;
  for (let at = out.length - 1; at >= 0; at--) {
    const top = rest[at + q.length - 1];
    for (let i = at + 1; i < out.length; i++) out[i] *= lead;
    out[at] = top;
    rest = rest.map((c, i) => lead * c - (i >= at && i < at + q.length ? top * q[i - at] : 0n));
  }
  return primitive(out);
}

/** The polynomial divided by the greatest common divisor of its coefficients. */
function primitive(p: Polynomial): Polynomial {
  let divisor = 0n;
  for (const c of p) {
    let [a, b] = [divisor, c < 0n ? -c : c];
    while (b !== 0n) [a, b] = [b, a % b];
    divisor = a;
    if (divisor === 1n) return p;
  }
  return divisor === 0n ? p : p.map(c => c / divisor);
}
