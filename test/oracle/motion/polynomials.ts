// Where does a polynomial first change sign? Decided in whole numbers: a Sturm sequence counts the roots in an
// interval, bisection separates them, and signs on both sides of a root distinguish a crossing from a touch.
// Coefficients and ends are doubles, taken as exact. Slow and certain, as a reference for root finders; it shares
// nothing with the library.

/** A number m·2^−bits. */
interface Dyadic {
  readonly m: bigint;
  readonly bits: number;
}

/** Lowest power first, the last one not 0. */
type Polynomial = readonly bigint[];

export interface ExactRoot {
  /** The double nearest to the root, up to the last bit. */
  readonly time: number;
  /** The sign of the polynomial after it. */
  readonly sign: -1 | 1;
}

/**
 * The smallest root in (from, to) at which the polynomial (coefficients lowest power first) is negative on one side
 * and positive on the other. A right `guess` makes it faster; a wrong one changes nothing.
 */
export function exactFirstCrossing(
  coefficients: ArrayLike<number>,
  from: number,
  to: number,
  guess?: number,
): ExactRoot | undefined {
  const p = wholePolynomial(coefficients);
  if (p.length < 2 || !(from < to)) return undefined;
  const chain = sturmChain(quotient(p, greatestCommonDivisor(p, derivative(p))));
  const count = (a: Dyadic, b: Dyadic) => variations(chain, a) - variations(chain, b);
  const end = dyadic(to);
  let low = dyadic(from);
  let hint = guess;
  while (count(low, end) > 0) {
    let [a, b] = [low, end];
    if (hint !== undefined && Number.isFinite(hint)) {
      const [left, right] = [
        dyadic(hint - Math.abs(hint) * 2 ** -40),
        dyadic(hint + Math.abs(hint) * 2 ** -40),
      ];
      const inside = less(low, left) && less(left, right) && less(right, end);
      if (inside && count(low, left) === 0 && count(left, right) >= 1) [a, b] = [left, right];
    }
    hint = undefined;
    // One root in (a, b], the first; a is not a root.
    while (count(a, b) > 1 || signAt(p, a) === 0) {
      const middle = between(a, b);
      if (count(a, middle) > 0) b = middle;
      else a = middle;
    }
    const before = signAt(p, a);
    let behind = b;
    if (signAt(p, b) === 0) {
      // The root is b itself.
      if (equal(b, end)) return undefined;
      for (let step = between(a, b); ; step = between(b, behind)) {
        behind = equal(b, behind) ? plus(b, minus(b, step)) : step;
        if (count(b, behind) === 0 && signAt(p, behind) !== 0) break;
      }
    }
    const after = signAt(p, behind);
    if (before !== after) return { time: refined(p, a, b, before), sign: after as -1 | 1 };
    low = b;
  }
  return undefined;
}

/** The number of distinct roots in (from, to]. */
export function exactRootCount(coefficients: ArrayLike<number>, from: number, to: number): number {
  const p = wholePolynomial(coefficients);
  if (p.length < 2) return 0;
  const chain = sturmChain(quotient(p, greatestCommonDivisor(p, derivative(p))));
  return variations(chain, dyadic(from)) - variations(chain, dyadic(to));
}

/** The sign of a polynomial at a double. */
export const exactSign = (coefficients: ArrayLike<number>, at: number): -1 | 0 | 1 =>
  signAt(wholePolynomial(coefficients), dyadic(at));

/** Narrows (a, b] to a width of 2^−60 of its ends, by signs: before the root the sign is `before`. */
function refined(p: Polynomial, a: Dyadic, b: Dyadic, before: number): number {
  let [low, high] = [a, b];
  for (let round = 0; round < 4000; round++) {
    const width = minus(high, low);
    const larger =
      absolute(low).m === 0n || less(absolute(low), absolute(high)) ? absolute(high) : absolute(low);
    if (!less({ m: larger.m, bits: larger.bits + 60 }, width)) break;
    const middle = between(low, high);
    if (signAt(p, middle) === before) low = middle;
    else high = middle;
  }
  return toNumber(high);
}

/** Times a power of two that makes all coefficients whole; leading zeros dropped. */
function wholePolynomial(coefficients: ArrayLike<number>): bigint[] {
  const all = Array.from(coefficients, dyadic);
  const bits = Math.max(...all.map(value => value.bits));
  return trimmed(all.map(value => value.m << BigInt(bits - value.bits)));
}

function trimmed(p: bigint[]): bigint[] {
  while (p.length > 0 && p[p.length - 1] === 0n) p.pop();
  return p;
}

const derivative = (p: Polynomial): bigint[] => trimmed(p.slice(1).map((c, i) => c * BigInt(i + 1)));

/** Divided by the positive greatest common divisor of its coefficients, so signs stay. */
function primitive(p: bigint[]): bigint[] {
  let divisor = 0n;
  for (const c of p) {
    let [a, b] = [divisor, c < 0n ? -c : c];
    while (b !== 0n) [a, b] = [b, a % b];
    divisor = a;
    if (divisor === 1n) return p;
  }
  return divisor === 0n ? p : p.map(c => c / divisor);
}

