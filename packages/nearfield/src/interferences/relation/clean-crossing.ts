// A quick test that two surfaces cross: it looks for two triangles that cross with no third triangle involved.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import { orient3dAt } from '../../math/exact/orient.ts';
import { cross, dot, fromTo, type Homogeneous, pointAt } from '../../math/exact/rational.ts';
import { properCrossing } from '../../math/triangles/triangle-triangle.ts';

/** Scratch memory: the triangle of A at 0, that of B at 9, a third at 18. */
const p = new Float64Array(27);

/** How many crossing pairs are tried before the full test. */
const attempts = 64;

/**
 * Whether two of the triangles cross and no third triangle, of either surface, contains more than a point of their
 * common segment. Near the segment's other points there are then only these two, and each has points on both sides of
 * the other. False does not mean that the surfaces do not cross.
 */
export function crossCleanly(a: Placed, b: Placed, triangles: Uint32Array): boolean {
  let attempt = 0;
  for (let i = 0; i < triangles.length && attempt < attempts; i += 2) {
    placeCorners(a, triangles[i], p, 0);
    placeCorners(b, triangles[i + 1], p, 9);
    if (!properCrossing(p)) continue;
    attempt++;
    if (isClean(a, b, triangles, triangles[i], triangles[i + 1])) return true;
  }
  return false;
}

/**
 * Tests only triangles in `triangles`: one that contains a point of the common segment meets the other surface's
 * triangle there.
 */
function isClean(a: Placed, b: Placed, triangles: Uint32Array, t: number, u: number): boolean {
  for (let i = 0; i < triangles.length; i += 2) {
    const [other, partner] = [triangles[i], triangles[i + 1]];
    if ((other === t) === (partner === u)) continue;
    if (other === t) placeCorners(b, partner, p, 18);
    else placeCorners(a, other, p, 18);
    if (mayHoldSegment()) return false;
  }
  return true;
}

/** Whether the triangle at 18 may share more than a point with the segment in which the triangles at 0 and 9 cross. */
function mayHoldSegment(): boolean {
  const [againstA, againstB] = [signsAgainst(0), signsAgainst(9)];
  if (meetsInPoint(againstA) || meetsInPoint(againstB)) return false;
  // If only a side of it lies in one of the planes, that side must lie in the other plane too.
  for (const [own, against] of [
    [againstA, againstB],
    [againstB, againstA],
  ]) {
    const sideOnly = own.filter(sign => sign === 0).length === 2;
    if (sideOnly && own.some((sign, i) => sign === 0 && against[i] !== 0)) return false;
  }
  // It crosses both planes. Then all three planes must share a line.
  return dot(normalAt(0), cross(normalAt(9), normalAt(18))) === 0n;
}

/** Signs of the corners of the triangle at 18 against the plane of another. */
const signsAgainst = (at: number): number[] => [
  orient3dAt(p, at, at + 3, at + 6, 18),
  orient3dAt(p, at, at + 3, at + 6, 21),
  orient3dAt(p, at, at + 3, at + 6, 24),
];

/** Whether a triangle whose corners have these signs against a plane has at most one point in that plane. */
function meetsInPoint(signs: readonly number[]): boolean {
  const [above, below] = [signs.includes(1), signs.includes(-1)];
  return !(above && below) && signs.filter(sign => sign === 0).length < 2;
}

function normalAt(at: number): Homogeneous {
  const corner = pointAt(p, at);
  return cross(fromTo(corner, pointAt(p, at + 3)), fromTo(corner, pointAt(p, at + 6)));
}
