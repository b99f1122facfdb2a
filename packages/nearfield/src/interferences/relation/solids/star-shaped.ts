// Do two triangles that cross show that two solids cross? They do if both solids are star-shaped: every triangle of each is seen
// from a point inside it, all from the same side, and none hides another. Small convex parts, such as boxes, are star-shaped, and
// large answers have millions of pairs of them.
//
// Let c be a point for which all triangles have tetrahedra (c, triangle) of one sign, none flat, and let the winding number at c be
// 1 or −1. Along a line from c outward each triangle then changes the winding number by the same step towards 0, and far away it is
// 0. So almost every line crosses exactly one triangle, before which the winding number is that of c and after which it is 0. Near
// a point in the relative interior of a triangle there is no other triangle of the solid, or the lines through both would cross two.
// That triangle has the solid on one side and nothing on the other. If triangles of two such solids cross transversally, the two
// cut a small ball into four cells: in both, in either one alone, and in neither. The relation is then `crossing`.

import type { Placed, Snapshot } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import { type Pose, poseOfRow } from '../../../math/pose.ts';
import { halfSolidAngle } from '../../../math/solid-angle.ts';
import { properCrossing } from '../../../math/triangles/triangle-triangle.ts';
import { cross, dot, plus, type Vector, at as vectorAt } from '../../../math/vector.ts';
import { boundsOf } from '../../../mesh/facts.ts';
import type { Indices, Positions } from '../../../mesh/mesh.ts';
import type { EmbeddedTest } from './embedded-later.ts';

/** How many pairs of triangles are looked at: mostly the first one crosses. */
const mostPairs = 16;

/** The corners of two triangles: of A at 0, of B at 9. */
const corners = new Float64Array(18);

/** Whether two solids are star-shaped and cross, as some of the pairs of triangles that meet show. */
export function crossAsStars(a: Placed, b: Placed, triangles: Uint32Array): boolean {
  if (!isStarShaped(a) || !isStarShaped(b)) return false;
  for (let i = 0; i < triangles.length && i < 2 * mostPairs; i += 2) {
    placeCorners(a, triangles[i], corners, 0);
    placeCorners(b, triangles[i + 1], corners, 9);
    if (properCrossing(corners)) return true;
  }
  return false;
}

/** Larger meshes are not examined: to look at every triangle would take longer than it saves for a few pairs. */
const mostTriangles = 1024;

/** What is known of a mesh in local coordinates, seen from a point inside it. */
interface Star {
  readonly indices: Indices;
  /** At most six times the volume of any of the tetrahedra; 0 if the mesh is not known to be star-shaped. */
  readonly leastVolume: number;
  /** At least the distance of any vertex from that point. */
  readonly radius: number;
  /** The largest magnitude of any coordinate. */
  readonly reach: number;
}

const starsByPositions = new WeakMap<Positions, Star>();

/** Other sizes are left alone: products of three could underflow or overflow. */
export const isOrdinary = (size: number): boolean => size > 2 ** -80 && size < 2 ** 80;

/**
 * Whether the rounded world positions of a solid are certainly star-shaped. The point c goes exactly where the pose takes it, and a
 * vertex v is placed with an error of at most e: `applyPose` rounds every term at most 4 times. A tetrahedron's volume is det M
 * times the local one, and placing its corners, which are within r of c, with errors changes it by at most 3r²e + 3re² + e³ ≤ 7r²e.
 * While the corners move to their rounded places, no volume vanishes, so that no triangle passes c and the winding number there
 * stays as it is.
 */
export function isStarShaped({ shape: { mesh, positions }, pose }: Placed): boolean {
  if (mesh.triangleCount > mostTriangles) return false;
  let star = starsByPositions.get(positions);
  if (star?.indices !== mesh.indices) {
    star = lookAt(positions, mesh.indices);
    starsByPositions.set(positions, star);
  }
  const [size, error, scale] = placingBy(pose, star.reach);
  return scale * star.leastVolume > 8 * (size * star.radius + error) ** 2 * error;
}

/**
 * What a pose does to vertices whose coordinates are up to `reach`. `size` is at least the factor by which the linear part makes any
 * vector longer, `error` at least the distance of a placed vertex from where the pose takes it exactly, `scale` at most the
 * magnitude of the determinant: 0 if products of such a size could underflow or overflow.
 */
