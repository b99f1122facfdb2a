// Does a surface surround a point, although it may be open and wind in any order? It does if more than half of a fixed set
// of directions, in opposite pairs, cross it an odd number of times. The crossings of a ray are counted in doubles: a ray
// through an edge may be counted wrongly, but decides nothing alone. Points on the surface, or nearly, count as outside.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { boxAround, placeCorners } from '../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../bvh/cpu/walk/finder.ts';

const pairs = 32;
/** Around a closed surface all directions agree, but for rounding. */
const pairsIfClosed = 3;
/** A point nearer to the surface than this share of the body's size is on it. */
const onSurface = 2 ** -30;
/** Half of the directions: points of a spiral from the pole to the equator, along no axis. */
const directions = Array.from({ length: pairs }, (_, i): readonly [number, number, number] => {
  const z = (i + 0.5) / pairs;
  const angle = 2.399963229728653 * i + 0.3;
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z];
});

const corners = new Float64Array(9);

/** Whether a body's surface surrounds a world point. */
export function isSurrounded(finder: TriangleFinder, body: Placed, p: ArrayLike<number>): boolean {
  const box = boxAround(body);
  for (let k = 0; k < 3; k++) if (!(p[k] > box[k] && p[k] < box[k + 3])) return false;
  const slack = onSurface * Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  if (isNearSurface(finder, body, p, slack)) return false;
  const count = body.shape.mesh.closed ? pairsIfClosed : pairs;
  let odd = 0;
  for (let i = 0; i < count; i++) {
    // Directions next to each other in the list are far apart, but not near the end of it: 13 and 32 have no factor in common.
    odd += parityOnLine(finder, body, p, directions[(13 * i) % pairs]);
    // Too few rays are left for more than half.
    if (odd + 2 * (count - 1 - i) <= count) return false;
    if (odd > count) return true;
  }
  return false;
}

function isNearSurface(finder: TriangleFinder, body: Placed, p: ArrayLike<number>, slack: number): boolean {
  const around = [p[0] - slack, p[1] - slack, p[2] - slack, p[0] + slack, p[1] + slack, p[2] + slack];
  for (const t of finder.trianglesInBox(body, around)) {
    placeCorners(body, t, corners, 0);
    const n = crossed(corners);
    const height = n[0] * (p[0] - corners[0]) + n[1] * (p[1] - corners[1]) + n[2] * (p[2] - corners[2]);
    if (Math.abs(height) <= slack * Math.hypot(n[0], n[1], n[2])) return true;
  }
  return false;
}

function crossed(t: Float64Array): readonly [number, number, number] {
  const [ux, uy, uz] = [t[3] - t[0], t[4] - t[1], t[5] - t[2]];
  const [vx, vy, vz] = [t[6] - t[0], t[7] - t[1], t[8] - t[2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** How many of the two rays from a point along a direction cross the surface an odd number of times. */
function parityOnLine(
  finder: TriangleFinder,
  body: Placed,
  p: ArrayLike<number>,
  direction: readonly [number, number, number],
): number {
  let [ahead, behind] = [0, 0];
  const [x, y, z] = direction;
  for (const towards of [direction, [-x, -y, -z]]) {
    for (const t of finder.trianglesOnRay(body, p, towards, 0)) {
      const along = crossingOf(body, t, p, towards);
      if (!(along > 0)) continue;
      if (towards === direction) ahead++;
      else behind++;
    }
  }
  return (ahead % 2) + (behind % 2);
}

/** How far along a ray a triangle is crossed; 0 or NaN if it is not. */
function crossingOf(body: Placed, t: number, p: ArrayLike<number>, [x, y, z]: readonly number[]): number {
  placeCorners(body, t, corners, 0);
  const at = (k: number): readonly [number, number, number] => [
    corners[k] - p[0],
    corners[k + 1] - p[1],
    corners[k + 2] - p[2],
  ];
  const [a, b, c] = [at(0), at(3), at(6)];
  // Volumes of the direction with each side: of one sign if the line passes between them.
  const u = volume(b, c, x, y, z);
  const v = volume(c, a, x, y, z);
  const w = volume(a, b, x, y, z);
  const passes = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
  const sum = u + v + w;
  if (!passes || sum === 0) return 0;
  return (
    (u * (a[0] * x + a[1] * y + a[2] * z) +
      v * (b[0] * x + b[1] * y + b[2] * z) +
      w * (c[0] * x + c[1] * y + c[2] * z)) /
    sum
  );
}

function volume(
  p: readonly [number, number, number],
  q: readonly [number, number, number],
  x: number,
  y: number,
  z: number,
): number {
  return x * (p[1] * q[2] - p[2] * q[1]) + y * (p[2] * q[0] - p[0] * q[2]) + z * (p[0] * q[1] - p[1] * q[0]);
}
