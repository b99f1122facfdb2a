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
import type { Indices, Positions } from '../../../mesh/mesh.ts';

/** How many pairs of triangles are looked at: mostly the first one crosses. */
const mostPairs = 16;

/** The corners of two triangles: of A at 0, of B at 9. */
const corners = new Float64Array(18);

/** Whether two solids are star-shaped and cross, as some of the pairs of triangles that meet show. */
export function crossAsStars(a: Placed, b: Placed, triangles: Uint32Array): boolean {
  if (triangles.length === 0 || !isStarShaped(a) || !isStarShaped(b)) return false;
  for (let i = 0; i < triangles.length && i < 2 * mostPairs; i += 2) {
    placeCorners(a, triangles[i], corners, 0);
    placeCorners(b, triangles[i + 1], corners, 9);
    if (properCrossing(corners)) return true;
  }
  return false;
}

/** Larger meshes are not examined: to look at every triangle would take longer than it saves for a few pairs. */
const mostTriangles = 256;

/** What is known of a mesh in local coordinates, seen from the middle of its box. */
interface Star {
  readonly indices: Indices;
  /** At most six times the volume of any of the tetrahedra; 0 if the mesh is not known to be star-shaped. */
  readonly leastVolume: number;
  /** At least the distance of any vertex from the middle. */
  readonly radius: number;
  /** The largest magnitude of any coordinate, per axis. */
  readonly reach: readonly [number, number, number];
}

const starsByPositions = new WeakMap<Positions, Star>();

/** Sizes outside of these are left alone: products of three could underflow or overflow. */
const smallest = 2 ** -80;
const largest = 2 ** 80;

/**
 * Whether the rounded world positions of a solid are certainly star-shaped. The middle c is placed exactly, and a vertex v is placed
 * with an error of at most e: `applyPose` rounds every term at most 4 times. A tetrahedron's volume is det M times the local one, and
 * placing its corners, which are within r of c, with errors changes it by at most 3r²e + 3re² + e³ ≤ 7r²e. While the corners move to
 * their rounded places, no volume vanishes, so that no triangle passes c and the winding number there stays as it is.
 */
export function isStarShaped({ shape: { mesh, positions }, pose }: Placed): boolean {
  if (mesh.triangleCount > mostTriangles) return false;
  let star = starsByPositions.get(positions);
  if (star?.indices !== mesh.indices) {
    star = lookAt(positions, mesh.indices);
    starsByPositions.set(positions, star);
  }
  if (star.leastVolume === 0) return false;
  const size = sizeOf(pose);
  const error =
    2 ** -50 * (reachAlong(pose, star, 0) + reachAlong(pose, star, 1) + reachAlong(pose, star, 2));
  const radius = size * star.radius + error;
  // The determinant has six products of up to five roundings each, and they add up to at most the cube of the size.
  const scale = Math.abs(volumeOf(pose, pose, pose, 4, 8)) - 2 ** -48 * size ** 3;
  return size > smallest && radius < largest && scale * star.leastVolume > 8 * radius ** 2 * error;
}

/** Per row of a snapshot, 1 if the body is a solid and certainly star-shaped. */
export function starRows({ count, poses, shapeStates }: Snapshot): Uint8Array {
  // One array for all poses: views of a million poses take longer than copies.
  const pose = new Float64Array(16);
  return new Uint8Array(count).map((_, row) => {
    const { shape, mesh, onGpu } = shapeStates[row];
    // Whether a large mesh is a solid takes long to find.
    const maySay = onGpu === undefined && mesh.triangleCount <= mostTriangles && mesh.solid;
    return Number(maySay && isStarShaped({ shape, pose: poseOfRow(poses, row, pose), poseRevision: 0 }));
  });
}

/** The Frobenius norm of the linear part, which is at least the factor by which it makes any vector longer. */
const sizeOf = (m: Pose): number => Math.sqrt(dot(m, m) + dot(m, m, 4, 4) + dot(m, m, 8, 8)) * (1 + 2 ** -48);

const reachAlong = (m: Pose, { reach }: Star, axis: number): number =>
  Math.abs(m[axis]) * reach[0] +
  Math.abs(m[4 + axis]) * reach[1] +
  Math.abs(m[8 + axis]) * reach[2] +
  Math.abs(m[12 + axis]);

/** A corner of a triangle from the middle, and its length. */
const a = new Float64Array(4);
const b = new Float64Array(4);
const c = new Float64Array(4);

/**
 * Looks at all triangles from the middle of the box. With ε = 2^-53, a volume is off by less than 9ε times its products, which add up
 * to at most (√3·radius)³: by less than 2^-47 radius³. No volume may be less than 2^-20 radius³: then neither are the numbers whose
 * arctangent is half a solid angle, which is off by less than 2^-25, and the sum of all by less than 1. It is 2π times the winding
 * number.
 */
function lookAt(positions: Positions, indices: Indices): Star {
  const middle = [0, 0, 0];
  const reach: [number, number, number] = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (const vertex of indices) {
      const x = positions[3 * vertex + axis];
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
    middle[axis] = low + (high - low) / 2;
    reach[axis] = Math.max(-low, high);
  }
  const place = (vertex: number, out: Float64Array): void => {
    for (let axis = 0; axis < 3; axis++) out[axis] = positions[3 * vertex + axis] - middle[axis];
    out[3] = Math.sqrt(dot(out, out));
  };
  let [positive, least, radius, angle] = [0, Infinity, 0, 0];
  for (let t = 0; t < indices.length; t += 3) {
    place(indices[t], a);
    place(indices[t + 1], b);
    place(indices[t + 2], c);
    const volume = volumeOf(a, b, c);
    if (volume > 0) positive++;
    least = Math.min(least, Math.abs(volume));
    radius = Math.max(radius, a[3], b[3], c[3]);
    angle += halfSolidAngle(volume, a[3], b[3], c[3], dot(a, b), dot(b, c), dot(c, a));
  }
  radius *= 1 + 2 ** -48;
  const hasOneSign = positive === 0 || 3 * positive === indices.length;
  const isSeenWhole =
    hasOneSign && least > 2 ** -20 * radius ** 3 && Math.abs(Math.abs(angle) - 2 * Math.PI) < 1;
  const isPlain = radius > smallest && radius < largest && Math.max(...reach) < largest;
  const leastVolume = isSeenWhole && isPlain ? least - 2 ** -46 * radius ** 3 : 0;
  return { indices, leastVolume, radius, reach };
}

/** Six times the volume of a tetrahedron: the determinant of its edges p, q[j…] and r[k…]. */
const volumeOf = (p: Float64Array, q: Float64Array, r: Float64Array, j = 0, k = 0): number =>
  p[0] * (q[j + 1] * r[k + 2] - q[j + 2] * r[k + 1]) +
  p[1] * (q[j + 2] * r[k] - q[j] * r[k + 2]) +
  p[2] * (q[j] * r[k + 1] - q[j + 1] * r[k]);

const dot = (p: Float64Array, q: Float64Array, i = 0, j = 0): number =>
  p[i] * q[j] + p[i + 1] * q[j + 1] + p[i + 2] * q[j + 2];
