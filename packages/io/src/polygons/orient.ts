// On which side of a line is a point? Exact for any finite doubles: first a floating-point filter, then products with
// their tails, then whole numbers.

/** Products below this may have lost digits to underflow. */
export const leastProduct = 1e-290;
/** Shewchuk 1997, "Adaptive precision floating-point arithmetic", the bound A of orient2d: (3 + 16ε)ε, ε = 2^-53. */
export const orientBound = (3 + 16 * 2 ** -53) * 2 ** -53;

/** The exact sign of the area of the triangle abc, for any finite numbers: 1 if it turns from x to y. */
export function orient(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const difference = left - right;
  const size = Math.abs(left) + Math.abs(right);
  if (Math.abs(difference) > orientBound * size && size > leastProduct && size < Infinity) {
    return difference > 0 ? 1 : -1;
  }
  // A difference of two doubles is 0 only if they are equal, so these products are exactly 0.
  if ((ax === cx || by === cy) && (ay === cy || bx === cx)) return 0;
  if (
    size > leastSplit &&
    size < mostSplit &&
    isExact(ax, cx) &&
    isExact(by, cy) &&
    isExact(ay, cy) &&
    isExact(bx, cx)
  ) {
    const sign = signOfDifference(ax - cx, by - cy, ay - cy, bx - cx);
    if (sign !== undefined) return sign;
  }
  const [p, q, r, s, t, u] = exactly([ax, ay, bx, by, cx, cy]);
  const exact = (p - t) * (s - u) - (q - u) * (r - t);
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

/** For products between these sizes, no part below overflows or underflows. */
const [leastSplit, mostSplit] = [1e-200, 1e250];

/**
 * Whether a - b is a double. The tail of a rounded difference is a double (Shewchuk 1997, theorem 7), so it is 0 only
 * if nothing was lost.
 */
function isExact(a: number, b: number): boolean {
  const difference = a - b;
  const bPart = a - difference;
  const aPart = difference + bPart;
  return a - aPart + (bPart - b) === 0;
}

/**
 * The sign of p·q - r·s if both products are within a few roundings of each other; undefined if more digits are
 * needed. Grids of whole numbers end up here; exact integers would take fifty times as long for them.
 */
function signOfDifference(p: number, q: number, r: number, s: number): number | undefined {
  const left = p * q;
  const right = r * s;
  // Exact, as each is at most twice the other (Sterbenz's lemma); otherwise undecided.
  if (!(Math.abs(left) <= 2 * Math.abs(right) && Math.abs(right) <= 2 * Math.abs(left))) return undefined;
  if (left > 0 !== right > 0) return undefined;
  const heads = left - right;
  const leftTail = productTail(p, q, left);
  const rightTail = productTail(r, s, right);
  // Rounding is monotone: if the heads exceed the rounded difference of the tails, they exceed the exact one.
  const tails = rightTail - leftTail;
  // A factor near the largest double overflows when it is split.
  if (Number.isNaN(tails)) return undefined;
  if (heads !== tails) return heads > tails ? 1 : -1;
  return isExact(rightTail, leftTail) ? 0 : undefined;
}

/** a·b - product, exactly (Dekker 1971; Veltkamp's splitting into halves of 26 bits). */
function productTail(a: number, b: number, product: number): number {
  const aScaled = (2 ** 27 + 1) * a;
  const aHigh = aScaled - (aScaled - a);
  const aLow = a - aHigh;
  const bScaled = (2 ** 27 + 1) * b;
  const bHigh = bScaled - (bScaled - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** Doubles as whole multiples of the smallest unit of any of them. */
export function exactly(values: readonly number[]): bigint[] {
  const view = new DataView(new ArrayBuffer(8));
  const parts = values.map(value => {
    view.setFloat64(0, value);
    const bits = view.getBigUint64(0);
    const biased = Number((bits >> 52n) & 0x7ffn);
    const fraction = bits & 0xfffffffffffffn;
    const digits = biased === 0 ? fraction : fraction | 0x10000000000000n;
    return { digits: value < 0 ? -digits : digits, exponent: Math.max(biased, 1) };
  });
  const least = parts.reduce(
    (low, { digits, exponent }) => (digits === 0n ? low : Math.min(low, exponent)),
    2047,
  );
  return parts.map(({ digits, exponent }) => (digits === 0n ? 0n : digits << BigInt(exponent - least)));
}
