// On which side of a plane, or of a line, does a point lie? The signs are exact for all finite doubles. The stages are:
//  1. a static filter in doubles (Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
//     Predicates, 1997, §4, with a term for underflow);
//  2. tests for the usual reasons why determinants vanish;
//  3. if nothing can underflow or overflow: double-doubles (orient-double-double.ts), then Shewchuk's adaptive
//     expansions (robust-predicates), unless the sign is among the last that these decided (known-signs.ts);
//  4. otherwise the same after multiplying each axis by a power of two, or, if one axis has numbers of very different
//     sizes, a sum of integers (sparse-sum.ts).
//
// The convention: orient3d(a, b, c, d) is the sign of det[a−d; b−d; c−d]. It is positive iff d lies BELOW the plane,
// where below is the side from which a, b, c appear clockwise. For a = (0,0,0), b = (1,0,0), c = (0,1,0) that is z < 0.
// orient2d(a, b, c) is positive iff a, b, c turn counter-clockwise (y up).

import { orient2d as adaptiveOrient2d, orient3d as adaptiveOrient3d } from 'robust-predicates';
import { KnownSigns, unknown } from './known-signs.ts';
import { orient3dDoubleDouble, unsure } from './orient-double-double.ts';
import { SparseSum } from './sparse-sum.ts';

export type Sign = -1 | 0 | 1;

// Error of the filters. u = 2^-53 is the relative error of one rounding. Sums and differences of doubles have no other
// error (denormal ones are exact). A product may also be off by 2^-1075.
//
// 3D: the computed determinant sums products z·(x·y) of differences. Each passes through at most 8 roundings:
// three differences, the inner product, the inner difference, the outer product, two outer sums. Without
// underflow its error is therefore at most ((1+u)^8 − 1) · P, where P sums the absolute values of the true
// products; the computed permanent is at least (1−u)^8 · P. 10u · permanent covers both, and the roundings of
// the bound itself, with u to spare. Underflow adds at most 2^-1074 for each inner difference, which is multiplied
// by its |z|, and 2^-1075 for each outer product, and takes no more from the permanent: below
// 2^-1072 · (|za| + |zb| + |zc| + 1). The filter uses 2^-1000, a normal number, because arithmetic on denormal
// ones is slow. Should anything overflow, so does the permanent (rounding is monotonic, so at every step it is
// at least the determinant's magnitude), the bound is infinite or not a number, and nothing exceeds it.
//
// 2D: four roundings each, so 6u by the same count, and 2^-1074 for underflow.
const roundingBound3d = 10 * 2 ** -53;
const roundingBound2d = 6 * 2 ** -53;
const underflowBound = 2 ** -1000;

// The range in which products of three are exact as sums of doubles. If every coordinate is zero or has a magnitude
// from 2^-250 to 2^250, it is a multiple of 2^-302. So are the differences, their roundings and their splittings
// (rounding a multiple of a power of two gives a multiple of it). All intermediate products of three are multiples of
// 2^-906, so none underflows. A nonzero error is at least that, and hence so is any valid bound on it: the error bounds
// do not underflow where they matter either. Magnitudes stay below 2^(3·251 + 10), and below 2^(2·251 + 10 + 27) in
// splitting.
const smallestForExpansions = 2 ** -250;
const largestForExpansions = 2 ** 250;

/**
 * The sign of det[a−d; b−d; c−d] for the points at the offsets a, b, c, d of p. It takes offsets instead of coordinates
 * so that calls from hot loops do not box doubles.
 */
export function orient3dAt(p: Float64Array, a: number, b: number, c: number, d: number): Sign {
  const sign = orient3dBriefly(p, a, b, c, d);
  return sign === unsure ? orient3dExact(p, a, b, c, d) : sign;
}

