// Is a solid convex, or how far from it? This sums over all its edges and faces, a part at a time: large shapes have
// many, and a question may have no time for all of them.

import type { Shape } from '../../bodies/snapshot/snapshot.ts';
import { halfSolidAngle } from '../../math/solid-angle.ts';
import type { Mesh, Positions } from '../../mesh/mesh.ts';

/** Edges, or faces, per step. */
const sidesAtOnce = 8192;

/**
 * The sum of the angles by which edges are concave, rounded up; Infinity if an edge does not have two triangles.
 *
 * Why the sum says how far a solid is from convex, if all faces look away from a centre c that they wind around once:
 * any plane through c cuts the surface in one closed curve around c, a polygon that turns at edges. Where faces differ
 * by an angle δ, it turns by at most δ·R/r, r ≤ |x − c| ≤ R: the plane holds c and a point of the face, which is at
 * least r from c, and so meets the face at an angle whose sine is r/R or more. Let all turns to the wrong side sum to
 * Δ, and walk from a side of the polygon, either way. Up to half a turn the direction differs from the side's by an
 * angle between −Δ and π + 2Δ. So no point falls behind the side's line by more than 2Δ times the polygon's length,
 * which is at most 2πR, as if every turn were to the right side. Every face and every vertex lie in some plane through
 * c.
 */
export function* concavity({ mesh, positions }: Shape): Generator<undefined, number> {
  if (!mesh.edges.everyPaired) return Infinity;
  const bends: Bends = { outward: 0, concave: 0, convex: 0 };
  for (let edge = 0; edge < mesh.edges.count; edge += sidesAtOnce) {
    if (!addBends(mesh, positions, edge, Math.min(mesh.edges.count, edge + sidesAtOnce), bends))
      return Infinity;
    yield;
  }
  // If a mesh is turned inside out, all its edges bend the other way.
  return 0.5 * Math.PI * (bends.outward <= 0 ? bends.concave : bends.convex);
}

/**
 * Sums over edges, rounded up: of the sines by which their faces differ, and of the concave and convex parts of that.
 */
interface Bends {
  outward: number;
  concave: number;
  convex: number;
}

/** Adds some edges. Returns false if one is not known well enough. */
function addBends(mesh: Mesh, p: Positions, first: number, end: number, bends: Bends): boolean {
  const { edges, indices, adjacency } = mesh;
  const { vertexOf } = adjacency;
  let { outward, concave, convex } = bends;
  for (let e = first; e < end; e++) {
    const [f, g] = [edges.triangles[edges.start[e]], edges.triangles[edges.start[e] + 1]];
    const [from, to] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
    const apex = 3 * thirdCorner(indices, vertexOf, g, from, to);
    const [a, b, c] = [3 * indices[3 * f], 3 * indices[3 * f + 1], 3 * indices[3 * f + 2]];
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const normal = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const wx = p[apex] - p[a];
    const wy = p[apex + 1] - p[a + 1];
    const wz = p[apex + 2] - p[a + 2];
    // How far the other triangle's third corner is from the edge.
    const ex = p[3 * to] - p[3 * from];
    const ey = p[3 * to + 1] - p[3 * from + 1];
    const ez = p[3 * to + 2] - p[3 * from + 2];
    const qx = p[apex] - p[3 * from];
    const qy = p[apex + 1] - p[3 * from + 1];
    const qz = p[apex + 2] - p[3 * from + 2];
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
    const height = Math.hypot(ey * qz - ez * qy, ez * qx - ex * qz, ex * qy - ey * qx) / length;
    // Products of differences, each off by one rounding, and sums: 2^-50 of the lengths, once for the normal's
    // direction.
    const reach = Math.max(Math.hypot(ux, uy, uz), Math.hypot(vx, vy, vz));
    const far = Math.hypot(wx, wy, wz);
    const slack = (2 ** -50 * (far + (far * reach * reach) / normal)) / height;
    const sine = (nx * wx + ny * wy + nz * wz) / (normal * height);
    if (!(slack < 1)) return false;
    outward += sine;
    // If the triangles lie on the same side of the edge, the angle is a right one or more, which no rounding causes.
    // Otherwise the angle is at most π/2 times its sine.
    const own = 3 * thirdCorner(indices, vertexOf, f, from, to);
    const rx = p[own] - p[3 * from];
    const ry = p[own + 1] - p[3 * from + 1];
    const rz = p[own + 2] - p[3 * from + 2];
    const along = (qx * ex + qy * ey + qz * ez) / (length * length);
    const folded = (qx - along * ex) * rx + (qy - along * ey) * ry + (qz - along * ez) * rz >= 0;
    concave += folded && sine > -slack ? Infinity : Math.max(0, sine + slack);
    convex += folded && -sine > -slack ? Infinity : Math.max(0, slack - sine);
  }
  bends.outward = outward;
  bends.concave = concave;
  bends.convex = convex;
  return true;
}

function thirdCorner(
  indices: ArrayLike<number>,
  vertexOf: Uint32Array,
  triangle: number,
  from: number,
  to: number,
): number {
  for (let corner = 3 * triangle; ; corner++) {
    const vertex = vertexOf[indices[corner]];
    if (vertex !== from && vertex !== to) return vertex;
    if (corner === 3 * triangle + 2) return vertex;
  }
}

/** 1 or −1 if every face looks away from a point, or towards it, and together they wind around it once; else 0. */
export function* starSign(
  { mesh, positions }: Shape,
  middle: readonly number[],
): Generator<undefined, number> {
  const star: Star = { sign: 0, angle: 0 };
  const count = mesh.triangleCount;
  for (let face = 0; face < count; face += sidesAtOnce) {
    if (!addFaces(mesh, positions, middle, face, Math.min(count, face + sidesAtOnce), star)) return 0;
    yield;
  }
  return Math.abs(star.angle - 4 * Math.PI) < 0.1 ? star.sign : 0;
}

/** How faces look from a point: the common side they show, and the sum of their solid angles. */
interface Star {
  sign: number;
  angle: number;
}

/** Adds some faces. Returns false if one shows another side than those before it, or if that is not certain. */
function addFaces(
  { indices }: Mesh,
  p: Positions,
  [x, y, z]: readonly number[],
  first: number,
  end: number,
  star: Star,
): boolean {
  let { sign, angle } = star;
  for (let i = 3 * first; i < 3 * end; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    const ax = p[a] - x;
    const ay = p[a + 1] - y;
    const az = p[a + 2] - z;
    const bx = p[b] - x;
    const by = p[b + 1] - y;
    const bz = p[b + 2] - z;
    const cx = p[c] - x;
    const cy = p[c + 1] - y;
    const cz = p[c + 2] - z;
    const lengthA = Math.sqrt(ax * ax + ay * ay + az * az);
    const lengthB = Math.sqrt(bx * bx + by * by + bz * bz);
    const lengthC = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    if (!(Math.abs(volume) > 1e-14 * lengthA * lengthB * lengthC)) return false;
    if (sign === 0) sign = Math.sign(volume);
    else if (sign !== Math.sign(volume)) return false;
    const ab = ax * bx + ay * by + az * bz;
    const bc = bx * cx + by * cy + bz * cz;
    const ca = cx * ax + cy * ay + cz * az;
    angle += 2 * halfSolidAngle(Math.abs(volume), lengthA, lengthB, lengthC, ab, bc, ca);
  }
  star.sign = sign;
  star.angle = angle;
  return true;
}
