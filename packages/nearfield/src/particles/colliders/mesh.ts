// Triangle meshes: each triangle is a plane, h(σ) = n·(p(σ) − a) with n = (b − a) × (c − a), and the closed triangle
// grown slightly.
//
// Growth. Neighbours must leave no crack between them although the places at which a path crosses their planes are
// rounded differently. A place is off by a few units of 2^-53 of the coordinates' magnitude, and along the path by its
// speed times the error of the time (roots/quadratic.ts), which is large if the path grazes the plane. So a triangle is
// grown by 2^-44 of the magnitude or by that drift, whichever is more, but never by more than 2^-20 of it. An open
// border grows by as much.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { orient3dSign } from '../../math/exact/orient.ts';
import type { Pose } from '../../math/pose.ts';
import { placeTriangle } from '../../math/pose.ts';
import { normalOf } from '../../math/vector.ts';
import type { Mesh, Positions } from '../../mesh/mesh.ts';
import type { CompiledMesh } from '../compiled.ts';
import { buildTree } from './paths/cull.ts';

export function compileMesh(mesh: Mesh, positions: Positions, pose: Pose, placed: Placed): CompiledMesh {
  const count = mesh.triangleCount;
  const triangles = new Float64Array(9 * count);
  const boxes = new Float64Array(6 * count);
  let scale = 0;
  for (let t = 0; t < count; t++) {
    placeTriangle(pose, positions, mesh.indices, t, triangles, 9 * t);
    for (let axis = 0; axis < 3; axis++) {
      const [a, b, c] = [0, 3, 6].map(corner => triangles[9 * t + corner + axis]);
      boxes[6 * t + axis] = Math.min(a, b, c);
      boxes[6 * t + axis + 3] = Math.max(a, b, c);
      scale = Math.max(scale, Math.abs(a), Math.abs(b), Math.abs(c));
    }
  }
  return { mesh, placed, triangles, tree: buildTree(boxes), scale };
}

/** n = (b − a) × (c − a), of triangle t. */
export const triangleNormal = (triangles: Float64Array, t: number, out: Float64Array): void =>
  normalOf(triangles, 9 * t, out);

/** The sign of n·(p − a) of triangle t, exactly; p are the first three numbers. */
export function sideOfTriangle(triangles: Float64Array, t: number, p: Float64Array): number {
  const at = 9 * t;
  return -orient3dSign(
    triangles[at],
    triangles[at + 1],
    triangles[at + 2],
    triangles[at + 3],
    triangles[at + 4],
    triangles[at + 5],
    triangles[at + 6],
    triangles[at + 7],
    triangles[at + 8],
    p[0],
    p[1],
    p[2],
  );
}

/**
 * How far a triangle, or a sealed piece, is grown: `scale` is the magnitude of its coordinates, `far` that of the
 * coordinates the place was computed from, and `drift` the possible error of the place along the path.
 */
export const growth = (scale: number, far: number, drift: number): number =>
  Math.min(Math.max(2 ** -44 * scale, 2 ** -48 * far, drift), 2 ** -20 * Math.max(scale, 2 ** -24 * far));

/** Tells whether a place on the plane of triangle t lies in the triangle grown by `grow`. */
export function withinTriangle(
  triangles: Float64Array,
  t: number,
  normal: Float64Array,
  x: number,
  y: number,
  z: number,
  grow: number,
): boolean {
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  const squared = nx * nx + ny * ny + nz * nz;
  const at = 9 * t;
  for (let corner = 0; corner < 9; corner += 3) {
    const from = at + corner;
    const to = corner === 6 ? at : from + 3;
    const ex = triangles[to] - triangles[from];
    const ey = triangles[to + 1] - triangles[from + 1];
    const ez = triangles[to + 2] - triangles[from + 2];
    const px = x - triangles[from];
    const py = y - triangles[from + 1];
    const pz = z - triangles[from + 2];
    const inward = (ey * pz - ez * py) * nx + (ez * px - ex * pz) * ny + (ex * py - ey * px) * nz;
    if (inward >= 0) continue;
    if (inward * inward > grow * grow * squared * (ex * ex + ey * ey + ez * ez)) return false;
  }
  return true;
}

/** The barycentric coordinates of a place on triangle t, each at least 0. */
export function barycentric(
  triangles: Float64Array,
  t: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): void {
  const at = 9 * t;
  const ux = triangles[at + 3] - triangles[at];
  const uy = triangles[at + 4] - triangles[at + 1];
  const uz = triangles[at + 5] - triangles[at + 2];
  const vx = triangles[at + 6] - triangles[at];
  const vy = triangles[at + 7] - triangles[at + 1];
  const vz = triangles[at + 8] - triangles[at + 2];
  const wx = x - triangles[at];
  const wy = y - triangles[at + 1];
  const wz = z - triangles[at + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const uv = ux * vx + uy * vy + uz * vz;
  const vv = vx * vx + vy * vy + vz * vz;
  const wu = wx * ux + wy * uy + wz * uz;
  const wv = wx * vx + wy * vy + wz * vz;
  const determinant = uu * vv - uv * uv;
  const b = determinant > 0 ? Math.max(0, (vv * wu - uv * wv) / determinant) : 0;
  const c = determinant > 0 ? Math.max(0, (uu * wv - uv * wu) / determinant) : 0;
  const a = Math.max(0, 1 - b - c);
  const sum = a + b + c;
  out[0] = a / sum;
  out[1] = b / sum;
  out[2] = c / sum;
}
