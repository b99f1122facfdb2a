// Is a solid certainly bounded by a surface that nowhere meets itself, such as a ring? Then two such solids cross if two triangles of
// theirs do, as with star-shaped ones (star-shaped.ts). The test takes about as long as relating a few bodies, so it is
// made for shapes that are asked about often.
//
// Let a closed, consistently oriented, connected surface have two triangles at every edge, and let no two triangles share a point
// beside their common corner or edge. Walking around an edge leads from the front of one triangle to the front of the other, and likewise
// behind. So all fronts belong to one connected part of the space beside the surface, and all backs to one. There are no other
// parts, since a line from any point to the surface ends at a front or at a back. Far away the winding number is 0,
// and it changes by 1 through a triangle, so it is 0 on one side of every triangle and 1 or −1 on the other. Near a point within a
// triangle there is no other triangle.
//
// Corners are rounded when they are placed. So what is tested holds for all corners that are within `slack` s of theirs.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { cross, dot, length, plus, times, unit, type Vector, at as vectorAt } from '../../../math/vector.ts';
import { boundsOf } from '../../../mesh/facts.ts';
import type { Indices, Mesh, Positions } from '../../../mesh/mesh.ts';
import { isOrdinary, placingBy } from './star-shaped.ts';

/** A shape is tested once it was asked about at least once per this many of its triangles. */
const trianglesPerLook = 16;

/** What is known of a surface in local coordinates. */
interface Surface {
  readonly indices: Indices;
  asked: number;
  /** How far all corners may move without one triangle meeting another: 0 if they may not, undefined before the test. */
  slack: number | undefined;
  readonly size: number;
  /** The largest magnitude of any coordinate. */
  readonly reach: number;
}

const surfaces = new WeakMap<Positions, Surface>();

/** The slack as a part of the length of the diagonal of the box. */
const slackOfSize = 2 ** -28;

/**
 * Whether the rounded world positions of a solid are certainly embedded. The pose's linear part M has singular values p ≥ q ≥ r, whose
 * product is |det M|. An error e in the world is at most e/r = e·p·q/|det M| ≤ e·(p² + q²)/(2 |det M|) before the pose.
 */
export function isEmbedded({ shape: { mesh, positions }, pose }: Placed): boolean {
  let surface = surfaces.get(positions);
  if (surface?.indices !== mesh.indices) {
    const { indices } = mesh;
    const box = boundsOf(positions, indices);
    const size = length(plus(vectorAt(box, 3), vectorAt(box, 0), -1));
    surface = { indices, asked: 0, slack: undefined, size, reach: Math.max(...box.map(Math.abs)) };
    surfaces.set(positions, surface);
  }
  if (surface.slack === undefined) {
    if (++surface.asked * trianglesPerLook < mesh.triangleCount) return false;
    const slack = slackOfSize * surface.size;
    surface.slack = isOrdinary(surface.size) && staysEmbedded(mesh, positions, slack) ? slack : 0;
  }
  if (surface.slack === 0) return false;
  const [size, error, scale] = placingBy(pose, surface.reach);
  return scale * surface.slack > size ** 2 * error;
}

/** Whether no two triangles share a point beside their common corner or edge, wherever corners move by at most s. */
function staysEmbedded(mesh: Mesh, positions: Positions, s: number): boolean {
  if (!mesh.solid || !mesh.manifold || !mesh.onePiece) return false;
  const { vertexOf } = mesh.welds;
  const triangles = Array.from({ length: mesh.triangleCount }, (_, t): Triangle => {
    const vertices = [0, 1, 2].map(k => vertexOf[mesh.indices[3 * t + k]]);
    const corners = vertices.map(vertex => vectorAt(positions, 3 * vertex));
    const bound = (pick: (...of: number[]) => number) =>
      [0, 1, 2].map(axis => pick(corners[0][axis], corners[1][axis], corners[2][axis]));
    return { vertices, corners, low: bound(Math.min), high: bound(Math.max) };
  }).sort((t, u) => t.low[0] - u.low[0]);
  const areFar = (t: Triangle, u: Triangle, axis: number) =>
    u.low[axis] - t.high[axis] > 3 * s || t.low[axis] - u.high[axis] > 3 * s;
  for (const [i, t] of triangles.entries())
    for (let j = i + 1; j < triangles.length && !areFar(t, triangles[j], 0); j++) {
      const u = triangles[j];
      if (!areFar(t, u, 1) && !areFar(t, u, 2) && !stayClear(t, u, s)) return false;
    }
  return true;
}

