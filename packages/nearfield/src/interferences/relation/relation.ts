// The relation of two bodies: one of six words, decided exactly. Two solids are compared as sets of points with an
// interior (solids.ts), anything else as surfaces (surfaces.ts).

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { boxAround, boxesShareNoVolume } from '../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../bvh/cpu/walk/finder.ts';
import { rescaled } from './coordinates/rescaled.ts';
import { unsheared } from './coordinates/unsheared.ts';
import { relationOfSolids } from './solids/solids.ts';
import { crossAsStars } from './solids/star-shaped.ts';
import { relationOfSurfaces } from './surfaces.ts';

/**
 * From the side of the first body. For two solids it is the first of these that holds: `separate` (no common point),
 * `touching` (no common interior), `coincident` (equal but for pieces without volume), `inside` and `contains` (one is
 * a part of the other; common boundary points do not matter), `crossing`. If one or both are not solid: `separate`,
 * `crossing` (near some common point one surface has points on both sides of the other), else `touching`.
 *
 * A part of a solid's surface that bounds no volume (degenerate triangles, a sheet folded flat on itself) adds nothing
 * to the solid. It behaves like an open surface: it touches what it meets, and is separate from a solid around it whose
 * surface it does not meet. Distances, clearances and penetrations follow the same rule.
 */
export type Relation = 'separate' | 'touching' | 'coincident' | 'inside' | 'contains' | 'crossing';

/** The relation of a to b. `triangles` has every pair (triangle of a, triangle of b) that meets. */
export function relationOf(engine: TriangleFinder, a: Placed, b: Placed, triangles: Uint32Array): Relation {
  if (a.shape.mesh.triangleCount === 0 || b.shape.mesh.triangleCount === 0) return 'separate';
  const areSolid = a.shape.mesh.solid && b.shape.mesh.solid;
  // Boxes that lie flush are common, and a search of them takes long.
  if (areSolid && boxesShareNoVolume(boxAround(a), boxAround(b)))
    return triangles.length > 0 ? 'touching' : 'separate';
  if (areSolid && crossAsStars(a, b, triangles)) return 'crossing';
  const [first, second] = rescaled(a, b);
  if (areSolid) return relationOfSolids(engine, first, second, triangles);
  return relationOfSurfaces(...unsheared(first, second), triangles);
}