export function placingBy(pose: Pose, reach: number): [size: number, error: number, scale: number] {
  const [x, y, z, shift] = [vectorAt(pose, 0), vectorAt(pose, 4), vectorAt(pose, 8), vectorAt(pose, 12)];
  // The Frobenius norm of the linear part is at least that factor.
  const size = Math.sqrt(dot(x, x) + dot(y, y) + dot(z, z)) * (1 + 2 ** -48);
  // The nine magnitudes of the linear part add up to at most three times the size, those of the shift to less than twice its length.
  const error = 2 ** -49 * (2 * size * reach + Math.sqrt(dot(shift, shift)));
  // The determinant has six products of up to five roundings each, and they add up to at most the cube of the size.
  return [size, error, isOrdinary(size) ? Math.abs(volumeOf(x, y, z)) - 2 ** -48 * size ** 3 : 0];
}

/**
 * Per row of a snapshot, 1 if the body is a solid that certainly is star-shaped or embedded (embedded.ts). The latter is tested if
 * `isEmbedded` is given. Either way, the solid is on one side of each of its triangles.
 */
export function oneSidedRows({ count, poses, shapeStates }: Snapshot, isEmbedded?: EmbeddedTest): Uint8Array {
  // One array for all poses: views of a million poses take longer than copies.
  const pose = new Float64Array(16);
  return new Uint8Array(count).map((_, row) => {
    const { shape, mesh, onGpu } = shapeStates[row];
    // Whether a large mesh is a solid takes long to find.
    if (onGpu || mesh.triangleCount > mostTriangles || !mesh.solid) return 0;
    const body = { shape, pose: poseOfRow(poses, row, pose), poseRevision: 0 };
    return Number(isStarShaped(body) || isEmbedded?.(body));
  });
}

/** The most moves of the point that is to see all triangles. If there is such a point, one or two moves mostly find it. */
const mostMoves = 6;

/**
 * Looks at all triangles from the middle of the box. If some show their other side, moves to the inside of the one that does so most,
 * and looks again (relaxation: Motzkin and Schoenberg, The relaxation method for linear inequalities, 1954). Where that leads is a
 * guess, but what is concluded there holds for any point.
 *
 * With ε = 2^-53, a volume is off by less than 9ε times its products, which add up to at most (√3·radius)³: by less than
 * 2^-47 radius³. No volume may be less than 2^-20 radius³: then neither are the numbers whose arctangent is half a solid angle,
 * which is off by less than 2^-25, and the sum of all by less than 1. It is 2π times the winding number.
 */
function lookAt(positions: Positions, indices: Indices): Star {
  const box = boundsOf(positions, indices);
  const reach = Math.max(...box.map(Math.abs));
  const low = vectorAt(box, 0);
  let centre = plus(low, plus(vectorAt(box, 3), low, -1), 1 / 2);
  const cornersOf = (t: number) =>
    [t, t + 1, t + 2].map(i => plus(vectorAt(positions, 3 * indices[i]), centre, -1));
  for (let moves = 0; ; moves++) {
    let [least, lowest, most, highest, sum, radius, angle] = [Infinity, 0, -Infinity, 0, 0, 0, 0];
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = cornersOf(t);
      const [sizeA, sizeB, sizeC] = [a, b, c].map(v => Math.sqrt(dot(v, v)));
      const volume = volumeOf(a, b, c);
      if (volume < least) [least, lowest] = [volume, t];
      if (volume > most) [most, highest] = [volume, t];
      sum += volume;
      radius = Math.max(radius, sizeA, sizeB, sizeC);
      angle += halfSolidAngle(volume, sizeA, sizeB, sizeC, dot(a, b), dot(b, c), dot(c, a));
    }
    radius *= 1 + 2 ** -48;
    const sign = sum > 0 ? 1 : -1;
    const worst = sum > 0 ? least : -most;
    const isSeen = worst > 2 ** -20 * radius ** 3;
    if (isSeen || moves === mostMoves) {
      // If something overflows, not all are seen. The terms of the angle have one sign.
      const isStar = isSeen && isOrdinary(radius) && Math.abs(angle) < 3 * Math.PI;
      return { indices, leastVolume: isStar ? worst - 2 ** -46 * radius ** 3 : 0, radius, reach };
    }
    const [a, b, c] = cornersOf(sum > 0 ? lowest : highest);
    const normal = cross(plus(b, a, -1), plus(c, a, -1));
    const square = dot(normal, normal);
    // To the side where its volume has the sign, at a part of the radius from its plane.
    const factor = worst / square - radius / 64 / Math.sqrt(square);
    centre = plus(centre, normal, sign * factor);
  }
}

/** Six times the volume of a tetrahedron whose corner is the origin. */
const volumeOf = (a: Vector, b: Vector, c: Vector): number => dot(a, cross(b, c));
