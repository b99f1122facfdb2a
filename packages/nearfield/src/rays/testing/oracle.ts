// The hits of rays by another way: a triangle is the set of points between its corners, so the ray is clipped by the four
// or more half-spaces that bound it, in exact fractions, one triangle after another. No determinant of the tested code is
// used: points are expressed on three axes of the triangle's own, by Cramer's rule.

/** A fraction of whole numbers; the denominator is positive. */
type Rational = readonly [bigint, bigint];

function rational(x: number): Rational {
  let denominator = 1n;
  let value = x;
  while (!Number.isInteger(value)) {
    value *= 2;
    denominator *= 2n;
  }
  return [BigInt(value), denominator];
}

const normal = ([n, d]: Rational): Rational => (d < 0n ? [-n, -d] : [n, d]);
const add = (a: Rational, b: Rational): Rational => [a[0] * b[1] + b[0] * a[1], a[1] * b[1]];
const negative = (a: Rational): Rational => [-a[0], a[1]];
const subtract = (a: Rational, b: Rational): Rational => add(a, negative(b));
const compare = (a: Rational, b: Rational): number => {
  const difference = a[0] * b[1] - b[0] * a[1];
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
};
const zero: Rational = [0n, 1n];
const one: Rational = [1n, 1n];

function toNumber([n, d]: Rational): number {
  // 80 bits of quotient are enough for a double.
  const digits = (x: bigint) => (x < 0n ? -x : x).toString(2).length;
  const shift = 80 - digits(n) + digits(d);
  const quotient = shift >= 0 ? (n << BigInt(shift)) / d : n / (d << BigInt(-shift));
  // In two steps, since 2^-shift alone may overflow.
  return Number(quotient) * 2 ** Math.trunc(-shift / 2) * 2 ** (-shift - Math.trunc(-shift / 2));
}

export interface OracleHit {
  readonly ray: number;
  readonly triangle: number;
  readonly time: number;
  readonly second: number;
  readonly third: number;
  readonly isByHalf: boolean;
}

/** Every hit of every ray, in order of ray, time and triangle. */
export function oracleHits(positions: Float64Array, indices: Uint32Array, rays: Float64Array): OracleHit[] {
  // As whole numbers of one unit: fractions then stay short.
  const exact: Rational[] = Array.from(positions, rational);
  const lines: Rational[] = Array.from(rays, rational);
  const unit = [...exact, ...lines].reduce((most, [, d]) => (d > most ? d : most), 1n);
  for (const list of [exact, lines]) for (const [i, [n, d]] of list.entries()) list[i] = [(n * unit) / d, 1n];
  const hits: (OracleHit & { readonly exactTime: Rational })[] = [];
  for (let ray = 0; ray < rays.length / 6; ray++) {
    for (let t = 0; t < indices.length / 3; t++) {
      const corners = [0, 1, 2].map(k => exact.slice(3 * indices[3 * t + k], 3 * indices[3 * t + k] + 3));
      const hit = meet(lines.slice(6 * ray, 6 * ray + 3), lines.slice(6 * ray + 3, 6 * ray + 6), corners);
      if (hit === undefined) continue;
      const [time, second, third] = hit;
      hits.push({
        ray,
        triangle: t,
        time: toNumber(time),
        second: toNumber(second),
        third: toNumber(third),
        isByHalf: compare(time, [1n, 2n]) <= 0,
        exactTime: time,
      });
    }
  }
  return hits.sort((a, b) => a.ray - b.ray || compare(a.exactTime, b.exactTime) || a.triangle - b.triangle);
}

/**
 * The smallest t ≥ 0 with o + t·d = a + β(b − a) + γ(c − a), β, γ ≥ 0, β + γ ≤ 1: a linear programme in three unknowns.
 * The least t lies at a vertex of the feasible set, or is 0. So t is tried as fixed to 0, and β, γ or 1 − β − γ as fixed
 * to 0, singly and in pairs, and every solution of the equations that is unique and feasible is a candidate.
 */
function meet(
  o: readonly Rational[],
  d: readonly Rational[],
  [a, b, c]: readonly (readonly Rational[])[],
): readonly [Rational, Rational, Rational] | undefined {
  // Columns t, β, γ and the right side of: β·u + γ·v − t·d = o − a.
  const rows = [0, 1, 2].map(k => [
    negative(d[k]),
    subtract(b[k], a[k]),
    subtract(c[k], a[k]),
    subtract(o[k], a[k]),
  ]);
  const limits: readonly (readonly Rational[])[] = [
    [one, zero, zero, zero],
    [zero, one, zero, zero],
    [zero, zero, one, zero],
    [zero, one, one, one],
  ];
  let best: readonly Rational[] | undefined;
  for (let chosen = 0; chosen < 16; chosen++) {
    const solution = solve([...rows, ...limits.filter((_, i) => (chosen >> i) & 1)]);
    if (solution === undefined) continue;
    const [t, beta, gamma] = solution;
    const isFeasible =
      compare(t, zero) >= 0 &&
      compare(beta, zero) >= 0 &&
      compare(gamma, zero) >= 0 &&
      compare(add(beta, gamma), one) <= 0;
    if (isFeasible && (best === undefined || compare(t, best[0]) < 0)) best = solution;
  }
  return best as readonly [Rational, Rational, Rational] | undefined;
}

/** The solution of equations in three unknowns, if there is exactly one: by Cramer's rule with three that are independent. */
function solve(equations: readonly (readonly Rational[])[]): readonly Rational[] | undefined {
  const rows = equations.map(row => row.map(([n]) => n));
  for (const three of threes(rows.length)) {
    const [p, q, r] = three.map(i => rows[i]);
    const divisor = determinant(p, q, r, 0, 1, 2);
    if (divisor === 0n) continue;
    const numerators = [
      determinant(p, q, r, 3, 1, 2),
      determinant(p, q, r, 0, 3, 2),
      determinant(p, q, r, 0, 1, 3),
    ];
    const holds = rows.every(
      ([x, y, z, w]) => x * numerators[0] + y * numerators[1] + z * numerators[2] === w * divisor,
    );
    return holds ? numerators.map(n => normal([n, divisor])) : undefined;
  }
  return undefined;
}

function* threes(count: number): Generator<readonly [number, number, number]> {
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++) for (let k = j + 1; k < count; k++) yield [i, j, k];
}

const determinant = (p: bigint[], q: bigint[], r: bigint[], i: number, j: number, k: number): bigint =>
  p[i] * (q[j] * r[k] - q[k] * r[j]) -
  p[j] * (q[i] * r[k] - q[k] * r[i]) +
  p[k] * (q[i] * r[j] - q[j] * r[i]);
