// What does a mesh enclose that bounds no solid? A solid made of it, as nearly as its triangles tell:
//  - Where triangles do not agree on what is outside, they are turned: neighbours across an edge of two triangles run along
//    it in opposite directions, and connected triangles enclose a positive volume.
//  - Positions nearer to each other than float32 rounds them count as one, if the mesh has holes.
//  - Holes are closed. All edges that are still run along more often one way than the other are chains of closed curves.
//    Each connected set of them is joined to the mean of its vertices by triangles. A hole with three edges is so filled
//    exactly, and the ends of a tube by discs.
//  - A part that is flat encloses nothing: it is left out.
// So a box that misses a triangle, or whose triangles wind in any order, encloses what the box does.

import type { Shape } from '../../bodies/snapshot/snapshot.ts';
import { DisjointSets } from '../../mesh/facts.ts';
import { mesh, type Positions } from '../../mesh/mesh.ts';

/** Positions are one if they differ by less than this share of the largest coordinate: float32 rounds by 2^-24 of it. */
const same = 2 ** -22;
/** Two vertices make one number: 2^26 of them need more memory than there is. */
const mostVertices = 2 ** 26;
/** A part is flat if it is thinner than this share of its size. */
const flat = 2 ** -20;

/** What a shape encloses. */
export interface Enclosure {
  /** A shape that bounds it: the shape itself if it is a solid; undefined if it encloses nothing. */
  readonly shape: Shape | undefined;
  /** How many flat parts were left out. Several may surround a place, although each encloses nothing. */
  readonly flatParts: number;
}

/** By positions: these belong to one revision of one shape, or to all shapes of a mesh. */
const knownPositions = new WeakMap<Positions, Enclosure>();

/** Computed once. */
export function enclosureOf(shape: Shape): Enclosure {
  if (shape.mesh.solid) return { shape, flatParts: 0 };
  let known = knownPositions.get(shape.positions);
  if (known === undefined) knownPositions.set(shape.positions, (known = enclose(shape)));
  return known;
}

function enclose({ mesh: given, positions }: Shape): Enclosure {
  const points = Float64Array.from(positions);
  const vertexOf = given.edges.everyEven
    ? given.adjacency.vertexOf
    : snapped(points, given.adjacency.vertexOf);
  const triangles: number[] = [];
  for (let i = 0; i < given.indices.length; i += 3) {
    const a = vertexOf[given.indices[i]];
    const b = vertexOf[given.indices[i + 1]];
    const c = vertexOf[given.indices[i + 2]];
    if (a !== b && b !== c && c !== a) triangles.push(a, b, c);
  }
  const { kept, flatParts } = withoutFlatParts(points, triangles);
  if (kept.length === 0) return { shape: undefined, flatParts };
  turnAlike(points, kept);
  const corners = Array.from(points);
  closeHoles(corners, kept);
  const closed = mesh(Float64Array.from(corners), Uint32Array.from(kept));
  return { shape: { mesh: closed, positions: closed.positions, revision: 0 }, flatParts };
}

/** Per vertex, the first one that is at the same position, or nearly. Moves vertices there. */
function snapped(points: Float64Array, vertexOf: Uint32Array): Uint32Array {
  let size = 0;
  for (const x of points) size = Math.max(size, Math.abs(x));
  const cell = same * size;
  const first = new Uint32Array(vertexOf.length);
  const cells = new Map<string, number[]>();
  const near = (v: number, w: number): boolean =>
    [0, 1, 2].every(k => Math.abs(points[3 * v + k] - points[3 * w + k]) <= cell);
  for (let v = 0; v < vertexOf.length; v++) {
    first[v] = v;
    if (vertexOf[v] !== v) {
      first[v] = first[vertexOf[v]];
      continue;
    }
    const [x, y, z] = [0, 1, 2].map(k => Math.floor(points[3 * v + k] / cell));
    let found: number | undefined;
    for (let i = 0; i < 27 && found === undefined; i++) {
      const key = `${x + (i % 3) - 1},${y + (Math.floor(i / 3) % 3) - 1},${z + Math.floor(i / 9) - 1}`;
      found = cells.get(key)?.find(w => near(v, w));
    }
    if (found !== undefined) {
      first[v] = found;
      continue;
    }
    const key = `${x},${y},${z}`;
    const there = cells.get(key);
    if (there) there.push(v);
    else cells.set(key, [v]);
  }
  return first;
}

/** The triangles of connected parts that are not flat, and how many parts are. */
function withoutFlatParts(
  points: Float64Array,
  triangles: readonly number[],
): { kept: number[]; flatParts: number } {
  const sets = new DisjointSets(points.length / 3);
  for (let i = 0; i < triangles.length; i += 3) {
    sets.join(triangles[i], triangles[i + 1]);
    sets.join(triangles[i], triangles[i + 2]);
  }
  const parts = new Map<number, number[]>();
  for (let i = 0; i < triangles.length; i += 3) {
    const part = sets.find(triangles[i]);
    const list = parts.get(part);
    if (list) list.push(i);
    else parts.set(part, [i]);
  }
  const kept: number[] = [];
  let flatParts = 0;
  for (const part of parts.values()) {
    const corners = part.flatMap(i => [triangles[i], triangles[i + 1], triangles[i + 2]]);
    if (isFlat(points, corners)) flatParts++;
    else for (const v of corners) kept.push(v);
  }
  return { kept, flatParts };
}

