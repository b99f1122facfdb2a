// Oracle: the depth of two unions of convex pieces. B moved by t shares interior with A if and only if t lies in the
// open set Aᵢ − Bⱼ for some pair of pieces. The depth is the distance from the origin to the nearest t outside all of
// these convex polytopes. Near that t, the free space is bounded by planes of facets, and t is the point nearest to
// the origin on one plane, on the line of two, or at the corner of three. All such points are tried, and those that
// lie in no open difference are free.
// Rounding. The height of a plane is that of the farthest difference of corners along its normal, so no plane cuts
// off more than 10^-15 of a polytope's size. A point counts as inside if it is inside every plane by more than
// `slack`. So the result is the depth of polytopes that are smaller by at most `slack`: never much more than the
// truth, and less only if polytopes overlap by less than the slack. `grow` moves all planes outward: the depths for
// two values of it bracket the truth, and if both agree, rounding did not matter.

export type Point = readonly [x: number, y: number, z: number];
/** The corners of a convex polytope with interior, in any order. */
export type ConvexPiece = readonly Point[];

interface Plane {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly height: number;
}

export interface ForbiddenDepth {
  readonly depth: number;
  /** A nearest free translation of B. */
  readonly translation: Point;
}

/** The depth of B's pieces in A's; 0 if no interiors meet. */
export function forbiddenDepth(
  a: readonly ConvexPiece[],
  b: readonly ConvexPiece[],
  grow = 0,
): ForbiddenDepth {
  const differences = a.flatMap(p => b.map(q => planesOf(differencesOf(p, q), grow)));
  let size = 0;
  for (const planes of differences) for (const { height } of planes) size = Math.max(size, Math.abs(height));
  const slack = 1e-13 * size;
  const isFree = (x: number, y: number, z: number): boolean =>
    differences.every(planes => planes.some(n => n.x * x + n.y * y + n.z * z >= n.height - slack));
  if (isFree(0, 0, 0)) return { depth: 0, translation: [0, 0, 0] };
  let depth = Infinity;
  let translation: Point = [0, 0, 0];
  const consider = (x: number, y: number, z: number): void => {
    const length = Math.hypot(x, y, z);
    if (!(length < depth) || !isFree(x, y, z)) return;
    depth = length;
    translation = [x, y, z];
  };
  const all = differences.flat().sort((p, q) => Math.abs(p.height) - Math.abs(q.height));
  for (const n of all) consider(n.x * n.height, n.y * n.height, n.z * n.height);
  for (let i = 0; i < all.length && Math.abs(all[i].height) < depth; i++) {
    for (let j = 0; j < i; j++) {
      const [m, n] = [all[i], all[j]];
      const cosine = m.x * n.x + m.y * n.y + m.z * n.z;
      const [cx, cy, cz] = [m.y * n.z - m.z * n.y, m.z * n.x - m.x * n.z, m.x * n.y - m.y * n.x];
      const sine = cx * cx + cy * cy + cz * cz;
      if (sine < 1e-20) continue;
      const [s, t] = [(m.height - cosine * n.height) / sine, (n.height - cosine * m.height) / sine];
      const [x, y, z] = [s * m.x + t * n.x, s * m.y + t * n.y, s * m.z + t * n.z];
      consider(x, y, z);
      // No corner on this line is nearer than the line itself.
      if (Math.hypot(x, y, z) >= depth) continue;
      for (let k = 0; k < j; k++) {
        const p = all[k];
        const rise = p.x * cx + p.y * cy + p.z * cz;
        if (rise * rise < 1e-20 * sine) continue;
        const along = (p.height - (p.x * x + p.y * y + p.z * z)) / rise;
        consider(x + along * cx, y + along * cy, z + along * cz);
      }
    }
  }
  return { depth, translation };
}

/** Each difference of corners once. */
const differencesOf = (p: ConvexPiece, q: ConvexPiece): Point[] => {
  const all = p.flatMap(u => q.map((v): Point => [u[0] - v[0], u[1] - v[1], u[2] - v[2]]));
  return [...new Map(all.map(d => [d.join(), d])).values()];
};

/**
 * The planes of the facets of a point set's hull, and possibly some that only touch it: those of any three points
 * with no point beyond them.
 */
function planesOf(points: readonly Point[], grow: number): Plane[] {
  let size = 0;
  for (const p of points) size = Math.max(size, Math.abs(p[0]), Math.abs(p[1]), Math.abs(p[2]));
  const planes: Plane[] = [];
  for (let i = 0; i < points.length; i++) {
    for (let j = i + 1; j < points.length; j++) {
      for (let k = j + 1; k < points.length; k++) {
        const normal = normalOf(points[i], points[j], points[k]);
        if (normal === undefined) continue;
        for (let side = 1; side >= -1; side -= 2) {
          const [x, y, z] = [side * normal[0], side * normal[1], side * normal[2]];
          const own = x * points[i][0] + y * points[i][1] + z * points[i][2];
          let height = own;
          for (let l = 0; l < points.length && height <= own + 1e-11 * size; l++)
            height = Math.max(height, x * points[l][0] + y * points[l][1] + z * points[l][2]);
          if (height > own + 1e-11 * size) continue;
          const known = planes.some(
            n => n.x * x + n.y * y + n.z * z > 1 - 1e-15 && Math.abs(n.height - grow - height) < 1e-14 * size,
          );
          if (!known) planes.push({ x, y, z, height: height + grow });
        }
      }
    }
  }
  return planes;
}

function normalOf(p: Point, q: Point, r: Point): Point | undefined {
  const [ux, uy, uz] = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const [vx, vy, vz] = [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(x, y, z);
  if (!(length > 1e-14 * Math.hypot(ux, uy, uz) * Math.hypot(vx, vy, vz))) return undefined;
  return [x / length, y / length, z / length];
}
