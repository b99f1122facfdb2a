// Scaling both bodies along the axes does not change their relation, but it changes the cost of exact arithmetic. Near
// the ends of the range of doubles, products underflow or overflow, so that no filter decides anything. And numbers of
// very different sizes have thousands of digits over a common denominator. So bodies whose size is far from 1 are first
// multiplied, per axis, by the power of two that brings the largest coordinate near 1. That is exact.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { boxAround, placeCorners, worldBox } from '../../../bodies/snapshot/world.ts';
import type { Box } from '../../../math/box.ts';
import { scaleToOne } from '../../../math/exact/orient.ts';
import { identity } from '../../../math/pose.ts';
import { unsheared } from './unsheared.ts';

/** Bodies whose sizes are between these along all axes are not copied. Most bodies are. */
const smallest = 2 ** -40;
const largest = 2 ** 40;

/** Both bodies in a frame in which exact arithmetic is cheap; the same relation. */
export function framed(a: Placed, b: Placed): readonly [Placed, Placed] {
  const [first, second] = rescaled(a, b);
  return unsheared(first, second);
}

/**
 * Both bodies as world positions, multiplied by the same power of two along each axis. If that is not needed, the
 * bodies themselves.
 */
export function rescaled(a: Placed, b: Placed): readonly [Placed, Placed] {
  if (isPlainlyNearOne(a, b)) return [a, b];
  const boxA = worldBox(a);
  const boxB = worldBox(b);
  if (isNearOne(boxA, boxB, 0) && isNearOne(boxA, boxB, 1) && isNearOne(boxA, boxB, 2)) return [a, b];
  const scales = [0, 1, 2].map(axis => {
    const size = largestOf(boxA, boxB, axis);
    if (size === 0 || !Number.isFinite(size)) return [1, 1];
    const scale = scaleToOne(size);
    return isExact(a, axis, scale) && isExact(b, axis, scale) ? scale : [1, 1];
  });
  return [scaledBody(a, scales), scaledBody(b, scales)];
}

/**
 * Whether the largest coordinates along all axes are certainly between the limits, without the boxes of all vertices,
 * which would be most of the work for small bodies. Boxes that may be too large bound the coordinates from above. For a
 * bound from below, one triangle is enough.
 */
function isPlainlyNearOne(a: Placed, b: Placed): boolean {
  const [boxA, boxB] = [boxAround(a), boxAround(b)];
  placeCorners(a, 0, corners, 0);
  for (let axis = 0; axis < 3; axis++) {
    // Comparisons are false for NaN.
    const isSeen = corners.some((x, i) => i % 3 === axis && Math.abs(x) >= smallest);
    if (!(isSeen && largestOf(boxA, boxB, axis) <= largest)) return false;
  }
  return true;
}

/** The largest magnitude of a coordinate along an axis. */
const largestOf = (a: Box, b: Box, axis: number): number =>
  Math.max(Math.abs(a[axis]), Math.abs(a[axis + 3]), Math.abs(b[axis]), Math.abs(b[axis + 3]));

function isNearOne(a: Box, b: Box, axis: number): boolean {
  const size = largestOf(a, b, axis);
  return size === 0 || (size >= smallest && size <= largest);
}

const corners = new Float64Array(9);

/** Whether no coordinate loses digits. Only coordinates that become denormal can lose any. */
function isExact(body: Placed, axis: number, [first, second]: readonly number[]): boolean {
  for (let t = 0; t < body.shape.mesh.triangleCount; t++) {
    placeCorners(body, t, corners, 0);
    for (let i = axis; i < 9; i += 3) {
      const scaled = corners[i] * first * second;
      if (Math.abs(scaled) < 2 ** -1022 && scaled / second / first !== corners[i]) return false;
    }
  }
  return true;
}

function scaledBody(body: Placed, scales: readonly (readonly number[])[]): Placed {
  const { mesh, positions: local } = body.shape;
  const { indices, triangleCount } = mesh;
  // Vertices that no triangle uses stay at 0.
  const positions = new Float64Array(local.length);
  for (let t = 0; t < triangleCount; t++) {
    placeCorners(body, t, corners, 0);
    for (let i = 0; i < 9; i++) {
      const [first, second] = scales[i % 3];
      positions[3 * indices[3 * t + Math.floor(i / 3)] + (i % 3)] = corners[i] * first * second;
    }
  }
  return { shape: { mesh, positions, revision: 0 }, pose: identity(), poseRevision: 0 };
}
