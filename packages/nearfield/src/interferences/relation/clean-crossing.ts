// The quick way to see that two surfaces cross: two triangles that do, with nothing else in the way.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import { orient3dAt } from '../../math/exact/orient.ts';
import { cross, dot, fromTo, type Homogeneous, pointAt } from '../../math/exact/rational.ts';
import { properCrossing } from '../../math/triangles/triangle-triangle.ts';

/** The triangle of A at 0, that of B at 9, a third at 18. */
const p = new Float64Array(27);

/** How many crossing pairs are examined before everything is. */
const attempts = 64;

/**
 * Whether two of the triangles cross and no third one, of either surface, has more than a point of their common
 * segment: near its other points there are only these two, and each has points on both sides of the other.
 * False does not mean that the surfaces do not cross.
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

/** Whatever holds a point of the common segment meets the triangle of the other surface there. */
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

/** Whether the triangle at 18 may share more than a point with the segment in which those at 0 and 9 cross. */
function mayHoldSegment(): boolean {
  const [againstA, againstB] = [signsAgainst(0), signsAgainst(9)];
  if (meetsInPoint(againstA) || meetsInPoint(againstB)) return false;
  // Where only a side of it lies in one plane, that side must lie in the other plane too.
  for (const [own, against] of [
    [againstA, againstB],
    [againstB, againstA],
  ]) {
    const sideOnly = own.filter(sign => sign === 0).length === 2;
    if (sideOnly && own.some((sign, i) => sign === 0 && against[i] !== 0)) return false;
  }
  // It crosses both planes: then all three must have a line in common.
  return dot(normalAt(0), cross(normalAt(9), normalAt(18))) === 0n;
}

/** Signs of the corners of the triangle at 18 against the plane of another. */
const signsAgainst = (at: number): number[] => [
  orient3dAt(p, at, at + 3, at + 6, 18),
  orient3dAt(p, at, at + 3, at + 6, 21),
  orient3dAt(p, at, at + 3, at + 6, 24),
];

/** A triangle with these signs of its corners against a plane has at most one point in it. */
function meetsInPoint(signs: readonly number[]): boolean {
  const [above, below] = [signs.includes(1), signs.includes(-1)];
  return !(above && below) && signs.filter(sign => sign === 0).length < 2;
}

function normalAt(at: number): Homogeneous {
  const corner = pointAt(p, at);
  return cross(fromTo(corner, pointAt(p, at + 3)), fromTo(corner, pointAt(p, at + 6)));
}
