// What does a mesh enclose if it bounds no solid? This makes a solid of it, as nearly as its triangles tell:
//  - Where triangles do not agree on what is outside, they are turned: neighbours across an edge of two triangles run along
//    it in opposite directions, and connected triangles enclose a positive volume.
//  - Positions nearer to each other than float32 rounds them count as one, if the mesh has holes.
//  - Holes are closed. The edges that triangles still use more often in one direction than in the other form closed curves.
//    Triangles join each connected set of them to the mean of its vertices. So a hole with three edges is filled exactly,
//    and the ends of a tube get discs.
//  - A part that is flat encloses nothing: it is left out.
// So a box that misses a triangle, or whose triangles wind in any order, encloses what the box does.

import type { Shape } from '../../bodies/snapshot/snapshot.ts';
import { toEnd } from '../../core/waiting.ts';
import { DisjointSets, noEdge } from '../../mesh/facts.ts';
import { type Indices, type Mesh, mesh, type Positions } from '../../mesh/mesh.ts';

/** Positions are one if they differ by less than this share of the largest coordinate: float32 rounds by 2^-24 of it. */
const same = 2 ** -22;
/** A part is flat if it is thinner than this share of its size. */
const flat = 2 ** -20;

/** What a shape encloses. */
export interface Enclosure {
  /** A shape that bounds it: the shape itself if it is a solid; undefined if it encloses nothing. */
  readonly shape: Shape | undefined;
  /** How many flat parts were left out. Several may surround a place, although each encloses nothing. */
  readonly flatParts: number;
}

/** Vertices or triangles that are looked at in one step. */
const atOnce = 4096;

/** By positions, which belong to one revision of a shape. Several meshes may have the same positions: it is known for one of them. */
const known = new WeakMap<Positions, { readonly of: Mesh; readonly enclosure: Enclosure }>();

/** Computed once. */
export function enclosureOf(shape: Shape): Enclosure {
  toEnd(findEnclosure(shape));
  return shape.mesh.solid ? { shape, flatParts: 0 } : known.get(shape.positions)!.enclosure;
}

/** Computes what a shape encloses, in steps, if it is not known yet. */
export function* findEnclosure(shape: Shape): Generator<undefined, void> {
  const { mesh: of, positions } = shape;
  if (known.get(positions)?.of === of) return;
  yield* of.solidInSteps();
  if (!of.solid) known.set(positions, { of, enclosure: yield* enclose(shape) });
}

function* enclose({ mesh: given, positions }: Shape): Generator<undefined, Enclosure> {
  const points = Float64Array.from(positions);
  const vertexOf = given.edges.everyEven
    ? given.adjacency.vertexOf
    : yield* snapped(points, given.adjacency.vertexOf);
  const { triangles, flatParts } = yield* withoutFlatParts(points, given.indices, vertexOf);
  if (triangles.length === 0) return { shape: undefined, flatParts };
  yield;
  yield* turnAlike(points, triangles);
  yield;
  const closed = yield* withoutHoles(points, triangles);
  return { shape: { mesh: closed, positions: closed.positions, revision: 0 }, flatParts };
}

/** Per vertex, the first one that is at the same position, or nearly. Moves vertices there. */
function* snapped(points: Float64Array, vertexOf: Uint32Array): Generator<undefined, Uint32Array> {
  let size = 0;
  for (const x of points) size = Math.max(size, Math.abs(x));
  const apart = same * size;
  // Cells several times as wide, so that few points are near to more than one. In a cell, no two first vertices are near to
  // each other, so there are at most five per axis.
  const cell = 4 * apart;
  const first = new Uint32Array(vertexOf.length);
  /** First vertices by a hash of their cell. */
  const cells = new Map<number, number[]>();
  const near = (v: number, w: number): boolean =>
    Math.abs(points[3 * v] - points[3 * w]) <= apart &&
    Math.abs(points[3 * v + 1] - points[3 * w + 1]) <= apart &&
    Math.abs(points[3 * v + 2] - points[3 * w + 2]) <= apart;
  const keyOf = (x: number, y: number, z: number): number =>
    Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791);
  const cellOf = (x: number): number => Math.floor(x / cell);
  for (let v = 0; v < vertexOf.length; v++) {
    if (v % atOnce === 0) yield;
    first[v] = v;
    if (vertexOf[v] !== v) {
      first[v] = first[vertexOf[v]];
      continue;
    }
    const [x, y, z] = [points[3 * v], points[3 * v + 1], points[3 * v + 2]];
    for (let i = cellOf(x - apart); i <= cellOf(x + apart); i++)
      for (let j = cellOf(y - apart); j <= cellOf(y + apart); j++)
        for (let k = cellOf(z - apart); k <= cellOf(z + apart); k++)
          for (const w of cells.get(keyOf(i, j, k)) ?? []) if (w < first[v] && near(v, w)) first[v] = w;
    if (first[v] < v) continue;
    const key = keyOf(cellOf(x), cellOf(y), cellOf(z));
    const there = cells.get(key);
    if (there) there.push(v);
    else cells.set(key, [v]);
  }
  return first;
}

