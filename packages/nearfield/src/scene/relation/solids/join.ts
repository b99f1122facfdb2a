// Into which closed parts does a solid's surface fall? Triangles are joined in pairs along edges, each pair with opposite
// directions along its edge: so every part has a boundary that cancels, and is closed. An edge of more than two triangles, where
// solids share it, can be paired in several ways. Any will do; the one that keeps the solids apart is the best, since convex
// parts are easier than others. So the pair goes first that has the least of the solid between its two triangles. That
// is a guess, and plain doubles make it.

import { DisjointSets, noEdge } from '../../../mesh/facts.ts';
import { placeCorners } from '../../contact/world.ts';
import type { Placed } from '../../engine.ts';

/** For each triangle, one of its part, the same for all of them. */
export function joinedTriangles(body: Placed): Uint32Array {
  const { triangleCount, indices, welds, adjacency } = body.shape.mesh;
  const { edgeOf } = adjacency;
  const sets = new DisjointSets(triangleCount);
  const firstAt = new Map<number, number>();
  const shared = new Map<number, number[]>();
  for (let side = 0; side < edgeOf.length; side++) {
    const edge = edgeOf[side];
    if (edge === noEdge) continue;
    const first = firstAt.get(edge);
    if (first === undefined) firstAt.set(edge, side);
    else {
      const sides = shared.get(edge);
      if (sides) sides.push(side);
      else shared.set(edge, [first, side]);
    }
  }
  let outward = 0;
  for (const sides of shared.values()) {
    if (sides.length === 2) {
      sets.join(Math.floor(sides[0] / 3), Math.floor(sides[1] / 3));
      continue;
    }
    outward ||= isInsideOut(body) ? -1 : 1;
    const from = (side: number): number => welds.vertexOf[indices[side]];
    const ahead = sides.filter(side => from(side) === from(sides[0]));
    const back = sides.filter(side => from(side) !== from(sides[0]));
    for (const [one, other] of pairs(body, ahead, back, outward)) {
      sets.join(Math.floor(one / 3), Math.floor(other / 3));
    }
  }
  return Uint32Array.from({ length: triangleCount }, (_, t) => sets.find(t));
}

/** One of each, those with the smallest angle between them first. A closed, oriented mesh has as many of both. */
function pairs(
  body: Placed,
  ahead: readonly number[],
  back: readonly number[],
  outward: number,
): [number, number][] {
  const all = ahead.flatMap(one =>
    back.map(other => ({ one, other, angle: angleBetween(body, one, other, outward) })),
  );
  all.sort((a, b) => a.angle - b.angle);
  const taken = new Set<number>();
  const found: [number, number][] = [];
  for (const { one, other } of all) {
    if (taken.has(one) || taken.has(other)) continue;
    taken.add(one).add(other);
    found.push([one, other]);
  }
  return found;
}

const smallestAngle = 2 ** -40;

/** The triangle that is turned at 0, the other at 9. */
const p = new Float64Array(18);

/** By how much the triangle of one side is turned around it, through what is below, to become that of another: up to 2π. */
function angleBetween(body: Placed, side: number, other: number, outward: number): number {
  placeCorners(body, Math.floor(side / 3), p, 0);
  placeCorners(body, Math.floor(other / 3), p, 9);
  const [from, to, own] = [0, 1, 2].map(k => 3 * ((side + k) % 3));
  const apex = 9 + 3 * ((other + 2) % 3);
  const edge = [0, 1, 2].map(axis => p[to + axis] - p[from + axis]);
  const [u, v] = [own, apex].map(at => [0, 1, 2].map(axis => p[at + axis] - p[from + axis]));
  const along = dot(edge, edge);
  // Both seen along the edge: v to the side of u that is below the triangle, and in the direction of u.
  const down = -outward * dot(cross(edge, u), v) * Math.sqrt(along);
  const forth = dot(u, v) * along - dot(u, edge) * dot(v, edge);
  const angle = Math.atan2(down, forth);
  // Two that lie on one another have all around them between them, whatever rounding says.
  return angle > smallestAngle ? angle : angle + 2 * Math.PI;
}

/** Whether the solid's volume is negative, about. */
function isInsideOut(body: Placed): boolean {
  let volume = 0;
  const origin = new Float64Array(3);
  for (let t = 0; t < body.shape.mesh.triangleCount; t++) {
    placeCorners(body, t, p, 0);
    if (t === 0) origin.set(p.subarray(0, 3));
    const [a, b, c] = [0, 3, 6].map(at => [0, 1, 2].map(axis => p[at + axis] - origin[axis]));
    volume += dot(a, cross(b, c));
  }
  return volume < 0;
}

const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
