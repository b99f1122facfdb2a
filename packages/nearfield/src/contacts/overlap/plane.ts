// Unit normals and planes of triangles, in doubles.
//
// The cross product of two sides u and v of a triangle of size 1 is off by about 2^-52 in any direction. For a narrow
// triangle it is itself small, say h, so that its direction would lean by 2^-52/h, along the triangle too: a plane
// would leave its own triangle. So its component along the longest side is subtracted once more. The remaining error
// turns the plane about that side, from which no point of the triangle is farther than h: the plane is right to a few
// roundings all over the triangle.

/**
 * Writes the unit normal of the triangle at p[at…]; zero if its corners are on a line as far as doubles tell. Returns
 * h.
 */
export function writeNormal(p: Float64Array, at: number, out: Float64Array, to: number): number {
  let size = 0;
  for (let axis = 0; axis < 3; axis++) {
    const x = Math.abs(p[at + 3 + axis] - p[at + axis]);
    const y = Math.abs(p[at + 6 + axis] - p[at + axis]);
    if (x > size) size = x;
    if (y > size) size = y;
  }
  const scale = size > 0 ? 1 / size : 0;
  const ux = (p[at + 3] - p[at]) * scale;
  const uy = (p[at + 4] - p[at + 1]) * scale;
  const uz = (p[at + 5] - p[at + 2]) * scale;
  const vx = (p[at + 6] - p[at]) * scale;
  const vy = (p[at + 7] - p[at + 1]) * scale;
  const vz = (p[at + 8] - p[at + 2]) * scale;
  let nx = uy * vz - uz * vy;
  let ny = uz * vx - ux * vz;
  let nz = ux * vy - uy * vx;
  let squared = nx * nx + ny * ny + nz * nz;
  if (squared < 1 / 16) {
    const u = ux * ux + uy * uy + uz * uz;
    const v = vx * vx + vy * vy + vz * vz;
    const w = (vx - ux) ** 2 + (vy - uy) ** 2 + (vz - uz) ** 2;
    const [x, y, z, longest] =
      w > u && w > v ? [vx - ux, vy - uy, vz - uz, w] : u > v ? [ux, uy, uz, u] : [vx, vy, vz, v];
    const along = longest > 0 ? (nx * x + ny * y + nz * z) / longest : 0;
    nx -= along * x;
    ny -= along * y;
    nz -= along * z;
    squared = nx * nx + ny * ny + nz * nz;
  }
  const height = Math.sqrt(squared);
  const over = height > 0 ? 1 / height : 0;
  out[to] = nx * over;
  out[to + 1] = ny * over;
  out[to + 2] = nz * over;
  return height;
}

/** A triangle whose h is not above this is too narrow to have a plane. */
export const narrowest = 2 ** -20;

/** The plane of the triangle at p[at…]: a corner, and the unit normal, or zero if it is too narrow to have one. */
export function planeOf(p: Float64Array, at: number, out: Float64Array, to = 0): void {
  const height = writeNormal(p, at, out, to + 3);
  out[to] = p[at];
  out[to + 1] = p[at + 1];
  out[to + 2] = p[at + 2];
  if (height > narrowest) return;
  for (let axis = 3; axis < 6; axis++) out[to + axis] = 0;
}
