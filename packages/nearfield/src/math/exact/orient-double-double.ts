// The second stage of orient3d: the determinant in about 106 bits, by Dekker's and Knuth's exact products and sums
// (Dekker, A Floating-Point Technique for Extending the Available Precision, 1971). It decides nearly all nonzero
// determinants that are as small as the rounding of world positions. It also decides zero determinants of coordinates
// with few digits. It costs a fraction of full expansions.
//
// Error. u = 2^-53. A difference of coordinates is h + t exactly, |t| ≤ u|h|. P is the product of two heads, Q the sum
// of both P of a minor, R the sum of |z|·Q over the three minors, z a head. All errors are in units of u², and terms
// smaller by another factor u are left out:
//  - a minor is the exact difference of the two rounded products (one head, one error se ≤ uQ), plus its low
//    part: se + ((e1 − e2) + ((xh·yt + xt·yh) − (…))), where e1 − e2 ≤ uQ, each product with a tail ≤ uP. Roundings:
//    e1 − e2: Q; the four products: 2Q; their pair sums: 2Q; the difference of these: 2Q; with e: 3Q; with se:
//    4Q. The products of two tails, left out: Q. Together 15Q, and the low part is at most 4uQ.
//  - times z: the low part is qe + (zh·low + zt·head). Roundings: 4|z|Q, |z|Q, their sum 5|z|Q, with qe 6|z|Q; left
//    out: zt·low, 4|z|Q; from the minor 15|z|Q. Together 35|z|Q; the low part is at most 6u|z|Q.
//  - the sum: heads are added exactly into one head and two errors, each at most uR. Adding the errors: 2R, the
//    low parts: 6R + 6R, all: 8R. Together 22R.
// In all 57u²R; the last addition, head + low, cannot change the sign. The computed permanent is at least (1 − 8u)·R.
// So 64u² times the permanent is more than that error and all terms in u³.
//
// No product may underflow or overflow: the caller checks the range of coordinates.

import type { Sign } from './orient.ts';

/** The result of `orient3dDoubleDouble` if 106 bits are not enough. */
export const unsure = 2;

const roundingBound = 64 * 2 ** -106;
const splitter = 2 ** 27 + 1;
const errors = new Float64Array(5);

