// On which side of a line is a point? Exactly, for any finite doubles: a filter first, then whole numbers.

/** Products below this may have lost digits to underflow. */
export const leastProduct = 1e-290;
/** Shewchuk 1997, "Adaptive precision floating-point arithmetic", the bound A of orient2d: (3 + 16ε)ε, ε = 2^-53. */
export const orientBound = (3 + 16 * 2 ** -53) * 2 ** -53;

/** The sign of the area of the triangle abc, exactly: 1 where it turns from x to y, for any finite numbers. */
export function orient(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const difference = left - right;
  const size = Math.abs(left) + Math.abs(right);
  if (Math.abs(difference) > orientBound * size && size > leastProduct && size < Infinity) {
    return difference > 0 ? 1 : -1;
  }
  // A difference of two doubles is 0 only where they are equal, so these products are exactly 0.
  if ((ax === cx || by === cy) && (ay === cy || bx === cx)) return 0;
  const [p, q, r, s, t, u] = exactly([ax, ay, bx, by, cx, cy]);
  const exact = (p - t) * (s - u) - (q - u) * (r - t);
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

/** Doubles as whole numbers of the smallest unit that any of them has. */
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
