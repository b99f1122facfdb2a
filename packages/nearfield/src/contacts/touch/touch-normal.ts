// The normal where two surfaces touch in a line or a point, from the faces that both have there.

import { at, cross, dot, length, plus, times, unit, type Vector } from '../../math/vector.ts';
import type { Surface } from '../surface.ts';

/** The unit normal from A to B, from some triangles of each. */
export const touchNormal = (
  surfaces: readonly [Surface, Surface],
  triangles: readonly [Iterable<number>, Iterable<number>],
): Vector => normalOf(distinctNormals(surfaces[0], triangles[0]), distinctNormals(surfaces[1], triangles[1]));

/**
 * From A to B. If one body has a single face there, the normal is that face's. If an edge of each meets the other, it
 * is perpendicular to both. Otherwise it is the mean of A's normals and B's negated normals.
 */
function normalOf(ofA: readonly Vector[], ofB: readonly Vector[]): Vector {
  if (ofA.length === 1) return ofA[0];
  if (ofB.length === 1) return times(ofB[0], -1);
  const sum = (normals: readonly Vector[]): Vector =>
    normals.reduce((total, n) => plus(total, n), [0, 0, 0] as Vector);
  const away = plus(sum(ofA), sum(ofB), -1);
  if (ofA.length === 2 && ofB.length === 2) {
    const across = unit(cross(unit(cross(ofA[0], ofA[1])), unit(cross(ofB[0], ofB[1]))));
    if (length(across) > 0) return dot(across, away) < 0 ? times(across, -1) : across;
  }
  return length(away) > 1e-9 ? unit(away) : (ofA[0] ?? [0, 0, 1]);
}

const p = new Float64Array(9);

/** The unit normals of triangles, each direction once. */
function distinctNormals(surface: Surface, triangles: Iterable<number>): Vector[] {
  const normals: Vector[] = [];
  for (const t of triangles) {
    surface.scaledCorners(t, p, 0);
    const given = unit(cross(unit(plus(at(p, 3), at(p, 0), -1)), unit(plus(at(p, 6), at(p, 0), -1))));
    const normal = times(given, surface.facing(t));
    if (length(normal) === 0) continue;
    if (normals.every(other => length(plus(normal, other, -1)) > 1e-9)) normals.push(normal);
  }
  return normals;
}
