// Divides a solid's surface into closed parts. Triangles are joined in pairs along edges, each pair with opposite
// directions along its edge. So every part's boundary cancels, and the part is closed. An edge with more than two
// triangles, as solids that touch there have it, can be paired in several ways. Every pairing is valid. The best one
// keeps the solids apart, since convex parts are easier than others. So triangles that other edges have joined already
// are paired first. The rest are paired like brackets, in their order around the edge: a triangle that opens a wedge of
// the solid is paired with the next one that closes a wedge.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { placeCorners, projectionAxis } from '../../../../bodies/snapshot/world.ts';
import { orient2dAt, orient3dAt } from '../../../../math/exact/orient.ts';
import { DisjointSets, noEdge } from '../../../../mesh/facts.ts';

/** Per triangle, a representative triangle of its part. */
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
  const startOf = (side: number): number => welds.vertexOf[indices[side]];
  let isTurned: boolean | undefined;
  // Edges with few triangles first: they leave fewer choices.
  for (const all of [...shared.values()].sort((one, other) => one.length - other.length)) {
    if (all.length === 2) {
      sets.join(Math.floor(all[0] / 3), Math.floor(all[1] / 3));
      continue;
    }
    const sides = withoutJoined(sets, all, startOf);
    if (sides.length === 0) continue;
    isTurned ??= isInsideOut(body);
    const opens = sides.map(side => (startOf(side) === startOf(sides[0])) !== isTurned);
    for (const [one, other] of bracketed(inOrder(body, sides, opens), opens)) {
      sets.join(Math.floor(sides[one] / 3), Math.floor(sides[other] / 3));
    }
  }
  return Uint32Array.from({ length: triangleCount }, (_, t) => sets.find(t));
}

/** The sides of an edge, without pairs of opposite sides whose triangles are joined already. */
function withoutJoined(
  sets: DisjointSets,
  sides: readonly number[],
  startOf: (side: number) => number,
): number[] {
  const left: number[] = [];
  for (const side of sides) {
    const root = sets.find(Math.floor(side / 3));
    const partner = left.findIndex(
      other => startOf(other) !== startOf(side) && sets.find(Math.floor(other / 3)) === root,
    );
    if (partner < 0) left.push(side);
    else left.splice(partner, 1);
  }
  return left;
}

/** Scratch memory: the edge's ends at 0 and 3, then the third corners of the triangles. */
let p = new Float64Array(0);

/**
 * The triangles of an edge, as indices into `sides`, in the order in which a half-plane meets them when it turns around
 * the edge. It starts at the first triangle and turns toward the side below it. If triangles coincide, those that close
 * come first.
 */
function inOrder(body: Placed, sides: readonly number[], opens: readonly boolean[]): number[] {
  const corners = new Float64Array(9);
  p = new Float64Array(6 + 3 * sides.length);
  const third = (i: number): number => 6 + 3 * i;
  sides.forEach((side, i) => {
    placeCorners(body, Math.floor(side / 3), corners, 0);
    const k = side % 3;
    if (i === 0) {
      p.set(corners.subarray(3 * k, 3 * k + 3));
      const to = 3 * ((k + 1) % 3);
      p.set(corners.subarray(to, to + 3), 3);
    }
    const at = 3 * ((k + 2) % 3);
    p.set(corners.subarray(at, at + 3), third(i));
  });
  // 0: on the half-plane of the first; 1: below it; 2: opposite; 3: above it.
  const quarters = sides.map((_, i) => {
    const side = orient3dAt(p, 0, 3, third(0), third(i));
    return side > 0 ? 1 : side < 0 ? 3 : isBeside(third(0), third(i)) ? 0 : 2;
  });
  const order = sides.map((_, i) => i);
  return order.sort(
    (i, j) =>
      quarters[i] - quarters[j] ||
      (quarters[i] % 2 === 0 ? 0 : -orient3dAt(p, 0, 3, third(i), third(j))) ||
      Number(opens[i]) - Number(opens[j]),
  );
}

const triangle = new Float64Array(12);

/** Whether two points that are coplanar with the edge lie on the same side of it. */
function isBeside(first: number, second: number): boolean {
  triangle.set(p.subarray(0, 6));
  triangle.set(p.subarray(first, first + 3), 6);
  triangle.set(p.subarray(second, second + 3), 9);
  const axis = projectionAxis(triangle, 0);
  if (axis < 0) return true;
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  return orient2dAt(triangle, 0, 3, 6, u, v) === orient2dAt(triangle, 0, 3, 9, u, v);
}

/**
 * Pairs opening with closing triangles around the edge. A closed, oriented surface has equally many of both at an edge.
 */
function bracketed(order: readonly number[], opens: readonly boolean[]): [number, number][] {
  const pairs: [number, number][] = [];
  const open: number[] = [];
  const paired = new Set<number>();
  for (let round = 0; round < 2; round++) {
    for (const i of order) {
      if (paired.has(i)) continue;
      if (opens[i]) {
        if (round === 0) open.push(i);
        continue;
      }
      const partner = open.pop();
      if (partner === undefined) continue;
      paired.add(partner).add(i);
      pairs.push([partner, i]);
    }
  }
  return pairs;
}

/** Estimates whether the solid's volume is negative. */
function isInsideOut(body: Placed): boolean {
  let volume = 0;
  const origin = new Float64Array(3);
  for (let t = 0; t < body.shape.mesh.triangleCount; t++) {
    placeCorners(body, t, triangle, 0);
    if (t === 0) origin.set(triangle.subarray(0, 3));
    const [a, b, c] = [0, 3, 6].map(at => [0, 1, 2].map(axis => triangle[at + axis] - origin[axis]));
    volume +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return volume < 0;
}
