// Do two triangles share a point, as closed sets? Exact for all finite doubles: crossing, touching, coplanar and
// degenerate triangles. Triangles that are not coplanar: Devillers and Guigue, Faster Triangle-Triangle Intersection
// Tests, INRIA RR-4488, 2002, §3. Coplanar ones: separating lines along the edges, in a projection that is one to one
// on the plane.
//
// Triangles are 18 doubles, A at offsets 0, 3, 6 and B at 9, 12, 15. Signs are those of orient.ts: a corner is below a
// triangle if the sign is positive.

import { orient2dAt, orient3dAt, type Sign } from '../exact/orient.ts';
import { rescaledPair } from '../exact/rescaled-pair.ts';
import { compareCorners, firstCorner, firstLeft, flatteningAxis, lastCorner, secondLeft } from './corners.ts';

/** The side of the plane of the triangle at p[triangle…] on which the corner at p[corner…] lies, as orient3dAt. */
export type SideOfPlane = (p: Float64Array, triangle: number, corner: number) => Sign;

const sideOfPlane: SideOfPlane = (p, triangle, corner) =>
  orient3dAt(p, triangle, triangle + 3, triangle + 6, corner);

/**
 * Whether the closed triangles share a point. Degenerate ones count as the segment or point they are. `side` may return
 * signs that are known already.
 */
export function trianglesMeet(p: Float64Array, side = sideOfPlane): boolean {
  if (boxesApart(p, 0) || boxesApart(p, 1) || boxesApart(p, 2)) return false;
  // Test for a common corner first: it is frequent in meshes that fit together, and makes signs vanish, which are
  // expensive to decide.
  if (shareCorner(p)) return true;
  p = rescaledPair(p);

  // A degenerate triangle has no plane: all its signs are 0.
  const b0 = side(p, 0, 9);
  const b1 = side(p, 0, 12);
  const b2 = side(p, 0, 15);
  if (onOneSide(b0, b1, b2)) return false;
  if (b0 === 0 && b1 === 0 && b2 === 0) return flatTrianglesMeet(p);

  const a0 = side(p, 9, 0);
  const a1 = side(p, 9, 3);
  const a2 = side(p, 9, 6);
  if (onOneSide(a0, a1, a2)) return false;
  // A is not degenerate and B does not lie in A's plane. If B has no plane, it is a segment or a point.
  if (a0 === 0 && a1 === 0 && a2 === 0) return segmentMeetsTriangle(p, 9, b0, b1, b2, 0);

  return crossAlongLine(p, a0, a1, a2, b0, b1, b2, false);
}

/**
 * Whether the triangles cross transversally: their planes differ, and they share a segment of positive length
 * whose relative interior lies in the relative interior of both.
 */
export function properCrossing(p: Float64Array): boolean {
  if (boxesApart(p, 0) || boxesApart(p, 1) || boxesApart(p, 2)) return false;
  // The planes' common line runs through the interior of a triangle iff the triangle has corners strictly on both
  // sides.
  const b0 = orient3dAt(p, 0, 3, 6, 9);
  const b1 = orient3dAt(p, 0, 3, 6, 12);
  const b2 = orient3dAt(p, 0, 3, 6, 15);
  if (!onBothSides(b0, b1, b2)) return false;
  const a0 = orient3dAt(p, 9, 12, 15, 0);
  const a1 = orient3dAt(p, 9, 12, 15, 3);
  const a2 = orient3dAt(p, 9, 12, 15, 6);
  if (!onBothSides(a0, a1, a2)) return false;
  return crossAlongLine(p, a0, a1, a2, b0, b1, b2, true);
}

/** Whether the triangles' ranges along axis k are disjoint. */
function boxesApart(p: Float64Array, k: number): boolean {
  const a0 = p[k];
  const a1 = p[k + 3];
  const a2 = p[k + 6];
  const b0 = p[k + 9];
  const b1 = p[k + 12];
  const b2 = p[k + 15];
  // Mostly the first comparisons decide, so minimum and maximum are not computed.
  if (b0 < a0 && b0 < a1 && b0 < a2) return b1 < a0 && b1 < a1 && b1 < a2 && b2 < a0 && b2 < a1 && b2 < a2;
  if (b0 > a0 && b0 > a1 && b0 > a2) return b1 > a0 && b1 > a1 && b1 > a2 && b2 > a0 && b2 > a1 && b2 > a2;
  return false;
}