/** The same, or `unsure` if it takes expansions or integers to decide. */
export function orient3dBriefly(
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
): Sign | typeof unsure {
  const dx = p[d];
  const dy = p[d + 1];
  const dz = p[d + 2];
  const adx = p[a] - dx;
  const ady = p[a + 1] - dy;
  const adz = p[a + 2] - dz;
  const bdx = p[b] - dx;
  const bdy = p[b + 1] - dy;
  const bdz = p[b + 2] - dz;
  const cdx = p[c] - dx;
  const cdy = p[c + 1] - dy;
  const cdz = p[c + 2] - dz;

  const bdxcdy = bdx * cdy;
  const cdxbdy = cdx * bdy;
  const cdxady = cdx * ady;
  const adxcdy = adx * cdy;
  const adxbdy = adx * bdy;
  const bdxady = bdx * ady;

  const determinant = adz * (bdxcdy - cdxbdy) + bdz * (cdxady - adxcdy) + cdz * (adxbdy - bdxady);

  const za = Math.abs(adz);
  const zb = Math.abs(bdz);
  const zc = Math.abs(cdz);
  const permanent =
    za * (Math.abs(bdxcdy) + Math.abs(cdxbdy)) +
    zb * (Math.abs(cdxady) + Math.abs(adxcdy)) +
    zc * (Math.abs(adxbdy) + Math.abs(bdxady));
  const bound = roundingBound3d * permanent + underflowBound * (za + zb + zc + 1);

  if (determinant > bound) return 1;
  if (-determinant > bound) return -1;
  return orient3dCloser(p, a, b, c, d);
}

/**
 * Writes the signs of orient3d for the triangle at p[triangle…] and each of the three points at p[points…] to
 * signs[at…]; 0 if the filter cannot decide. The determinant is (a−d)·n with n = (b−a)×(c−a), which the three points
 * share. Again these are products of three differences that pass through 8 roundings, so the filter's bound is the
 * same.
 */
export function surelyOrient3d(
  p: Float64Array,
  triangle: number,
  points: number,
  signs: Int8Array,
  at: number,
): void {
  const ax = p[triangle];
  const ay = p[triangle + 1];
  const az = p[triangle + 2];
  const ux = p[triangle + 3] - ax;
  const uy = p[triangle + 4] - ay;
  const uz = p[triangle + 5] - az;
  const vx = p[triangle + 6] - ax;
  const vy = p[triangle + 7] - ay;
  const vz = p[triangle + 8] - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const sizeX = Math.abs(uy * vz) + Math.abs(uz * vy);
  const sizeY = Math.abs(uz * vx) + Math.abs(ux * vz);
  const sizeZ = Math.abs(ux * vy) + Math.abs(uy * vx);
  for (let k = 0; k < 3; k++) {
    const x = ax - p[points + 3 * k];
    const y = ay - p[points + 3 * k + 1];
    const z = az - p[points + 3 * k + 2];
    const determinant = x * nx + y * ny + z * nz;
    const permanent = Math.abs(x) * sizeX + Math.abs(y) * sizeY + Math.abs(z) * sizeZ;
    const bound =
      roundingBound3d * permanent + underflowBound * (Math.abs(x) + Math.abs(y) + Math.abs(z) + 1);
    signs[at + k] = determinant > bound ? 1 : -determinant > bound ? -1 : 0;
  }
}

/** The sign of det[a−d; b−d; c−d]. */
export function orient3dSign(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  dx: number,
  dy: number,
  dz: number,
): Sign {
  const p = fourPoints;
  p[0] = ax;
  p[1] = ay;
  p[2] = az;
  p[3] = bx;
  p[4] = by;
  p[5] = bz;
  p[6] = cx;
  p[7] = cy;
  p[8] = cz;
  p[9] = dx;
  p[10] = dy;
  p[11] = dz;
  return orient3dAt(p, 0, 3, 6, 9);
}

const fourPoints = new Float64Array(12);

const knownSigns = new KnownSigns();

function orient3dCloser(p: Float64Array, a: number, b: number, c: number, d: number): Sign | typeof unsure {
  // The usual reasons why determinants vanish: a plane along two axes, or along one (seen along the axis of an extruded
  // shape, the four corners of a side are two points), or a common corner.
  const dx = p[d];
  const dy = p[d + 1];
  const dz = p[d + 2];
  if (p[a] === dx && p[b] === dx && p[c] === dx) return 0;
  if (p[a + 1] === dy && p[b + 1] === dy && p[c + 1] === dy) return 0;
  if (p[a + 2] === dz && p[b + 2] === dz && p[c + 2] === dz) return 0;
  if (samePosition(p, a, d) || samePosition(p, b, d) || samePosition(p, c, d)) return 0;
  if (areTwoSeen(p, a, b, c, d, 0, 1) || areTwoSeen(p, a, b, c, d, 0, 2) || areTwoSeen(p, a, b, c, d, 1, 2))
    return 0;
  return areExpansible(p, a, b, c, d) ? orient3dDoubleDouble(p, a, b, c, d) : unsure;
}

