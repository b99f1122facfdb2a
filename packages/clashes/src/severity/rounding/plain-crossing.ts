// Do two surfaces cross so plainly that no change within rounding could undo it? One edge that goes through a triangle, with
// both ends well off its plane and the middle well within its sides, is enough. This is only to save work: nothing is
// forgiven because of it, so doubles will do.

import { applyPose, type Body, type Mesh } from 'nearfield';

/** Pairs of triangles that are looked at. */
const mostPairs = 64;

const corners = new Float64Array(18);

/** Whether an edge of one goes through a triangle of the other by more than `room`, in world units, on all sides. */
export function crossesPlainly(
  a: { readonly body: Body; readonly mesh: Mesh },
  b: { readonly body: Body; readonly mesh: Mesh },
  triangles: Uint32Array,
  room: number,
): boolean {
  const [poseA, poseB] = [a.body.pose, b.body.pose];
  for (let i = 0; i < triangles.length && i < 2 * mostPairs; i += 2) {
    place(a.mesh, poseA, triangles[i], 0);
    place(b.mesh, poseB, triangles[i + 1], 9);
    if (goesThrough(0, 9, room) || goesThrough(9, 0, room)) return true;
  }
  return false;
}

function place({ positions, indices }: Mesh, pose: Float64Array, triangle: number, at: number): void {
  for (let k = 0; k < 3; k++) {
    const v = 3 * indices[3 * triangle + k];
    applyPose(pose, positions[v], positions[v + 1], positions[v + 2], corners, at + 3 * k);
  }
}

/** Whether an edge of the triangle at `f` goes through the one at `g`. */
function goesThrough(f: number, g: number, room: number): boolean {
  const p = corners;
  const [ux, uy, uz] = [p[g + 3] - p[g], p[g + 4] - p[g + 1], p[g + 5] - p[g + 2]];
  const [vx, vy, vz] = [p[g + 6] - p[g], p[g + 7] - p[g + 1], p[g + 8] - p[g + 2]];
  let [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(size > 0)) return false;
  [nx, ny, nz] = [nx / size, ny / size, nz / size];
  const height = (at: number): number =>
    (p[at] - p[g]) * nx + (p[at + 1] - p[g + 1]) * ny + (p[at + 2] - p[g + 2]) * nz;
  const [h0, h1, h2] = [height(f), height(f + 3), height(f + 6)];
  for (let k = 0; k < 3; k++) {
    const [h, l] = k === 0 ? [h0, h1] : k === 1 ? [h1, h2] : [h2, h0];
    if (!(Math.min(h, l) < -room && Math.max(h, l) > room)) continue;
    const [from, to] = [f + 3 * k, f + 3 * ((k + 1) % 3)];
    const share = h / (h - l);
    const [dx, dy, dz] = [p[to] - p[from], p[to + 1] - p[from + 1], p[to + 2] - p[from + 2]];
    // The flatter the edge runs, the farther a small change moves the point where it goes through.
    const most = (2 * room * Math.sqrt(dx * dx + dy * dy + dz * dz)) / Math.abs(h - l);
    const [x, y, z] = [p[from] + share * dx, p[from + 1] + share * dy, p[from + 2] + share * dz];
    if (isWithin(g, x, y, z, nx, ny, nz, most)) return true;
  }
  return false;
}

/** Whether a point of a triangle's plane is farther than `room` from all its sides, on the inner side. */
function isWithin(
  g: number,
  x: number,
  y: number,
  z: number,
  nx: number,
  ny: number,
  nz: number,
  room: number,
): boolean {
  const p = corners;
  for (let k = 0; k < 3; k++) {
    const [from, to] = [g + 3 * k, g + 3 * ((k + 1) % 3)];
    const [ex, ey, ez] = [p[to] - p[from], p[to + 1] - p[from + 1], p[to + 2] - p[from + 2]];
    const [wx, wy, wz] = [x - p[from], y - p[from + 1], z - p[from + 2]];
    // The side's length times the distance from it.
    const off = nx * (ey * wz - ez * wy) + ny * (ez * wx - ex * wz) + nz * (ex * wy - ey * wx);
    if (!(off > room * Math.sqrt(ex * ex + ey * ey + ez * ez))) return false;
  }
  return true;
}
