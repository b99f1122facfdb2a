// Into which closed parts does a solid's surface fall? Triangles are joined in pairs along edges, each pair with opposite
// directions along its edge: so every part has a boundary that cancels, and is closed. An edge of more than two triangles, where
// solids share it, can be paired in several ways. Any will do; the one that keeps the solids apart is the best, since convex
// parts are easier than others. So triangles that other edges have joined are paired first. The rest are paired as brackets are,
// in their order around the edge: where one opens a wedge of the solid, the next that closes one is its partner.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { placeCorners, projectionAxis } from '../../../../bodies/snapshot/world.ts';
import { orient2dAt, orient3dAt } from '../../../../math/exact/orient.ts';
import { DisjointSets, noEdge } from '../../../../mesh/facts.ts';

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
  const startOf = (side: number): number => welds.vertexOf[indices[side]];
  let isTurned: boolean | undefined;
  // Edges of few triangles first: they leave less to choose.
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

/** The sides of an edge, less pairs that lead both ways along it and whose triangles are joined already. */
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

/** The edge at 0, then the third corners of the triangles. */
let p = new Float64Array(0);

/**
 * The triangles of an edge, by their places in `sides`, in the order in which a half-plane meets them that is turned around the
 * edge from the first, to the side that is below it. Of those that lie on one another, the ones that close come first.
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
  // On the half-plane of the first: 0; below it: 1; opposite: 2; above: 3.
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

/** Whether two points in one plane with the edge lie on the same side of it. */
function isBeside(first: number, second: number): boolean {
  triangle.set(p.subarray(0, 6));
  triangle.set(p.subarray(first, first + 3), 6);
  triangle.set(p.subarray(second, second + 3), 9);
  const axis = projectionAxis(triangle, 0);
  if (axis < 0) return true;
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  return orient2dAt(triangle, 0, 3, 6, u, v) === orient2dAt(triangle, 0, 3, 9, u, v);
}

/** Pairs of one that opens with one that closes, going around; a closed, oriented surface has as many of both at an edge. */
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

/** Whether the solid's volume is negative, about. */
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