/** For determinants that `orient3dBriefly` cannot decide. */
function orient3dExact(p: Float64Array, a: number, b: number, c: number, d: number): Sign {
  if (areExpansible(p, a, b, c, d)) {
    const known = knownSigns.find(p, a, b, c, d);
    if (known !== unknown) return known;
    return knownSigns.keep(
      signOfDouble(
        adaptiveOrient3d(
          p[a],
          p[a + 1],
          p[a + 2],
          p[b],
          p[b + 1],
          p[b + 2],
          p[c],
          p[c + 1],
          p[c + 2],
          p[d],
          p[d + 1],
          p[d + 2],
        ),
      ),
    );
  }
  const q = rescaled;
  for (let i = 0; i < 3; i++) {
    q[i] = p[a + i];
    q[3 + i] = p[b + i];
    q[6 + i] = p[c + i];
    q[9 + i] = p[d + i];
  }
  // Multiplying an axis by a power of two does not change the side of the plane.
  if (rescaleAxis(0, 12) && rescaleAxis(1, 12) && rescaleAxis(2, 12)) return orient3dAt(q, 0, 3, 6, 9);
  // In q, only the axes before the first that cannot be rescaled exactly are rescaled. Numbers of such different sizes
  // are rare.
  const sum = new SparseSum();
  for (const [sign, i, j, k] of minors) {
    sum.add(sign, q[i], q[j + 1], q[k + 2]);
    sum.add(sign, q[j], q[k + 1], q[i + 2]);
    sum.add(sign, q[k], q[i + 1], q[j + 2]);
    sum.add(sign === 1 ? -1 : 1, q[i], q[k + 1], q[j + 2]);
    sum.add(sign === 1 ? -1 : 1, q[j], q[i + 1], q[k + 2]);
    sum.add(sign === 1 ? -1 : 1, q[k], q[j + 1], q[i + 2]);
  }
  return sum.sign();
}

/** det[a−d; b−d; c−d] = det[a; b; c] − det[a; b; d] + det[a; c; d] − det[b; c; d], by offsets of the points. */
const minors = [
  [1, 0, 3, 6],
  [-1, 0, 3, 9],
  [1, 0, 6, 9],
  [-1, 3, 6, 9],
] as const;

const rescaled = new Float64Array(12);

/**
 * Multiplies the numbers at `axis`, `axis` + 3, … of `rescaled` by the power of two that brings the largest between 1
 * and 2. This is done only if all of them are then in the range of expansions, so that the products are exact. Else
 * they stay unchanged.
 */
function rescaleAxis(axis: number, end: number): boolean {
  const q = rescaled;
  let size = 0;
  for (let i = axis; i < end; i += 3) size = Math.max(size, Math.abs(q[i]));
  if (size === 0) return true;
  const [first, second] = scaleToOne(size);
  for (let i = axis; i < end; i += 3) {
    if (q[i] !== 0 && !(Math.abs(q[i] * first * second) >= smallestForExpansions)) return false;
  }
  for (let i = axis; i < end; i += 3) q[i] = q[i] * first * second;
  return true;
}

/**
 * Two factors whose product is the power of two that brings a nonzero size approximately between 1 and 2. There are two
 * because the product itself may be beyond the range of doubles.
 */
export function scaleToOne(size: number): readonly [number, number] {
  const exponent = Math.floor(Math.log2(size));
  const half = Math.trunc(exponent / 2);
  return [2 ** -half, 2 ** (half - exponent)];
}

