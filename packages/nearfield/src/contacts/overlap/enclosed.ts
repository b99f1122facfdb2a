// Which vertices and whole triangles of a surface lie in the other solid, and how often does it wind around them? Along
// an edge the number changes by one where it pierces a triangle (crossings.ts), so it is known at all vertices around a
// crossing once it is known at one. From there it spreads over the triangles that meet nothing.

import { worldBox } from '../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../bvh/cpu/walk/finder.ts';
import { windingNumber } from '../../inside/winding.ts';
import { type Box, boxHolds, emptyBox, growBox } from '../../math/box.ts';
import { noEdge, type Surface } from '../surface.ts';
import { type Crossings, piercing, type Side } from './crossings.ts';
import type { Perturbation } from './perturbed.ts';

/**
 * Counts are winding numbers of the other body, positive for a body whose triangles face outwards: 1 in a solid, 0
 * outside, more where the surface winds around more than once.
 */
export interface Enclosed {
  /** Triangles that meet the other body, ascending. */
  readonly touched: Uint32Array;
  /** Counts at their corners, by vertex; `unknown` at others. */
  readonly countAt: Int32Array;
  /** Triangles that meet nothing and lie inside, and for each a vertex to which it is connected inside. */
  readonly inner: readonly number[];
  readonly innerFrom: readonly number[];
  /** Pairs of vertices of `innerFrom` that are connected inside. */
  readonly joined: readonly number[];
}

const unknown = -(2 ** 31);

/** The other surface must be solid. */
export function enclosedBy(
  engine: TriangleFinder,
  surfaces: readonly [Surface, Surface],
  side: Side,
  touched: Uint32Array,
  crossings: Crossings,
  perturbation: Perturbation,
): Enclosed {
  const [surface, other] = [surfaces[side], surfaces[1 - side]];
  const countAt = countsAtCorners(engine, surface, other, touched, crossings, side, perturbation);
  const inner: number[] = [];
  const innerFrom: number[] = [];
  const joined: number[] = [];
  // Per triangle: 0, or −1 if it meets the other body, or its index in `inner` plus 1.
  const seen = new Int32Array(surface.triangleCount);
  for (const t of touched) seen[t] = -1;
  const add = (t: number, from: number): void => {
    seen[t] = inner.push(t);
    innerFrom.push(from);
  };
  const { edges } = surface;
  const spread = (t: number, k: number, from: number): void => {
    const edge = surface.edge(t, k);
    if (edge === noEdge) return;
    for (let i = edges.start[edge]; i < edges.start[edge + 1]; i++) {
      const next = edges.triangles[i];
      if (seen[next] === 0) add(next, from);
      else if (seen[next] > 0 && innerFrom[seen[next] - 1] !== from)
        joined.push(innerFrom[seen[next] - 1], from);
    }
  };
  let done = 0;
  for (const t of touched) {
    for (let k = 0; k < 3; k++) {
      const vertex = surface.vertex(t, k);
      const count = countAt[vertex];
      if (count === 0 || count !== countAt[surface.vertex(t, k + 1)]) continue;
      if (crossings.lastOnEdge[side][surface.edge(t, k)] >= 0) continue;
      spread(t, k, vertex);
      for (; done < inner.length; done++) {
        for (let side = 0; side < 3; side++) spread(inner[done], side, vertex);
      }
    }
  }
  addParts(engine, surface, other, touched, add);
  return { touched, countAt, inner, innerFrom, joined };
}

/**
 * Connected parts of the mesh that meet nothing lie entirely inside or entirely outside: one vertex per part decides.
 */
function addParts(
  engine: TriangleFinder,
  surface: Surface,
  other: Surface,
  touched: Uint32Array,
  add: (t: number, from: number) => void,
): void {
  const { adjacency } = surface.placed.shape.mesh;
  if (touched.length > 0 && adjacency.componentCount === 1) return;
  const { componentOf, componentVertices } = adjacency;
  const meets = new Uint8Array(adjacency.componentCount);
  for (const t of touched) meets[componentOf[t]] = 1;
  const inside = new Set<number>();
  const point = new Float64Array(3);
  const box = worldBox(other.placed);
  componentVertices.forEach((vertex, part) => {
    if (meets[part] === 1) return;
    surface.position(vertex, point, 0);
    if (!boxHolds(box, point)) return;
    if (windingNumber(engine, other.source, point).winding !== 0) inside.add(part);
  });
  if (inside.size === 0) return;
  componentOf.forEach((part, t) => {
    if (inside.has(part)) add(t, surface.placed.shape.mesh.welds.vertexOf[componentVertices[part]]);
  });
}

