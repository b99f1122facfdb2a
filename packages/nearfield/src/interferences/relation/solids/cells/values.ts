// Determinants at the three corners of a facet, as doubles with error bounds: how far the corners are from a plane, or
// from a line seen along an axis. The bounds are those of orient.ts.

import { tail, twoProduct, twoSum } from '../../../../math/exact/double-double.ts';
import { areFine, type Near } from './flat-view.ts';

const rounding3d = 10 * 2 ** -53;
const rounding2d = 6 * 2 ** -53;
const underflow = 2 ** -1000;

/**
 * The values of the plane of the triangle at q[at…] at the facet's corners p[0…], p[3…], p[6…]: (corner − a)·n with the
 * normal n = (b − a)×(c − a), positive above the triangle.
 */
export function planeValues(q: Float64Array, at: number, p: Float64Array): Near {
  const ax = q[at];
  const ay = q[at + 1];
  const az = q[at + 2];
  const ux = q[at + 3] - ax;
  const uy = q[at + 4] - ay;
  const uz = q[at + 5] - az;
  const vx = q[at + 6] - ax;
  const vy = q[at + 7] - ay;
  const vz = q[at + 8] - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const sizeX = Math.abs(uy * vz) + Math.abs(uz * vy);
  const sizeY = Math.abs(uz * vx) + Math.abs(ux * vz);
  const sizeZ = Math.abs(ux * vy) + Math.abs(uy * vx);
  const near: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const x = p[3 * k] - ax;
    const y = p[3 * k + 1] - ay;
    const z = p[3 * k + 2] - az;
    near[k] = x * nx + y * ny + z * nz;
    const permanent = Math.abs(x) * sizeX + Math.abs(y) * sizeY + Math.abs(z) * sizeZ;
    near[3 + k] = rounding3d * permanent + underflow * (Math.abs(x) + Math.abs(y) + Math.abs(z) + 1);
  }
  return near;
}

/**
 * Writes the values of the line from q[i…] to q[j…] at the facet's corners, two numbers each, to out[to…], and their errors
 * after them. Seen along an axis, they are positive to the left of the line. If all points lie near one line, they are
 * computed in double-doubles.
 */
export function turnValues(
  q: Float64Array,
  i: number,
  j: number,
  u: number,
  v: number,
  flat: Float64Array,
  out: Float64Array,
  to: number,
): void {
  const x = q[i + u];
  const y = q[i + v];
  const dx = q[j + u] - x;
  const dy = q[j + v] - y;
  for (let k = 0; k < 3; k++) {
    const left = dx * (flat[2 * k + 1] - y);
    const right = dy * (flat[2 * k] - x);
    out[to + k] = left - right;
    out[to + 3 + k] = rounding2d * (Math.abs(left) + Math.abs(right)) + underflow;
  }
  if (!areFine(out, to)) closerTurnValues(x, y, q[j + u], q[j + v], flat, out, to);
}

/**
 * The same in double-doubles. A difference is h + t exactly, |t| ≤ u|h| with u = 2^-53. P is the sum of both products of
 * heads. The heads' products have errors, which are exact, of at most uP together. The four products of a head and a tail
 * are at most 2uP together. Their roundings, those of five sums of such numbers and the products of two tails left out are
 * each at most 4u²P: below 40u²P in all. The last addition rounds by u of the value.
 */
function closerTurnValues(
  x: number,
  y: number,
  toX: number,
  toY: number,
  flat: Float64Array,
  out: Float64Array,
  to: number,
): void {
  const dx = twoSum(toX, -x);
  const dxLow = tail;
  const dy = twoSum(toY, -y);
  const dyLow = tail;
  for (let k = 0; k < 3; k++) {
    const cx = twoSum(flat[2 * k], -x);
    const cxLow = tail;
    const cy = twoSum(flat[2 * k + 1], -y);
    const cyLow = tail;
    const left = twoProduct(dx, cy);
    const leftLow = tail + (dx * cyLow + dxLow * cy);
    const right = twoProduct(dy, cx);
    const rightLow = tail + (dy * cxLow + dyLow * cx);
    const high = twoSum(left, -right);
    const value = high + (tail + (leftLow - rightLow));
    out[to + k] = value;
    out[to + 3 + k] =
      64 * 2 ** -106 * (Math.abs(left) + Math.abs(right)) + 2 ** -52 * Math.abs(value) + underflow;
  }
}
