// Relations do not change when both bodies are moved or sheared, but the cost of exact arithmetic does. Corners that lie near one
// plane or one line, as those of sheared bodies do, differ in their last digits only: no filter in doubles decides anything about
// them. So if a coordinate of small bodies is nearly a sum of multiples of the others, it is replaced by its difference from that
// sum: the residual of a linear regression.
//
// This is exact. Let x and y have 53 digits, and let x − s·y be 2^j times smaller than x. Only the first j digits of s matter,
// and s·y with such a short s is a multiple of a number that is 2^j times smaller than the last place of x. So the
// residual has about 53 digits again. Each is computed without rounding, and a change that would round one is not made.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import { identity } from '../../../math/pose.ts';

/** Bodies of more triangles together are left as they are. */
const mostTriangles = 2 ** 9;

/** Bodies are changed only if the corners fill less than this part of what the three coordinates' spreads allow, squared. */
const flattest = 2 ** -20;

/** A change that does not make a coordinate this much smaller is not worth it. */
const leastGain = 2 ** 3;

/** Every change gains digits, and there are few to gain. */
const mostRounds = 12;

/** Products of magnitudes in this range, or of 0, and their errors are exact. */
const smallest = 2 ** -300;
const largest = 2 ** 300;

/** The corners of all triangles of two bodies. Few bodies are flat, so that few need an array of their own. */
const scratch = new Float64Array(9 * mostTriangles);

/** Both bodies after the same affine map, which turns no triangle round; or the bodies themselves where that is of no use. */
export function unsheared(a: Placed, b: Placed): readonly [Placed, Placed] {
  const count = a.shape.mesh.triangleCount + b.shape.mesh.triangleCount;
  if (count > mostTriangles) return [a, b];
  placeAll(a, scratch, 0);
  placeAll(b, scratch, 9 * a.shape.mesh.triangleCount);
  if (!(filledPart(momentsOf(scratch, 9 * count)) < flattest)) return [a, b];
  const corners = scratch.slice(0, 9 * count);
  for (const x of corners) {
    const size = Math.abs(x);
    if (size !== 0 && !(size >= smallest && size <= largest)) return [a, b];
  }
  let isChanged = false;
  for (let round = 0; round < mostRounds && reduceOne(corners); round++) isChanged = true;
  if (!isChanged) return [a, b];
  for (let axis = 0; axis < 3; axis++) scaleToOne(corners, axis);
  return [movedBody(a, corners, 0), movedBody(b, corners, 9 * a.shape.mesh.triangleCount)];
}

function placeAll(body: Placed, corners: Float64Array, at: number): void {
  for (let t = 0; t < body.shape.mesh.triangleCount; t++) placeCorners(body, t, corners, at + 9 * t);
}

/** The means of the three coordinates, and the sums of products of their deviations from the means. */
interface Moments {
  readonly means: readonly number[];
  readonly products: readonly (readonly number[])[];
}

/** The moments of the first `length` coordinates. */
function momentsOf(corners: Float64Array, length: number): Moments {
  let [meanX, meanY, meanZ] = [0, 0, 0];
  for (let i = 0; i < length; i += 3) {
    meanX += corners[i];
    meanY += corners[i + 1];
    meanZ += corners[i + 2];
  }
  meanX /= length / 3;
  meanY /= length / 3;
  meanZ /= length / 3;
  let [xx, xy, xz, yy, yz, zz] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < length; i += 3) {
    const x = corners[i] - meanX;
    const y = corners[i + 1] - meanY;
    const z = corners[i + 2] - meanZ;
    xx += x * x;
    xy += x * y;
    xz += x * z;
    yy += y * y;
    yz += y * z;
    zz += z * z;
  }
  return {
    means: [meanX, meanY, meanZ],
    products: [
      [xx, xy, xz],
      [xy, yy, yz],
      [xz, yz, zz],
    ],
  };
}

/** The determinant of the coordinates' correlations, about: 1 if they have nothing to do with one another, 0 if all lie in one plane. */
function filledPart({ products: [[xx, xy, xz], [, yy, yz], [, , zz]] }: Moments): number {
  const [u, v, w] = [yz / Math.sqrt(yy * zz), xz / Math.sqrt(xx * zz), xy / Math.sqrt(xx * yy)];
  return 1 + 2 * u * v * w - u * u - v * v - w * w;
}

/** Makes one coordinate smaller, the one that can be made smallest; false if none can. */
function reduceOne(corners: Float64Array): boolean {
  const { means, products } = momentsOf(corners, corners.length);
  const changes: Change[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const [y, z] = [(axis + 1) % 3, (axis + 2) % 3];
    const [xx, xy, xz] = [products[axis][axis], products[axis][y], products[axis][z]];
    const [yy, yz, zz] = [products[y][y], products[y][z], products[z][z]];
    const determinant = yy * zz - yz * yz;
    const factors: [number, number][] = [[0, 0]];
    if (yy > 0) factors.push([xy / yy, 0]);
    if (zz > 0) factors.push([0, xz / zz]);
    if (determinant > 0) factors.push([(xy * zz - xz * yz) / determinant, (xz * yy - xy * yz) / determinant]);
    const size = Math.sqrt(xx + (means[axis] ** 2 * corners.length) / 3);
    for (const [first, second] of factors) {
      const offset = means[axis] - first * means[y] - second * means[z];
      for (const constant of [0, offset]) {
        const left = residualSize(corners, axis, first, second, constant);
        // Points in one plane have nothing left: as many digits as there are.
        const gain = Math.min(size / left, 2 ** 52);
        if (gain > leastGain) changes.push({ axis, first, second, constant, gain });
      }
    }
  }
  changes.sort((one, other) => other.gain - one.gain);
  return changes.some(change => reduce(corners, change));
}