function countsAtCorners(
  engine: TriangleFinder,
  surface: Surface,
  other: Surface,
  touched: Uint32Array,
  crossings: Crossings,
  side: Side,
  perturbation: Perturbation,
): Int32Array {
  const { vertices } = surface.edges;
  const vertexCount = surface.placed.shape.mesh.vertexCount;
  // The corners of these triangles: by vertex the last, and by corner the one before at the same vertex.
  const lastAt = new Int32Array(vertexCount).fill(-1);
  const beforeAt = new Int32Array(3 * touched.length);
  for (let i = 0; i < touched.length; i++) {
    for (let k = 0; k < 3; k++) {
      const vertex = surface.vertex(touched[i], k);
      beforeAt[3 * i + k] = lastAt[vertex];
      lastAt[vertex] = 3 * i + k;
    }
  }
  const countAt = new Int32Array(vertexCount).fill(unknown);
  for (let corner = 0; corner < beforeAt.length; corner++) {
    const first = surface.vertex(touched[Math.floor(corner / 3)], corner % 3);
    if (countAt[first] !== unknown) continue;
    // The counts of a connected group, minus the count at its first vertex.
    const group = [first];
    countAt[first] = 0;
    let [least, most] = [0, 0];
    for (let i = 0; i < group.length; i++) {
      const vertex = group[i];
      for (let at = lastAt[vertex]; at >= 0; at = beforeAt[at]) {
        const t = touched[Math.floor(at / 3)];
        const k = at % 3;
        // The edges to the next corner and from the one before.
        for (let step = 1; step < 3; step++) {
          const end = surface.vertex(t, k + step);
          if (countAt[end] !== unknown) continue;
          const edge = surface.edge(t, step === 1 ? k : (k + 2) % 3);
          let change = 0;
          for (
            let point = crossings.lastOnEdge[side][edge];
            point >= 0;
            point = crossings.beforeOnEdge[point]
          ) {
            change += crossings.entering[point];
          }
          const there = countAt[vertex] + (vertices[2 * edge] === vertex ? change : -change);
          countAt[end] = there;
          if (there < least) least = there;
          if (there > most) most = there;
          group.push(end);
        }
      }
    }
    // If both sides of a surface that winds once are in the group, the lesser count is 0.
    const atFirst =
      most - least === 1 ? -least : countAtFirst(engine, surface, other, side, group, countAt, perturbation);
    if (atFirst !== 0) for (const vertex of group) countAt[vertex] += atFirst;
  }
  return countAt;
}

/** The count at the first vertex of a group, from that at any of its vertices. */
function countAtFirst(
  engine: TriangleFinder,
  surface: Surface,
  other: Surface,
  side: Side,
  group: readonly number[],
  relative: Int32Array,
  perturbation: Perturbation,
): number {
  const box = worldBox(other.placed);
  const point = new Float64Array(3);
  for (const vertex of group) {
    surface.position(vertex, point, 0);
    if (!boxHolds(box, point)) return -relative[vertex];
  }
  surface.position(group[0], point, 0);
  return countAround(engine, other, side, point, box, perturbation);
}

/**
 * How often the other solid winds around a point of a body, if one of them is moved (perturbed.ts). The point is
 * treated as one end of an edge that leads straight out of the other's box by the shortest way.
 */
function countAround(
  engine: TriangleFinder,
  other: Surface,
  side: Side,
  point: Float64Array,
  box: Box,
  perturbation: Perturbation,
): number {
  const ways = [0, 1, 2, 3, 4, 5].map(i => Math.abs(point[i % 3] - box[i]));
  const way = ways.indexOf(Math.min(...ways));
  const p = new Float64Array(15);
  p.set(point, 0);
  p.set(point, 3);
  const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const beyond = Math.max(size, Math.abs(box[way]) * 2 ** -40);
  p[3 + (way % 3)] = box[way] + (way < 3 ? -beyond : beyond);
  const around = emptyBox();
  growBox(around, p[0], p[1], p[2]);
  growBox(around, p[3], p[4], p[5]);
  let entered = 0;
  for (const t of other.trianglesInBox(engine, around)) {
    other.corners(t, p, 6);
    entered += piercing(p, perturbation, side === 0 ? 1 : -1);
  }
  return -entered;
}
