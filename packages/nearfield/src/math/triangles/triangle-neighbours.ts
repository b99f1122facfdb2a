// Do two triangles of one mesh share more than their common corners? Decided exactly, from signs alone. Near a common
// corner, the triangles' angles decide what they share. Their intersection is convex and contains that corner, so this
// decides it everywhere.
//
// Triangles are 18 doubles, A at offsets 0, 3, 6 and B at 9, 12, 15. Corners are common if their positions are equal
// (−0 = 0).

import { orient2dAt, orient3dAt, samePosition } from '../exact/orient.ts';
import { rescaledPair } from '../exact/rescaled-pair.ts';
import { compareCorners, firstLeft, flatteningAxis, secondLeft } from './corners.ts';
import { trianglesMeet } from './triangle-triangle.ts';

/**
 * Whether the triangles share a point outside the hull of their common positions, or have the same set of positions.
 * Without a common position this is `trianglesMeet`. Degenerate triangles count as the segment or point they are. Two
 * triangles with the same set of positions, however often each occurs, are duplicates.
 */
export function neighboursMeet(p: Float64Array): boolean {
  let commonOfA = 0;
  let commonOfB = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      if (samePosition(p, 3 * i, 9 + 3 * j)) {
        commonOfA |= 1 << i;
        commonOfB |= 1 << j;
      }
    }
  }
  if (commonOfA === 0) return trianglesMeet(p);
  if (commonOfA === 7 && commonOfB === 7) return true;
  p = rescaledPair(p);

  const v = (commonOfA & 1) !== 0 ? 0 : (commonOfA & 2) !== 0 ? 3 : 6;
  let w = -1;
  for (let corner = v + 3; corner < 9; corner += 3) {
    if ((commonOfA & (1 << (corner / 3))) !== 0 && !samePosition(p, corner, v)) w = corner;
  }
  // If all positions of a triangle are common, it is their hull.
  if (commonOfA === 7 || commonOfB === 7) return false;
  if (w >= 0) return meetBeyondEdge(p, v, w, otherCorner(commonOfA, 0), otherCorner(commonOfB, 9));
  return meetBeyondCorner(
    p,
    v,
    otherCorner(commonOfA, 0),
    lastOtherCorner(commonOfA, 0),
    otherCorner(commonOfB, 9),
    lastOtherCorner(commonOfB, 9),
  );
}

/** The first corner that is not common. There is one. */
const otherCorner = (common: number, triangle: number): number =>
  triangle + ((common & 1) === 0 ? 0 : (common & 2) === 0 ? 3 : 6);

/** The last corner that is not common. It is the same as the first if the triangle has v twice. */
const lastOtherCorner = (common: number, triangle: number): number =>
  triangle + ((common & 4) === 0 ? 6 : (common & 2) === 0 ? 3 : 0);

/** For triangles v w a and v w b, with v ≠ w, and a, b neither: whether they share more than the edge. */
function meetBeyondEdge(p: Float64Array, v: number, w: number, a: number, b: number): boolean {
  // In different planes: they can only share points of the planes' common line, and there both have exactly the edge.
  if (orient3dAt(p, v, w, a, b) !== 0) return false;
  const axis = flatteningAxis(p, v, w, a);
  if (axis >= 0) {
    // In one plane they share more iff a and b are on the same side of the edge. If b is collinear with the edge, A has
    // only the edge on that line.
    const x = firstLeft(axis);
    const y = secondLeft(axis);
    return orient2dAt(p, v, w, a, x, y) === orient2dAt(p, v, w, b, x, y);
  }
  if (flatteningAxis(p, v, w, b) >= 0) return false;
  // All collinear: do both reach beyond the same end of the edge?
  const first = compareCorners(p, v, w) < 0 ? v : w;
  const last = first === v ? w : v;
  return (
    (compareCorners(p, a, first) < 0 && compareCorners(p, b, first) < 0) ||
    (compareCorners(p, a, last) > 0 && compareCorners(p, b, last) > 0)
  );
}

/**
 * For triangles v a1 a2 and v b1 b2 with no common position but v: whether they share more. a1 = a2 or b1 = b2 means
 * a segment from v.
 */