/** Whether a corner of A equals a corner of B (−0 = 0). */
function shareCorner(p: Float64Array): boolean {
  for (let a = 0; a < 9; a += 3) {
    const x = p[a];
    for (let b = 9; b < 18; b += 3) {
      if (x === p[b] && p[a + 1] === p[b + 1] && p[a + 2] === p[b + 2]) return true;
    }
  }
  return false;
}

const onOneSide = (s0: Sign, s1: Sign, s2: Sign): boolean => s0 !== 0 && s0 === s1 && s1 === s2;

const onBothSides = (s0: Sign, s1: Sign, s2: Sign): boolean =>
  (s0 > 0 || s1 > 0 || s2 > 0) && (s0 < 0 || s1 < 0 || s2 < 0);

/**
 * Two triangles in different planes, each meeting the plane of the other. Each cuts the planes' common line in an
 * interval. Do the intervals share a point (strictly: more than a point)?
 *
 * Name the corners so that a0 is below B or on its plane, and a1, a2 are above or on it, not all three on it; likewise
 * B against A. Then the edges a0a1 and a0a2 end the interval of A, and b0b1 and b0b2 end that of B. To see their order,
 * take B in z = 0 with b0 = (1,0,0), b1 = (−1,2k,0), b2 = (−1,2l,0), and A in x = 0 with a0 = (0,0,−1), a1 = (0,2i,1),
 * a2 = (0,2j,1). The intervals run from i to j and from k to l on the y axis; a0 is below B if l < k, and b0 below A if
 * i < j. They meet iff i ≤ k and l ≤ j, and det[a0−b1; a1−b1; b0−b1] = 4(i − k), det[a0−b2; a2−b2; b0−b2] = 4(j − l).
 * While the corners move within this naming, neither determinant can change its sign unless these ends pass each other:
 * it vanishes only if the two edges' lines are coplanar. They are not parallel, since both cross the common line, so
 * they would have to meet there.
 */
function crossAlongLine(
  p: Float64Array,
  sa0: Sign,
  sa1: Sign,
  sa2: Sign,
  sb0: Sign,
  sb1: Sign,
  sb2: Sign,
  strictly: boolean,
): boolean {
  const loneA = loneCorner(sa0, sa1, sa2);
  const loneB = loneCorner(sb0, sb1, sb2);
  const a0 = 3 * loneA;
  let a1 = loneA === 2 ? 0 : a0 + 3;
  let a2 = loneA === 0 ? 6 : a0 - 3;
  const b0 = 9 + 3 * loneB;
  let b1 = loneB === 2 ? 9 : b0 + 3;
  let b2 = loneB === 0 ? 15 : b0 - 3;
  // Swapping two corners of a triangle flips it, which swaps above and below for the other triangle.
  if (isAbove(loneA, sa0, sa1, sa2)) {
    const swap = b1;
    b1 = b2;
    b2 = swap;
  }
  if (isAbove(loneB, sb0, sb1, sb2)) {
    const swap = a1;
    a1 = a2;
    a2 = swap;
  }
  const first = orient3dAt(p, a0, a1, b0, b1);
  if (first > 0 || (strictly && first === 0)) return false;
  const second = orient3dAt(p, a0, a2, b0, b2);
  return second > 0 || (!strictly && second === 0);
}

/**
 * The corner that has the other two on the opposite closed side of the plane, or that is on the plane with both on one
 * side.
 */
function loneCorner(s0: Sign, s1: Sign, s2: Sign): number {
  if (s0 * s1 > 0) return 2;
  if (s0 * s2 > 0) return 1;
  if (s1 * s2 > 0) return 0;
  return s0 !== 0 ? 0 : s1 !== 0 ? 1 : 2;
}

/** Whether the lone corner is above the plane, or on it with the others below. */
function isAbove(lone: number, s0: Sign, s1: Sign, s2: Sign): boolean {
  const own = lone === 0 ? s0 : lone === 1 ? s1 : s2;
  return own !== 0 ? own < 0 : s0 > 0 || s1 > 0 || s2 > 0;
}

/** For B in the plane of A, or a degenerate A: whether the triangles meet. */
function flatTrianglesMeet(p: Float64Array): boolean {
  const axisA = flatteningAxis(p, 0, 3, 6);
  if (axisA >= 0) return coplanarTriangleMeets(p, 0, 9, axisA);
  const axisB = flatteningAxis(p, 9, 12, 15);
  if (axisB >= 0) {
    const a0 = orient3dAt(p, 9, 12, 15, 0);
    const a1 = orient3dAt(p, 9, 12, 15, 3);
    const a2 = orient3dAt(p, 9, 12, 15, 6);
    return segmentMeetsTriangle(p, 0, a0, a1, a2, 9);
  }
  return segmentsMeet(
    p,
    firstCorner(p, 0, 3, 6),
    lastCorner(p, 0, 3, 6),
    firstCorner(p, 9, 12, 15),
    lastCorner(p, 9, 12, 15),
  );
}

