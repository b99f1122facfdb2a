// Which kinds of cells are there beside points at which two surfaces cross? Most crossing solids have all kinds there. On each
// of two triangles that cross, a point is taken a little to either side of the other triangle. The points are computed in
// plain doubles, since they are only guesses. What is decided at them is exact. Large answers ask this of millions of pairs,
// so that everything is in scratch memory.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../../bvh/cpu/walk/finder.ts';
import { properCrossing } from '../../../math/triangles/triangle-triangle.ts';
import { Facet } from './facet.ts';
import { everyKind, kindsBeside, type Side } from './kinds.ts';
import { Probe } from './probe.ts';
import { isStarShaped } from './star-shaped.ts';

/** How many crossing pairs are sampled before the full search. */
const pairLimit = 4;

/** How far a point lies from the middle of the common segment, as a part of the way to a corner. */
const step = 1 / 64;

/** The corners of two triangles: of A at 0, of B at 9. */
const p = new Float64Array(18);
/** The corners of the triangle that is sampled. */
const corners = new Float64Array(9);
/** The triangles' normals, of A at 0, of B at 3. */
const normals = new Float64Array(6);
/** The ends of the two segments in which the triangles cross each other's plane, and how far along the common line they lie. */
const ends = new Float64Array(12);
const along = new Float64Array(4);
/** The middle of the segment that the two triangles share, approximately. */
const middle = new Float64Array(3);

/** The kinds of cells beside up to four crossings of two surfaces, given every pair of triangles that meet. */
export function kindsAtCrossings(
  finder: TriangleFinder,
  a: Placed,
  b: Placed,
  triangles: Uint32Array,
): number {
  const stars = [isStarShaped(a), isStarShaped(b)];
  let probe: Probe | undefined;
  let found = 0;
  let crossings = 0;
  for (let i = 0; i < triangles.length && crossings < pairLimit; i += 2) {
    placeCorners(a, triangles[i], p, 0);
    placeCorners(b, triangles[i + 1], p, 9);
    if (!properCrossing(p)) continue;
    crossings++;
    if (!findMiddle()) continue;
    probe ??= new Probe(finder, a, b);
    // Begin with a star-shaped body: beside its triangle only the other body has to be searched.
    for (const side of stars[1] ? ([1, 0] as const) : ([0, 1] as const)) {
      found |= kindsOn(probe, side, stars[side], found);
      if (found === everyKind) return found;
    }
  }
  return found;
}

/** The kinds of cells beside a body's triangle, on both sides of the other one; less if all are known before. */
function kindsOn(probe: Probe, side: Side, isStar: boolean, known: number): number {
  const own = 9 * side;
  for (let i = 0; i < 9; i++) corners[i] = p[own + i];
  const facet = new Facet(corners);
  const u = (facet.axis + 1) % 3;
  const v = (facet.axis + 2) % 3;
  // Take a small step from the middle toward the corners that lie farthest on either side of the other triangle.
  const other = own === 0 ? 3 : 0;
  let lowest = own;
  let highest = own;
  for (let at = own + 3; at < own + 9; at += 3) {
    if (height(other, at) < height(other, lowest)) lowest = at;
    if (height(other, at) > height(other, highest)) highest = at;
  }
  let kinds = 0;
  for (let i = 0; i < 2 && (known | kinds) !== everyKind; i++) {
    const corner = i === 0 ? lowest : highest;
    const x = middle[u] + step * (p[corner + u] - middle[u]);
    const y = middle[v] + step * (p[corner + v] - middle[v]);
    if (!Number.isFinite(x) || !Number.isFinite(y) || !facet.holdsProjection(x, y)) continue;
    const sides = probe.at(facet, x, y, isStar ? side : undefined);
    if (sides) kinds |= kindsBeside(sides);
  }
  return kinds;
}

/** Finds the middle of the segment that the crossing triangles share; false if doubles do not show it. */
function findMiddle(): boolean {
  findNormal(0, 0);
  findNormal(9, 3);
  const dx = normals[1] * normals[5] - normals[2] * normals[4];
  const dy = normals[2] * normals[3] - normals[0] * normals[5];
  const dz = normals[0] * normals[4] - normals[1] * normals[3];
  let count = 0;
  for (let own = 0; own < 18; own += 9) {
    const other = own === 0 ? 3 : 0;
    const base = height(other, 9 - own);
    for (let i = 0; i < 9; i += 3) {
      const from = own + i;
      const to = own + ((i + 3) % 9);
      const h = height(other, from) - base;
      const k = height(other, to) - base;
      if (h > 0 === k > 0) continue;
      const s = h / (h - k);
      const at = 3 * count;
      for (let axis = 0; axis < 3; axis++)
        ends[at + axis] = p[from + axis] + s * (p[to + axis] - p[from + axis]);
      along[count++] = dx * ends[at] + dy * ends[at + 1] + dz * ends[at + 2];
    }
  }
  // A triangle has two ends or none.
  if (count < 4) return false;
  // Each triangle covers an interval of the common line. The overlap goes from the later beginning to the earlier end.
  const begin = along[lesser(0, 1)] > along[lesser(2, 3)] ? lesser(0, 1) : lesser(2, 3);
  const end = along[greater(0, 1)] < along[greater(2, 3)] ? greater(0, 1) : greater(2, 3);
  for (let axis = 0; axis < 3; axis++) {
    const x = ends[3 * begin + axis];
    middle[axis] = x + (ends[3 * end + axis] - x) / 2;
  }
  return true;
}

const lesser = (i: number, j: number): number => (along[i] < along[j] ? i : j);
const greater = (i: number, j: number): number => (along[i] < along[j] ? j : i);

/** How far the corner at p[at…] lies along the normal at normals[normal…]. */
const height = (normal: number, at: number): number =>
  normals[normal] * p[at] + normals[normal + 1] * p[at + 1] + normals[normal + 2] * p[at + 2];

function findNormal(at: number, normal: number): void {
  const ux = p[at + 3] - p[at];
  const uy = p[at + 4] - p[at + 1];
  const uz = p[at + 5] - p[at + 2];
  const vx = p[at + 6] - p[at];
  const vy = p[at + 7] - p[at + 1];
  const vz = p[at + 8] - p[at + 2];
  normals[normal] = uy * vz - uz * vy;
  normals[normal + 1] = uz * vx - ux * vz;
  normals[normal + 2] = ux * vy - uy * vx;
}