interface Triangle {
  /** Three vertices: those at one position are one. */
  readonly vertices: readonly number[];
  readonly corners: readonly Vector[];
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/**
 * Whether two triangles share only their common corner or edge, wherever corners move by at most s. A plane between them shows
 * it. Any plane will do, so rounding may change its normal n, of length 1. While corners move, a difference of two changes by at most 2s, also along n. The code has 3s:
 * differences and products of doubles are off by less than 2^-48 of the size, which is far less than s.
 */
function stayClear(t: Triangle, u: Triangle, s: number): boolean {
  const isCommon = (k: number) => u.vertices.includes(t.vertices[k]);
  const common = [0, 1, 2].filter(isCommon);
  if (common.length === 0) return stayApart(t.corners, u.corners, s);
  const [first, second] = common;
  const origin = t.corners[first];
  /** The other corners, seen from a common one. */
  const others = ({ vertices, corners }: Triangle, of: Triangle) =>
    corners.filter((_, k) => !of.vertices.includes(vertices[k])).map(corner => plus(corner, origin, -1));
  const [ours, theirs] = [others(t, u), others(u, t)];
  if (common.length === 1) return stayBeside([...ours, ...theirs.map(v => times(v, -1))], s);
  if (common.length === 2) return stayUnfolded(plus(t.corners[second], origin, -1), ours[0], theirs[0], s);
  return false;
}

/**
 * Two triangles without a common corner stay apart if a plane is between them: parallel to one of them, perpendicular to
 * one of them along an edge, or parallel to an edge of each.
 */
function stayApart(t: readonly Vector[], u: readonly Vector[], s: number): boolean {
  const [ours, theirs] = [t, u].map(corners => corners.map(corner => plus(corner, t[0], -1)));
  const edges = [ours, theirs].map(([a, b, c]) => [plus(b, a, -1), plus(c, b, -1), plus(a, c, -1)]);
  const normals = edges.map(([first, second]) => cross(first, second));
  for (const [i, own] of edges.entries()) for (const edge of own) normals.push(cross(normals[i], edge));
  for (const edge of edges[0]) for (const other of edges[1]) normals.push(cross(edge, other));
  return normals.some(normal => {
    const n = unit(normal);
    const [p, q] = [ours, theirs].map(corners => corners.map(corner => dot(n, corner)));
    return Math.max(Math.min(...p) - Math.max(...q), Math.min(...q) - Math.max(...p)) > 3 * s;
  });
}

/**
 * Two triangles with one common corner, the origin: a plane through it has one on its front, the other on its back. `edges` are the
 * edges to the other corners, those of the second triangle reversed. For the best n, the least product with their directions
 * is as large as possible. Two or three directions attain it: n is parallel to the sum of the two, or perpendicular to the
 * differences of the three.
 */
function stayBeside(edges: readonly Vector[], s: number): boolean {
  const isBetween = (normal: Vector) => {
    const n = unit(normal);
    return edges.every(edge => dot(n, edge) > 3 * s);
  };
  const directions = edges.map(unit);
  for (const [i, p] of directions.entries())
    for (const [j, q] of directions.slice(0, i).entries()) {
      if (isBetween(plus(p, q))) return true;
      for (const r of directions.slice(0, j)) {
        const n = cross(plus(q, p, -1), plus(r, p, -1));
        if (isBetween(n) || isBetween(times(n, -1))) return true;
      }
    }
  return false;
}

/**
 * Two triangles with a common edge d from the origin, whose other corners are p and q: a plane through the edge has p on its front
 * and q on its back. The moved edge is at least L − 2s long along d, and leads by at most |n·d| + 2s along n. So
 * n + c·d/L is at right angles to it for some |c| ≤ (|n·d| + 2s)/(L − 2s), and p moves along that by at most 2s + |c|(|p| + 2s). Since
 * |q| > 2s, |p| + 2s < |p| + |q|, and likewise with p and q exchanged.
 */
function stayUnfolded(d: Vector, p: Vector, q: Vector, s: number): boolean {
  const square = dot(d, d);
  const away = (v: Vector) => unit(plus(v, d, -dot(v, d) / square));
  const n = unit(plus(away(p), away(q), -1));
  const room = length(d) - 3 * s;
  const least = 3 * s + ((Math.abs(dot(n, d)) + 3 * s) / room) * (length(p) + length(q));
  return room > 0 && dot(n, p) > least && -dot(n, q) > least;
}