/** A coordinate less these multiples of the two others after it, and of 1. */
interface Change {
  readonly axis: number;
  readonly first: number;
  readonly second: number;
  readonly constant: number;
  readonly gain: number;
}

/** The length of what is left of a coordinate, about. */
function residualSize(
  corners: Float64Array,
  axis: number,
  first: number,
  second: number,
  constant: number,
): number {
  const [y, z] = [(axis + 1) % 3, (axis + 2) % 3];
  let sum = 0;
  for (let i = 0; i < corners.length; i += 3) {
    sum += (corners[i + axis] - first * corners[i + y] - second * corners[i + z] - constant) ** 2;
  }
  return Math.sqrt(sum);
}

/** How many digits of a gain are given up where it cannot be had exactly. */
const digitsLess = [-1, 0, 1, 2, 3, 5, 8, 12, 17, 24];

/** Makes a change with as many digits as it takes, or a few less; false if corners would have to be rounded. */
function reduce(corners: Float64Array, { axis, first, second, constant, gain }: Change): boolean {
  const [y, z] = [(axis + 1) % 3, (axis + 2) % 3];
  const [sizeY, sizeZ] = [sizeOf(corners, y), sizeOf(corners, z)];
  const size = Math.max(sizeOf(corners, axis), Math.abs(first) * sizeY, Math.abs(second) * sizeZ);
  const reduced = new Float64Array(corners.length / 3);
  for (const less of digitsLess) {
    const unit = (size / gain) * 2 ** less;
    if (!(unit < size / leastGain)) return false;
    const s = roundedTo(first, unit / sizeY);
    const t = roundedTo(second, unit / sizeZ);
    const c = roundedTo(constant, unit);
    let i = 0;
    for (; i < reduced.length; i++) {
      const x = exactDifference(corners[3 * i + axis], s, corners[3 * i + y], t, corners[3 * i + z], c);
      if (x === undefined) break;
      reduced[i] = x;
    }
    if (i < reduced.length) continue;
    for (let k = 0; k < reduced.length; k++) corners[3 * k + axis] = reduced[k];
    return true;
  }
  return false;
}

function sizeOf(corners: Float64Array, axis: number): number {
  let size = 0;
  for (let i = axis; i < corners.length; i += 3) size = Math.max(size, Math.abs(corners[i]));
  return size;
}

/** A multiple of a power of two about as large as the unit. */
function roundedTo(x: number, unit: number): number {
  if (x === 0 || !Number.isFinite(unit)) return 0;
  const power = 2 ** Math.floor(Math.log2(unit));
  return Math.round(x / power) * power;
}

const terms = new Float64Array(6);

/** x − s·y − t·z − c if that is a double in the range of exact products; else undefined. */
function exactDifference(
  x: number,
  s: number,
  y: number,
  t: number,
  z: number,
  c: number,
): number | undefined {
  terms[0] = x;
  terms[1] = -(s * y);
  terms[2] = -productError(s, y);
  terms[3] = -(t * z);
  terms[4] = -productError(t, z);
  terms[5] = -c;
  // Each pass leaves the sum as it is, and moves it towards the last term.
  for (let pass = 0; pass < 6; pass++) {
    let isOne = true;
    for (let i = 1; i < 6; i++) {
      const [a, b] = [terms[i - 1], terms[i]];
      const sum = a + b;
      const rest = sum - a;
      terms[i - 1] = a - (sum - rest) + (b - rest);
      terms[i] = sum;
      if (terms[i - 1] !== 0) isOne = false;
    }
    if (!isOne) continue;
    const size = Math.abs(terms[5]);
    return size === 0 || (size >= smallest && size <= largest) ? terms[5] : undefined;
  }
  return undefined;
}

/** x·y − fl(x·y), exactly (Dekker, A Floating-Point Technique for Extending the Available Precision, 1971). */
function productError(x: number, y: number): number {
  const product = x * y;
  const [p, q] = [(2 ** 27 + 1) * x, (2 ** 27 + 1) * y];
  const xHigh = p - (p - x);
  const yHigh = q - (q - y);
  const [xLow, yLow] = [x - xHigh, y - yHigh];
  return xLow * yLow - (product - xHigh * yHigh - xLow * yHigh - xHigh * yLow);
}

/** Multiplies a coordinate by the power of two that brings the largest near 1. */
function scaleToOne(corners: Float64Array, axis: number): void {
  const size = sizeOf(corners, axis);
  if (size === 0) return;
  const scale = 2 ** -Math.floor(Math.log2(size));
  for (let i = axis; i < corners.length; i += 3) corners[i] *= scale;
}

function movedBody({ shape: { mesh, positions: local } }: Placed, corners: Float64Array, at: number): Placed {
  // Vertices that no triangle has stay at 0.
  const positions = new Float64Array(local.length);
  for (let i = 0; i < 9 * mesh.triangleCount; i++) {
    positions[3 * mesh.indices[Math.floor(i / 3)] + (i % 3)] = corners[at + i];
  }
  return { shape: { mesh, positions, revision: 0 }, pose: identity(), poseRevision: 0 };
}