function meetBeyondCorner(
  p: Float64Array,
  v: number,
  a1: number,
  a2: number,
  b1: number,
  b2: number,
): boolean {
  const sideOfA1 = orient3dAt(p, v, b1, b2, a1);
  const sideOfA2 = orient3dAt(p, v, b1, b2, a2);
  if (sideOfA1 !== 0 && sideOfA1 === sideOfA2) return false;
  const axisB = sideOfA1 === 0 && sideOfA2 === 0 ? flatteningAxis(p, v, b1, b2) : -1;
  if (axisB >= 0) return anglesMeet(p, v, a1, a2, b1, b2, axisB);

  const sideOfB1 = orient3dAt(p, v, a1, a2, b1);
  const sideOfB2 = orient3dAt(p, v, a1, a2, b2);
  if (sideOfB1 !== 0 && sideOfB1 === sideOfB2) return false;
  const axisA = sideOfB1 === 0 && sideOfB2 === 0 ? flatteningAxis(p, v, a1, a2) : -1;
  // B is degenerate here: otherwise A would lie in B's plane, which was handled above.
  if (axisA >= 0) return anglesMeet(p, v, b1, b2, a1, a2, axisA);

  const noPlaneB = sideOfA1 === 0 && sideOfA2 === 0;
  const noPlaneA = sideOfB1 === 0 && sideOfB2 === 0;
  if (noPlaneA && noPlaneB) {
    return sameRay(p, v, a1, b1) || sameRay(p, v, a1, b2) || sameRay(p, v, a2, b1) || sameRay(p, v, a2, b2);
  }
  // One of them is a segment whose line pierces the other's plane at v.
  if (noPlaneA || noPlaneB) return false;

  // Two different planes. Each triangle has a ray from v on the common line: A towards the crossing of a1a2 with the
  // plane of B, B towards the crossing of b1b2 with that of A. Do the rays agree? For v = 0, b1 = (1,−1,0),
  // b2 = (1,1,0), a1 = (1,0,−1), a2 = (1,0,1) they do, a1 is below B (+1) and b1 above A (−1). Swapping a1 and a2
  // negates all signs of B and swaps those of A. Turning A by half a turn about z reverses its ray and negates only the
  // signs of B.
  return sideOfA1 > sideOfA2 === sideOfB1 < sideOfB2;
}

/**
 * The triangle v b1 b2 is not degenerate, and v a1 a2 lies in its plane. Is there a common ray from v? If so, the first
 * or last ray of one angle lies in the other angle.
 */
function anglesMeet(
  p: Float64Array,
  v: number,
  a1: number,
  a2: number,
  b1: number,
  b2: number,
  axis: number,
): boolean {
  const x = firstLeft(axis);
  const y = secondLeft(axis);
  const turnOfB = orient2dAt(p, v, b1, b2, x, y);
  const a1FromB1 = orient2dAt(p, v, b1, a1, x, y) * turnOfB;
  const a1FromB2 = orient2dAt(p, v, b2, a1, x, y) * turnOfB;
  // A ray lies in the angle if it is neither clockwise of the first ray nor counter-clockwise of the last. (The angle
  // is less than half a turn, so the opposite of one ray fails at the other.)
  if (a1FromB1 >= 0 && a1FromB2 <= 0) return true;
  const a2FromB1 = orient2dAt(p, v, b1, a2, x, y) * turnOfB;
  const a2FromB2 = orient2dAt(p, v, b2, a2, x, y) * turnOfB;
  if (a2FromB1 >= 0 && a2FromB2 <= 0) return true;
  const turnOfA = orient2dAt(p, v, a1, a2, x, y) * turnOfB;
  if (turnOfA === 0) return false;
  return (
    (-a1FromB1 * turnOfA >= 0 && -a2FromB1 * turnOfA <= 0) ||
    (-a1FromB2 * turnOfA >= 0 && -a2FromB2 * turnOfA <= 0)
  );
}

/** Whether a and b, neither of them v, lie in the same direction from v. */
const sameRay = (p: Float64Array, v: number, a: number, b: number): boolean =>
  flatteningAxis(p, v, a, b) < 0 && compareCorners(p, v, a) === compareCorners(p, v, b);