/** The sign of det[a−d; b−d; c−d] for the points at the offsets a, b, c, d of p, or `unsure`. */
export function orient3dDoubleDouble(
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
): Sign | typeof unsure {
  const dx = p[d];
  const dy = p[d + 1];
  const dz = p[d + 2];

  // Differences, their errors (Knuth), and their halves of 26 bits (Dekker).
  let x = p[a];
  const ax = x - dx;
  let v = x - ax;
  const axt = x - (ax + v) + (v - dx);
  x = p[b];
  const bx = x - dx;
  v = x - bx;
  const bxt = x - (bx + v) + (v - dx);
  x = p[c];
  const cx = x - dx;
  v = x - cx;
  const cxt = x - (cx + v) + (v - dx);
  x = p[a + 1];
  const ay = x - dy;
  v = x - ay;
  const ayt = x - (ay + v) + (v - dy);
  x = p[b + 1];
  const by = x - dy;
  v = x - by;
  const byt = x - (by + v) + (v - dy);
  x = p[c + 1];
  const cy = x - dy;
  v = x - cy;
  const cyt = x - (cy + v) + (v - dy);
  x = p[a + 2];
  const az = x - dz;
  v = x - az;
  const azt = x - (az + v) + (v - dz);
  x = p[b + 2];
  const bz = x - dz;
  v = x - bz;
  const bzt = x - (bz + v) + (v - dz);
  x = p[c + 2];
  const cz = x - dz;
  v = x - cz;
  const czt = x - (cz + v) + (v - dz);

  v = splitter * ax;
  const ax1 = v - (v - ax);
  const ax0 = ax - ax1;
  v = splitter * bx;
  const bx1 = v - (v - bx);
  const bx0 = bx - bx1;
  v = splitter * cx;
  const cx1 = v - (v - cx);
  const cx0 = cx - cx1;
  v = splitter * ay;
  const ay1 = v - (v - ay);
  const ay0 = ay - ay1;
  v = splitter * by;
  const by1 = v - (v - by);
  const by0 = by - by1;
  v = splitter * cy;
  const cy1 = v - (v - cy);
  const cy0 = cy - cy1;

  // The six products and their errors.
  const bxcy = bx * cy;
  const bxcyE = bx0 * cy0 - (bxcy - bx1 * cy1 - bx0 * cy1 - bx1 * cy0);
  const cxby = cx * by;
  const cxbyE = cx0 * by0 - (cxby - cx1 * by1 - cx0 * by1 - cx1 * by0);
  const cxay = cx * ay;
  const cxayE = cx0 * ay0 - (cxay - cx1 * ay1 - cx0 * ay1 - cx1 * ay0);
  const axcy = ax * cy;
  const axcyE = ax0 * cy0 - (axcy - ax1 * cy1 - ax0 * cy1 - ax1 * cy0);
  const axby = ax * by;
  const axbyE = ax0 * by0 - (axby - ax1 * by1 - ax0 * by1 - ax1 * by0);
  const bxay = bx * ay;
  const bxayE = bx0 * ay0 - (bxay - bx1 * ay1 - bx0 * ay1 - bx1 * ay0);

  // The minors bc, ca, ab, times az, bz, cz.
  const bc = bxcy - cxby;
  v = bxcy - bc;
  const bcLow =
    bxcy - (bc + v) + (v - cxby) + (bxcyE - cxbyE + (bx * cyt + bxt * cy - (cx * byt + cxt * by)));
  const ca = cxay - axcy;
  v = cxay - ca;
  const caLow =
    cxay - (ca + v) + (v - axcy) + (cxayE - axcyE + (cx * ayt + cxt * ay - (ax * cyt + axt * cy)));
  const ab = axby - bxay;
  v = axby - ab;
  const abLow =
    axby - (ab + v) + (v - bxay) + (axbyE - bxayE + (ax * byt + axt * by - (bx * ayt + bxt * ay)));

  v = splitter * az;
  let z1 = v - (v - az);
  let z0 = az - z1;
  v = splitter * bc;
  let m1 = v - (v - bc);
  let m0 = bc - m1;
  const first = az * bc;
  const firstE = z0 * m0 - (first - z1 * m1 - z0 * m1 - z1 * m0);
  v = splitter * bz;
  z1 = v - (v - bz);
  z0 = bz - z1;
  v = splitter * ca;
  m1 = v - (v - ca);
  m0 = ca - m1;
  const second = bz * ca;
  const secondE = z0 * m0 - (second - z1 * m1 - z0 * m1 - z1 * m0);
  v = splitter * cz;
  z1 = v - (v - cz);
  z0 = cz - z1;
  v = splitter * ab;
  m1 = v - (v - ab);
  m0 = ab - m1;
  const third = cz * ab;
  const thirdE = z0 * m0 - (third - z1 * m1 - z0 * m1 - z1 * m0);

  // The sum.
  const two = first + second;
  v = two - first;
  const twoE = first - (two - v) + (second - v);
  const three = two + third;
  v = three - two;
  const threeE = two - (three - v) + (third - v);
  const lows =
    firstE +
    (az * bcLow + azt * bc) +
    (secondE + (bz * caLow + bzt * ca)) +
    (thirdE + (cz * abLow + czt * ab));
  const determinant = three + (twoE + threeE + lows);

  const permanent =
    Math.abs(az) * (Math.abs(bxcy) + Math.abs(cxby)) +
    Math.abs(bz) * (Math.abs(cxay) + Math.abs(axcy)) +
    Math.abs(cz) * (Math.abs(axby) + Math.abs(bxay));
  const bound = roundingBound * permanent;
  if (determinant > bound) return 1;
  if (-determinant > bound) return -1;

  // Few digits: if nothing was rounded up to the products with z, and their errors add up without another rounding,
  // then the determinant is exact and may be zero.
  if (
    axt === 0 &&
    bxt === 0 &&
    cxt === 0 &&
    ayt === 0 &&
    byt === 0 &&
    cyt === 0 &&
    azt === 0 &&
    bzt === 0 &&
    czt === 0 &&
    bxcyE === 0 &&
    cxbyE === 0 &&
    cxayE === 0 &&
    axcyE === 0 &&
    axbyE === 0 &&
    bxayE === 0 &&
    bcLow === 0 &&
    caLow === 0 &&
    abLow === 0
  ) {
    errors[0] = twoE;
    errors[1] = threeE;
    errors[2] = firstE;
    errors[3] = secondE;
    errors[4] = thirdE;
    let sum = 0;
    for (let i = 0; i < 5; i++) {
      const next = sum + errors[i];
      v = next - sum;
      if (sum - (next - v) + (errors[i] - v) !== 0) return unsure;
      sum = next;
    }
    sum += three;
    return sum > 0 ? 1 : sum < 0 ? -1 : 0;
  }
  return unsure;
}