/** The remainder of p by q, times a positive number. */
function remainder(p: Polynomial, q: Polynomial): bigint[] {
  let rest = [...p];
  const lead = q[q.length - 1];
  const size = lead < 0n ? -lead : lead;
  while (rest.length >= q.length) {
    const shift = rest.length - q.length;
    // rest·|lead| − q·(top·sign(lead)): the highest power goes.
    const top = lead < 0n ? -rest[rest.length - 1] : rest[rest.length - 1];
    rest = rest.map((c, i) => c * size - (i >= shift ? q[i - shift] * top : 0n));
    rest = trimmed(rest);
  }
  return primitive(rest);
}

function greatestCommonDivisor(p: Polynomial, q: Polynomial): bigint[] {
  let [a, b] = [primitive([...p]), primitive([...q])];
  while (b.length > 0) [a, b] = [b, remainder(a, b)];
  return a;
}

/** p / q if the division is exact, times a positive number. */
function quotient(p: Polynomial, q: Polynomial): bigint[] {
  if (q.length === 1) return primitive([...p]);
  const result = new Array<bigint>(p.length - q.length + 1).fill(0n);
  let rest = [...p];
  const lead = q[q.length - 1];
  const size = lead < 0n ? -lead : lead;
  for (let shift = p.length - q.length; shift >= 0; shift--) {
    const top = lead < 0n ? -(rest[shift + q.length - 1] ?? 0n) : (rest[shift + q.length - 1] ?? 0n);
    rest = rest.map((c, i) => c * size - (i >= shift && i < shift + q.length ? q[i - shift] * top : 0n));
    for (let i = 0; i < result.length; i++) result[i] *= size;
    result[shift] = top;
  }
  if (rest.some(c => c !== 0n)) throw new Error('the division leaves a rest');
  return primitive(trimmed(result));
}

function sturmChain(p: Polynomial): Polynomial[] {
  const chain: Polynomial[] = [p, derivative(p)];
  while (chain[chain.length - 1].length > 1) {
    const rest = remainder(chain[chain.length - 2], chain[chain.length - 1]);
    if (rest.length === 0) break;
    chain.push(rest.map(c => -c));
  }
  return chain.filter(q => q.length > 0);
}

function variations(chain: readonly Polynomial[], at: Dyadic): number {
  let [changes, last] = [0, 0];
  for (const p of chain) {
    const sign = signAt(p, at);
    if (sign === 0) continue;
    if (last !== 0 && sign !== last) changes++;
    last = sign;
  }
  return changes;
}

/** Σ cᵢ mⁱ 2^(bits·(n − i)) has the sign of Σ cᵢ (m·2^−bits)ⁱ. */
function signAt(p: Polynomial, { m, bits }: Dyadic): -1 | 0 | 1 {
  let sum = 0n;
  for (let i = p.length - 1, shift = 0; i >= 0; i--, shift += bits) sum = sum * m + (p[i] << BigInt(shift));
  return sum > 0n ? 1 : sum < 0n ? -1 : 0;
}

function dyadic(value: number): Dyadic {
  let bits = 0;
  let whole = value;
  for (; !Number.isInteger(whole); whole *= 2) bits++;
  return { m: BigInt(whole), bits };
}

const aligned = (a: Dyadic, b: Dyadic): readonly [bigint, bigint, number] => {
  const bits = Math.max(a.bits, b.bits);
  return [a.m << BigInt(bits - a.bits), b.m << BigInt(bits - b.bits), bits];
};
const absolute = ({ m, bits }: Dyadic): Dyadic => ({ m: m < 0n ? -m : m, bits });
const less = (a: Dyadic, b: Dyadic): boolean => {
  const [p, q] = aligned(a, b);
  return p < q;
};
const equal = (a: Dyadic, b: Dyadic): boolean => !less(a, b) && !less(b, a);
const minus = (a: Dyadic, b: Dyadic): Dyadic => {
  const [p, q, bits] = aligned(a, b);
  return { m: p - q, bits };
};
const plus = (a: Dyadic, b: Dyadic): Dyadic => {
  const [p, q, bits] = aligned(a, b);
  return { m: p + q, bits };
};
const between = (a: Dyadic, b: Dyadic): Dyadic => {
  const [p, q, bits] = aligned(a, b);
  return { m: p + q, bits: bits + 1 };
};

/** Sixty-four leading bits, then scaled. */
function toNumber({ m, bits }: Dyadic): number {
  const length = absolute({ m, bits }).m.toString(2).length;
  const drop = Math.max(0, length - 64);
  let [value, exponent] = [Number(m >> BigInt(drop)), drop - bits];
  // In steps: 2^−1100 alone is 0.
  for (; exponent < -900; exponent += 900) value *= 2 ** -900;
  return value * 2 ** exponent;
}