/** Whether four points, projected to their coordinates x and y, are at most two distinct points. */
function areTwoSeen(
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
  x: number,
  y: number,
): boolean {
  const ad = p[a + x] === p[d + x] && p[a + y] === p[d + y];
  const bc = p[b + x] === p[c + x] && p[b + y] === p[c + y];
  if (ad && bc) return true;
  const bd = p[b + x] === p[d + x] && p[b + y] === p[d + y];
  if ((ad || bc) && bd) return true;
  const ac = p[a + x] === p[c + x] && p[a + y] === p[c + y];
  if (ac && (ad || bc || bd)) return true;
  const cd = p[c + x] === p[d + x] && p[c + y] === p[d + y];
  return cd && p[a + x] === p[b + x] && p[a + y] === p[b + y];
}

/** Whether the point at the offset a of p is that at b, of p too unless q is given; −0 equals 0. */
export const samePosition = (p: Float64Array, a: number, b: number, q = p): boolean =>
  p[a] === q[b] && p[a + 1] === q[b + 1] && p[a + 2] === q[b + 2];

/**
 * The turn of the points at the offsets a, b, c of p, projected to their coordinates x and y (0, 1 or 2 each): positive
 * iff counter-clockwise in a picture with x to the right and y up.
 */
export function orient2dAt(p: Float64Array, a: number, b: number, c: number, x: number, y: number): Sign {
  const cx = p[c + x];
  const cy = p[c + y];
  const acx = p[a + x] - cx;
  const acy = p[a + y] - cy;
  const bcx = p[b + x] - cx;
  const bcy = p[b + y] - cy;
  const left = acx * bcy;
  const right = acy * bcx;
  const determinant = left - right;
  const bound = roundingBound2d * (Math.abs(left) + Math.abs(right)) + underflowBound;
  if (determinant > bound) return 1;
  if (-determinant > bound) return -1;
  // Both products have a factor 0: the determinant is 0.
  if ((acx === 0 || bcy === 0) && (acy === 0 || bcx === 0)) return 0;
  return orient2dExact(p, a, b, c, x, y);
}

/** Positive iff a, b, c turn counter-clockwise. */
export function orient2dSign(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): Sign {
  const p = threePoints;
  p[0] = ax;
  p[1] = ay;
  p[2] = bx;
  p[3] = by;
  p[4] = cx;
  p[5] = cy;
  return orient2dAt(p, 0, 2, 4, 0, 1);
}

const threePoints = new Float64Array(6);

function orient2dExact(p: Float64Array, a: number, b: number, c: number, x: number, y: number): Sign {
  if (
    isExpansible(p, a + x) &&
    isExpansible(p, a + y) &&
    isExpansible(p, b + x) &&
    isExpansible(p, b + y) &&
    isExpansible(p, c + x) &&
    isExpansible(p, c + y)
  ) {
    // robust-predicates has y down, so its sign is the opposite of ours.
    return signOfDouble(-adaptiveOrient2d(p[a + x], p[a + y], p[b + x], p[b + y], p[c + x], p[c + y]));
  }
  const q = rescaled;
  q[0] = p[a + x];
  q[1] = p[a + y];
  q[3] = p[b + x];
  q[4] = p[b + y];
  q[6] = p[c + x];
  q[7] = p[c + y];
  if (rescaleAxis(0, 9) && rescaleAxis(1, 9)) return orient2dAt(q, 0, 3, 6, 0, 1);
  const sum = new SparseSum();
  sum.add(1, q[0], q[4]);
  sum.add(-1, q[0], q[7]);
  sum.add(-1, q[6], q[4]);
  sum.add(-1, q[1], q[3]);
  sum.add(1, q[1], q[6]);
  sum.add(1, q[7], q[3]);
  return sum.sign();
}

function isExpansible(p: Float64Array, at: number): boolean {
  const magnitude = Math.abs(p[at]);
  return magnitude === 0 || (magnitude >= smallestForExpansions && magnitude <= largestForExpansions);
}

const isExpansiblePoint = (p: Float64Array, at: number): boolean =>
  isExpansible(p, at) && isExpansible(p, at + 1) && isExpansible(p, at + 2);

const areExpansible = (p: Float64Array, a: number, b: number, c: number, d: number): boolean =>
  isExpansiblePoint(p, a) && isExpansiblePoint(p, b) && isExpansiblePoint(p, c) && isExpansiblePoint(p, d);

const signOfDouble = (x: number): Sign => (x > 0 ? 1 : x < 0 ? -1 : 0);