/** The triangles of connected parts that are not flat, and how many parts are. */
function* withoutFlatParts(
  points: Float64Array,
  indices: Indices,
  vertexOf: Uint32Array,
): Generator<undefined, { triangles: Uint32Array; flatParts: number }> {
  const all = mesh(
    points,
    Uint32Array.from(indices, v => vertexOf[v]),
  );
  yield* all.partsInSteps();
  const { componentOf, componentCount } = all.adjacency;
  const parts: number[][] = Array.from({ length: componentCount }, () => []);
  for (let t = 0; t < componentOf.length; t++) {
    if (t % atOnce === 0) yield;
    const [a, b, c] = [all.indices[3 * t], all.indices[3 * t + 1], all.indices[3 * t + 2]];
    if (a !== b && b !== c && c !== a) parts[componentOf[t]].push(a, b, c);
  }
  const solid: number[][] = [];
  let [length, looked] = [0, 0];
  for (const corners of parts) {
    if (!isFlat(points, corners)) {
      solid.push(corners);
      length += corners.length;
    }
    looked += corners.length;
    if (looked >= atOnce) {
      looked = 0;
      yield;
    }
  }
  const triangles = new Uint32Array(length);
  let at = 0;
  for (const corners of solid) {
    triangles.set(corners, at);
    at += corners.length;
  }
  return { triangles, flatParts: componentCount - solid.length };
}