/** Whether all vertices lie in the plane of three that are far apart, or nearly. */
function isFlat(points: Float64Array, vertices: readonly number[]): boolean {
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

/** One side of a triangle along an edge, from the lower to the higher vertex or back. */
interface Side {
  readonly triangle: number;
  readonly forward: boolean;
}

/** The sides along each edge, by its lower vertex times 2^26 plus its higher one. */
function edgesOf(triangles: readonly number[]): Map<number, Side[]> {
  const edges = new Map<number, Side[]>();
  for (let i = 0; i < triangles.length; i++) {
    const u = triangles[i];
    const v = triangles[i % 3 === 2 ? i - 2 : i + 1];
    const key = u < v ? u * mostVertices + v : v * mostVertices + u;
    const side = { triangle: Math.floor(i / 3), forward: u < v };
    const sides = edges.get(key);
    if (sides) sides.push(side);
    else edges.set(key, [side]);
  }
  return edges;
}

const excessOf = (sides: readonly Side[]): number =>
  sides.reduce((sum, { forward }) => sum + (forward ? 1 : -1), 0);

/** Turns triangles so that neighbours agree, unless they do already, but for holes. */
function turnAlike(points: Float64Array, triangles: number[]): void {
  const edges = [...edgesOf(triangles).values()];
  if (edges.every(sides => Math.abs(excessOf(sides)) <= 1)) return;
  const count = triangles.length / 3;
  const neighbours: [number, boolean][][] = Array.from({ length: count }, () => []);
  for (const sides of edges) {
    if (sides.length !== 2) continue;
    const [s, t] = sides;
    const turn = s.forward === t.forward;
    neighbours[s.triangle].push([t.triangle, turn]);
    neighbours[t.triangle].push([s.triangle, turn]);
  }
  const turned: (boolean | undefined)[] = Array(count).fill(undefined);
  for (let start = 0; start < count; start++) {
    if (turned[start] !== undefined) continue;
    turned[start] = false;
    const part = [start];
    for (let i = 0; i < part.length; i++) {
      for (const [next, turn] of neighbours[part[i]]) {
        if (turned[next] !== undefined) continue;
        turned[next] = turned[part[i]] !== turn;
        part.push(next);
      }
    }
    if (volumeOf(points, triangles, part, turned) < 0) for (const t of part) turned[t] = !turned[t];
  }
  for (let t = 0; t < count; t++) {
    if (turned[t])
      [triangles[3 * t + 1], triangles[3 * t + 2]] = [triangles[3 * t + 2], triangles[3 * t + 1]];
  }
}

/** Six times the volume between triangles and the first corner. */
function volumeOf(
  points: Float64Array,
  triangles: readonly number[],
  part: readonly number[],
  turned: readonly (boolean | undefined)[],
): number {
  const o = 3 * triangles[3 * part[0]];
  const at = (v: number): number[] => [0, 1, 2].map(k => points[3 * v + k] - points[o + k]);
  let volume = 0;
  for (const t of part) {
    const [p, q, r] = [at(triangles[3 * t]), at(triangles[3 * t + 1]), at(triangles[3 * t + 2])];
    const n = crossed(q, r);
    volume += (turned[t] ? -1 : 1) * (p[0] * n[0] + p[1] * n[1] + p[2] * n[2]);
  }
  return volume;
}

/**
 * Joins the edges that sides run along more often one way to the mean of their vertices, per connected set. The sides of
 * all triangles add up to closed curves, and so do those of each connected set: the new triangles close it.
 */
function closeHoles(points: number[], triangles: number[]): void {
  const open: { u: number; v: number; times: number }[] = [];
  const sets = new DisjointSets(points.length / 3);
  for (const [key, sides] of edgesOf(triangles)) {
    const excess = excessOf(sides);
    if (excess === 0) continue;
    const [low, high] = [Math.floor(key / mostVertices), key % mostVertices];
    // The new sides run the other way.
    open.push(excess > 0 ? { u: high, v: low, times: excess } : { u: low, v: high, times: -excess });
    sets.join(low, high);
  }
  const rims = new Map<number, Set<number>>();
  for (const { u, v } of open) {
    const rim = sets.find(u);
    let vertices = rims.get(rim);
    if (!vertices) rims.set(rim, (vertices = new Set()));
    vertices.add(u).add(v);
  }
  const apexOf = new Map<number, number>();
  for (const [rim, vertices] of rims) {
    const mean = [0, 0, 0];
    for (const v of vertices) for (let k = 0; k < 3; k++) mean[k] += points[3 * v + k] / vertices.size;
    apexOf.set(rim, points.length / 3);
    points.push(...mean);
  }
  for (const { u, v, times } of open)
    for (let i = 0; i < times; i++) triangles.push(u, v, apexOf.get(sets.find(u))!);
}
