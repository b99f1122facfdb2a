// The inverse of a pose's linear part, by which points in units are found in a tree (tree-place.wgsl).

/** The inverse of a matrix given by rows, whose largest entry is near 1. */
export function inverseOf(m: Float64Array): Float64Array {
  const cofactors = [
    m[4] * m[8] - m[5] * m[7],
    m[2] * m[7] - m[1] * m[8],
    m[1] * m[5] - m[2] * m[4],
    m[5] * m[6] - m[3] * m[8],
    m[0] * m[8] - m[2] * m[6],
    m[2] * m[3] - m[0] * m[5],
    m[3] * m[7] - m[4] * m[6],
    m[1] * m[6] - m[0] * m[7],
    m[0] * m[4] - m[1] * m[3],
  ];
  const determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6];
  return Float64Array.from(cofactors, value => value / determinant);
}

/**
 * Whether G, computed as the inverse of M, is as accurate as tree-place.wgsl assumes. With R = M·G − I the true inverse
 * is G·(I + R)^-1, so G is off by at most |G|·|R|·(1 + 2^-20) if |R|'s rows sum to at most 2^-22. R is computed in
 * doubles, off by at most 2^-50·|M|·|G|, which is added. A point's place is G·relative; it is off by at most, in any
 * row, Σ_k (|G|·|R|)_ik·|relative_k| ≤ 2^-26·Σ_k max_i |G_ik|·|relative_k| ≤ 3·2^-26·max_row(|G|·|relative|), less than
 * one of the eight roundings of 2^-23. The norm of the true inverse is at most (1 + 2^-21) times that of G, which
 * `mostShrink` allows for. Poses that flatten a body more than about 10^7 times are left to the CPU.
 */
export function holdsAsInverse(m: Float64Array, g: Float64Array): boolean {
  const r = new Float64Array(9);
  for (let i = 0; i < 9; i++) {
    const row = i - (i % 3);
    let product = i % 4 === 0 ? -1 : 0;
    let size = 0;
    for (let k = 0; k < 3; k++) {
      const term = m[row + k] * g[3 * k + (i % 3)];
      product += term;
      size += Math.abs(term);
    }
    r[i] = Math.abs(product) + 2 ** -50 * (size + 1);
  }
  for (let row = 0; row < 9; row += 3) if (!(r[row] + r[row + 1] + r[row + 2] <= 2 ** -22)) return false;
  for (let column = 0; column < 3; column++) {
    let [off, largest] = [0, 0];
    for (let row = 0; row < 9; row += 3) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += Math.abs(g[row + k]) * r[3 * k + column];
      off = Math.max(off, sum);
      largest = Math.max(largest, Math.abs(g[row + column]));
    }
    if (!(off <= 2 ** -26 * largest)) return false;
  }
  return true;
}

/**
 * An upper bound of the factor by which a matrix lengthens a vector: with G = MᵀM, the root of G's largest eigenvalue.
 * The largest row sum of |G⁸| bounds its eighth power, to within a factor of 3^(1/8). For rotations, whose G is the
 * identity, the first bound is already exact.
 */
export function normOf(m: Float64Array): number {
  // G is symmetric, so these are its entries on and above the diagonal.
  let xx = m[0] * m[0] + m[3] * m[3] + m[6] * m[6];
  let xy = m[0] * m[1] + m[3] * m[4] + m[6] * m[7];
  let xz = m[0] * m[2] + m[3] * m[5] + m[6] * m[8];
  let yy = m[1] * m[1] + m[4] * m[4] + m[7] * m[7];
  let yz = m[1] * m[2] + m[4] * m[5] + m[7] * m[8];
  let zz = m[2] * m[2] + m[5] * m[5] + m[8] * m[8];
  let size = 1;
  for (let power = 1; power < 8; power *= 2) {
    // The largest entry of a matrix AᵀA is on its diagonal.
    const largest = Math.max(xx, yy, zz);
    const [a, b, c, d, e, f] = [
      xx / largest,
      xy / largest,
      xz / largest,
      yy / largest,
      yz / largest,
      zz / largest,
    ];
    xx = a * a + b * b + c * c;
    xy = a * b + b * d + c * e;
    xz = a * c + b * e + c * f;
    yy = b * b + d * d + e * e;
    yz = b * c + d * e + e * f;
    zz = c * c + e * e + f * f;
    size *= largest ** (1 / power);
  }
  const [ab, ac, bc] = [Math.abs(xy), Math.abs(xz), Math.abs(yz)];
  const rows = Math.max(xx + ab + ac, ab + yy + bc, ac + bc + zz);
  return Math.sqrt(size * rows ** (1 / 8)) * (1 + 2 ** -30);
}