/**
 * For a triangle t that is not degenerate and another one in its plane, which may be degenerate. Projected along the
 * axis, they are disjoint iff the line along an edge of one has the other strictly beyond it. (Their Minkowski
 * difference t − other is a convex polygon with edges parallel to theirs. The origin is outside iff it is beyond one of
 * these edges.)
 */
function coplanarTriangleMeets(p: Float64Array, t: number, other: number, axis: number): boolean {
  const x = firstLeft(axis);
  const y = secondLeft(axis);
  if (edgeSeparates(p, t, orient2dAt(p, t, t + 3, t + 6, x, y), other, x, y)) return false;
  const turn = orient2dAt(p, other, other + 3, other + 6, x, y);
  if (turn !== 0) return !edgeSeparates(p, other, turn, t, x, y);
  const first = firstCorner(p, other, other + 3, other + 6);
  const last = lastCorner(p, other, other + 3, other + 6);
  return !onOneSide(
    orient2dAt(p, first, last, t, x, y),
    orient2dAt(p, first, last, t + 3, x, y),
    orient2dAt(p, first, last, t + 6, x, y),
  );
}

/** Whether some edge of t has all corners of the other triangle strictly outside. `turn` is the orientation of t. */
function edgeSeparates(p: Float64Array, t: number, turn: Sign, other: number, x: number, y: number): boolean {
  for (let edge = 0; edge < 9; edge += 3) {
    const from = t + edge;
    const to = edge === 6 ? t : from + 3;
    if (
      orient2dAt(p, from, to, other, x, y) === -turn &&
      orient2dAt(p, from, to, other + 3, x, y) === -turn &&
      orient2dAt(p, from, to, other + 6, x, y) === -turn
    ) {
      return true;
    }
  }
  return false;
}

/**
 * For a degenerate triangle s, given the signs of its corners against the plane of t, which is not degenerate. If the
 * segment crosses the plane, the crossing point is in t iff all edges of t turn the same way around it.
 */
function segmentMeetsTriangle(p: Float64Array, s: number, s0: Sign, s1: Sign, s2: Sign, t: number): boolean {
  const first = firstCorner(p, s, s + 3, s + 6);
  const last = lastCorner(p, s, s + 3, s + 6);
  const firstSide = first === s ? s0 : first === s + 3 ? s1 : s2;
  const lastSide = last === s ? s0 : last === s + 3 ? s1 : s2;
  if (firstSide === 0 && lastSide === 0) {
    return coplanarTriangleMeets(p, t, s, flatteningAxis(p, t, t + 3, t + 6));
  }
  if (firstSide === lastSide) return false;
  return !onBothSides(
    orient3dAt(p, first, last, t, t + 3),
    orient3dAt(p, first, last, t + 3, t + 6),
    orient3dAt(p, first, last, t + 6, t),
  );
}

/** Whether two segments, or points, meet. Each has its ends in lexicographic order. */
function segmentsMeet(p: Float64Array, a0: number, a1: number, b0: number, b1: number): boolean {
  if (orient3dAt(p, a0, a1, b0, b1) !== 0) return false;
  // Four coplanar points. A projection in which they are not collinear is one to one on their plane.
  for (let axis = 0; axis < 3; axis++) {
    const x = firstLeft(axis);
    const y = secondLeft(axis);
    const sideOfB0 = orient2dAt(p, a0, a1, b0, x, y);
    const sideOfB1 = orient2dAt(p, a0, a1, b1, x, y);
    const sideOfA0 = orient2dAt(p, b0, b1, a0, x, y);
    const sideOfA1 = orient2dAt(p, b0, b1, a1, x, y);
    if (sideOfB0 !== 0 || sideOfB1 !== 0 || sideOfA0 !== 0 || sideOfA1 !== 0) {
      return sideOfB0 * sideOfB1 <= 0 && sideOfA0 * sideOfA1 <= 0;
    }
  }
  return compareCorners(p, a0, b1) <= 0 && compareCorners(p, b0, a1) <= 0;
}
