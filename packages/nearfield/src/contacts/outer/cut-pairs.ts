// Which triangles of two surfaces meet, if the surfaces are made of parts of the bodies' triangles? A part may reach
// out of the triangle it was cut from, by a rounding of its corners: so triangles near it are tested too. If rounding
// may have made a contact or lost one, there is no answer.

import { cornersBox } from '../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../bvh/cpu/walk/finder.ts';
import { trianglesMeet } from '../../math/triangles/triangle-triangle.ts';
import { sides } from '../overlap/crossings.ts';
import type { Surface } from '../surface.ts';
import { meetsForCertain } from './certain.ts';

/** The pairs, ascending, from those of the bodies that the surfaces come from; undefined if rounding may decide. */
export function pairsOfSurfaces(
  engine: TriangleFinder,
  surfaces: readonly [Surface, Surface],
  found: Uint32Array,
): Uint32Array | undefined {
  if (!surfaces[0].originals && !surfaces[1].originals) return found;
  const [partsOfA, partsOfB] = surfaces.map(partsOf);
  const slack = Math.max(surfaces[0].slack, surfaces[1].slack);
  const corners = new Float64Array(18);
  const pairs = new Map<number, readonly [number, number]>();
  const seen = new Set<number>();
  /** Tries a pair. Returns false if rounding may decide it. */
  const add = (a: number, b: number): boolean => {
    const key = a * surfaces[1].triangleCount + b;
    if (seen.has(key)) return true;
    seen.add(key);
    surfaces[0].corners(a, corners, 0);
    surfaces[1].corners(b, corners, 9);
    if ((surfaces[0].isRounded(a) || surfaces[1].isRounded(b)) && !meetsForCertain(corners, slack))
      return false;
    if (trianglesMeet(corners)) pairs.set(key, [a, b]);
    return true;
  };
  for (let i = 0; i < found.length; i += 2) {
    for (const a of partsOfA(found[i])) {
      for (const b of partsOfB(found[i + 1])) if (!add(a, b)) return undefined;
    }
  }
  for (const side of sides) {
    const [surface, other] = [surfaces[side], surfaces[1 - side]];
    for (let t = 0; t < surface.triangleCount; t++) {
      if (!surface.isRounded(t)) continue;
      surface.corners(t, corners, 0);
      const box = cornersBox(corners, 0);
      for (let i = 0; i < 6; i++) box[i] += i < 3 ? -4 * slack : 4 * slack;
      for (const original of engine.trianglesInBox(other.source, box).slice()) {
        for (const u of (side === 0 ? partsOfB : partsOfA)(original)) {
          if (!(side === 0 ? add(t, u) : add(u, t))) return undefined;
        }
      }
    }
  }
  return Uint32Array.from([...pairs.values()].sort((p, q) => p[0] - q[0] || p[1] - q[1]).flat());
}

/** The triangles of a surface that are parts of a triangle of its source. */
function partsOf({ originals }: Surface): (t: number) => readonly number[] {
  if (!originals) return t => [t];
  const parts = new Map<number, number[]>();
  originals.forEach((t, part) => {
    const list = parts.get(t);
    if (list) list.push(part);
    else parts.set(t, [part]);
  });
  return t => parts.get(t) ?? [];
}