/** Whether all vertices lie in the plane of three that are far apart, or nearly. */
function isFlat(points: Float64Array, vertices: readonly number[]): boolean {
  if (vertices.length === 0) return true;
  const at = (v: number): number[] => [points[3 * v], points[3 * v + 1], points[3 * v + 2]];
  const from = (p: number[], q: number[]): number[] => [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const farthest = (measure: (p: number[]) => number): number[] => {
    let [best, most] = [at(vertices[0]), -1];
    for (const v of vertices) {
      const p = at(v);
      const far = measure(p);
      if (far > most) [best, most] = [p, far];
    }
    return best;
  };
  const p = at(vertices[0]);
  const q = farthest(x => Math.hypot(...from(p, x)));
  const along = from(p, q);
  const size = Math.hypot(...along);
  const r = farthest(x => Math.hypot(...crossed(along, from(p, x))));
  const normal = crossed(along, from(p, r));
  const length = Math.hypot(...normal);
  if (!(length > flat * size * size)) return true;
  const height = (x: number[]): number => {
    const d = from(p, x);
    return Math.abs(normal[0] * d[0] + normal[1] * d[1] + normal[2] * d[2]) / length;
  };
  return !(height(farthest(height)) > flat * size);
}

const crossed = (u: number[], v: number[]): number[] => [
  u[1] * v[2] - u[2] * v[1],
  u[2] * v[0] - u[0] * v[2],
  u[0] * v[1] - u[1] * v[0],
];

/** Turns triangles so that neighbours agree, unless they do already, but for holes. */
function* turnAlike(points: Float64Array, triangles: Uint32Array): Generator<undefined, void> {
  const all = mesh(points, triangles);
  yield* all.solidInSteps();
  const { edges, adjacency } = all;
  const { forward, backward, start, triangles: sides } = edges;
  if (forward.every((sum, e) => Math.abs(sum - backward[e]) <= 1)) return;
  const { edgeOf } = adjacency;
  const count = triangles.length / 3;
  const [unknown, asGiven] = [2, 0];
  /** Per triangle, 1 if it is turned over. */
  const turned = new Uint8Array(count).fill(unknown);
  for (let first = 0; first < count; first++) {
    if (turned[first] !== unknown) continue;
    turned[first] = asGiven;
    const part = [first];
    for (let i = 0; i < part.length; i++) {
      if (i % atOnce === atOnce - 1) yield;
      const t = part[i];
      for (let k = 3 * t; k < 3 * t + 3; k++) {
        const edge = edgeOf[k];
        if (edge === noEdge || start[edge + 1] - start[edge] !== 2) continue;
        const next = sides[start[edge]] === t ? sides[start[edge] + 1] : sides[start[edge]];
        if (turned[next] !== unknown) continue;
        // Neighbours that agree run along their edge in opposite directions.
        turned[next] = turned[t] ^ (forward[edge] === 1 ? 0 : 1);
        part.push(next);
      }
    }
    if (volumeOf(points, triangles, part, turned) < 0) for (const t of part) turned[t] ^= 1;
  }
  for (let t = 0; t < count; t++) {
    if (turned[t] === 0) continue;
    const b = triangles[3 * t + 1];
    triangles[3 * t + 1] = triangles[3 * t + 2];
    triangles[3 * t + 2] = b;
  }
}

/** Six times the volume between triangles and the first corner. */
function volumeOf(
  points: Float64Array,
  triangles: Uint32Array,
  part: readonly number[],
  turned: Uint8Array,
): number {
  const o = 3 * triangles[3 * part[0]];
  const at = (v: number): number[] => [0, 1, 2].map(k => points[3 * v + k] - points[o + k]);
  let volume = 0;
  for (const t of part) {
    const [p, q, r] = [at(triangles[3 * t]), at(triangles[3 * t + 1]), at(triangles[3 * t + 2])];
    const n = crossed(q, r);
    volume += (turned[t] === 1 ? -1 : 1) * (p[0] * n[0] + p[1] * n[1] + p[2] * n[2]);
  }
  return volume;
}

/**
 * The mesh with its holes closed. Edges that more sides run along one way than the other are joined to the mean of their
 * vertices, per connected set. The sides of all triangles add up to closed curves, and so do those of each connected set:
 * the new triangles close it.
 */
function* withoutHoles(points: Float64Array, triangles: Uint32Array): Generator<undefined, Mesh> {
  const all = mesh(points, triangles);
  yield* all.solidInSteps();
  const { count, vertices, forward, backward } = all.edges;
  const sets = new DisjointSets(points.length / 3);
  const rimEdges: number[] = [];
  for (let e = 0; e < count; e++) {
    if (forward[e] === backward[e]) continue;
    rimEdges.push(e);
    sets.join(vertices[2 * e], vertices[2 * e + 1]);
  }
  const rims = new Map<number, Set<number>>();
  for (const e of rimEdges) {
    const rim = sets.find(vertices[2 * e]);
    let onRim = rims.get(rim);
    if (!onRim) rims.set(rim, (onRim = new Set()));
    onRim.add(vertices[2 * e]).add(vertices[2 * e + 1]);
  }
  const corners = new Float64Array(points.length + 3 * rims.size);
  corners.set(points);
  const apexOf = new Map<number, number>();
  for (const [rim, onRim] of rims) {
    const apex = points.length / 3 + apexOf.size;
    for (const v of onRim)
      for (let k = 0; k < 3; k++) corners[3 * apex + k] += points[3 * v + k] / onRim.size;
    apexOf.set(rim, apex);
  }
  const added: number[] = [];
  for (const e of rimEdges) {
    const [low, high] = [vertices[2 * e], vertices[2 * e + 1]];
    const excess = forward[e] - backward[e];
    const apex = apexOf.get(sets.find(low))!;
    // The new sides run the other way.
    for (let i = 0; i < Math.abs(excess); i++)
      added.push(excess > 0 ? high : low, excess > 0 ? low : high, apex);
  }
  yield;
  const sides = new Uint32Array(triangles.length + added.length);
  sides.set(triangles);
  sides.set(added, triangles.length);
  const closed = mesh(corners, sides);
  yield* closed.solidInSteps();
  return closed;
}
