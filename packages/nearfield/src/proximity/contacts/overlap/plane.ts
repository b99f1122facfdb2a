// The plane of a triangle, as six doubles: a corner and the unit normal.

/** Triangles whose area, twice, is no more than this share of their size squared are too narrow to have a good normal. */
const narrow = 2 ** -20;

/**
 * Writes the plane of the triangle at p[at…] to out[to…]; its normal is 0 0 0 if the area, twice, is no more than `least` of the
 * size squared. Sides are scaled first, so that squares neither overflow nor vanish.
 */
export function planeOf(p: Float64Array, at: number, out: Float64Array, to = 0, least = narrow): void {
  let size = 0;
  for (let i = 3; i < 9; i++) size = Math.max(size, Math.abs(p[at + i] - p[at + (i % 3)]));
  const scale = size > 0 ? 1 / size : 0;
  const ux = (p[at + 3] - p[at]) * scale;
  const uy = (p[at + 4] - p[at + 1]) * scale;
  const uz = (p[at + 5] - p[at + 2]) * scale;
  const vx = (p[at + 6] - p[at]) * scale;
  const vy = (p[at + 7] - p[at + 1]) * scale;
  const vz = (p[at + 8] - p[at + 2]) * scale;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const over = length > least ? 1 / length : 0;
  for (let axis = 0; axis < 3; axis++) out[to + axis] = p[at + axis];
  out[to + 3] = nx * over;
  out[to + 4] = ny * over;
  out[to + 5] = nz * over;
}
