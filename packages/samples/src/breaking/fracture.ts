// How a solid breaks, as a tree: a plane cuts it in two, each half again, until every piece contains one of some
// seeded points. Points are densest at the impact, so pieces are smallest there. A plane stands between the means of
// two halves of a piece's points, as in a Voronoi diagram between two points, so pieces are convex except for the
// surface of the solid. Because pieces come from halving, two pieces share the same surface on both sides.

import { type Mesh, mesh, type shapes } from 'nearfield';
import { dot, length, plus, times, type Vector } from '../rigid/vector.ts';
import { cutSolid, type Plane, Vertices } from './cut.ts';

type Random = ReturnType<typeof shapes.createRandom>;

/** A part of the solid, closed, and what it breaks into. */
export interface Fragment {
  /** Three vertices per triangle. */
  readonly triangles: Uint32Array;
  /** The planes that cut it out; it lies where normal·p ≤ offset. */
  readonly planes: readonly Plane[];
  /** Two or more; none for the last pieces. */
  readonly children: readonly Fragment[];
}

export interface Fracture {
  readonly vertices: Vertices;
  /** The number of vertices of the solid itself, which come first. */
  readonly originalCount: number;
  readonly whole: Fragment;
}

export interface FractureOptions {
  /** The number of points; there are a few more pieces if a cut leaves more than two. */
  readonly pieces: number;
  /** The point of impact. */
  readonly struck: Vector;
  /** At this distance from there, pieces are about twice as large. */
  readonly reach: number;
  readonly random: Random;
}

export function fracture(solid: Mesh, { pieces, struck, reach, random }: FractureOptions): Fracture {
  const vertices = new Vertices(solid.positions);
  const points = seedPoints(solid, pieces, struck, reach, random);
  const triangles = Uint32Array.from(solid.indices);
  const whole = broken(vertices, { triangles, planes: [], children: [] }, points, random);
  return { vertices, originalCount: solid.vertexCount, whole };
}

/** The last pieces of a fragment, in order. */
export function lastPieces(fragment: Fragment): Fragment[] {
  return fragment.children.length === 0 ? [fragment] : fragment.children.flatMap(lastPieces);
}

/** A mesh of its own, moved so that `middle` is the origin. */
export function meshOf({ vertices }: Fracture, { triangles }: Fragment, middle: Vector = [0, 0, 0]): Mesh {
  const indexOf = new Map<number, number>();
  const positions: number[] = [];
  const indices = triangles.map(vertex => {
    let index = indexOf.get(vertex);
    if (index === undefined) {
      indexOf.set(vertex, (index = indexOf.size));
      positions.push(...plus(vertices.at(vertex), middle, -1));
    }
    return index;
  });
  return mesh(Float64Array.from(positions), indices);
}

/** Points on the solid, kept with a probability that falls with the distance from the impact. */
function seedPoints(
  { positions, indices, triangleCount }: Mesh,
  count: number,
  struck: Vector,
  reach: number,
  random: Random,
): Vector[] {
  const at = (i: number): Vector => [
    positions[3 * indices[i]],
    positions[3 * indices[i] + 1],
    positions[3 * indices[i] + 2],
  ];
  const points: Vector[] = [];
  while (points.length < count) {
    const first = 3 * random.integer(triangleCount);
    const [a, b, c] = [at(first), at(first + 1), at(first + 2)];
    const u = Math.sqrt(random.next());
    const v = u * random.next();
    const point = plus(plus(times(a, 1 - u), b, u - v), c, v);
    const away = length(plus(point, struck, -1)) / reach;
    if (random.next() < 1 / (1 + away * away * away)) points.push(point);
  }
  return points;
}

function broken(vertices: Vertices, fragment: Fragment, points: readonly Vector[], random: Random): Fragment {
  if (points.length < 2) return fragment;
  const split = planeBetween(points, random);
  if (split === undefined) return fragment;
  const { plane, above, below } = split;
  const halves = cutSolid(vertices, fragment.triangles, plane);
  const opposite: Plane = { normal: times(plane.normal, -1), offset: -plane.offset };
  const sides = [
    { triangles: halves.below, planes: [...fragment.planes, plane], points: below },
    { triangles: halves.above, planes: [...fragment.planes, opposite], points: above },
  ];
  const children = sides.flatMap(side =>
    connectedParts(side.triangles, vertices.count).map(triangles => ({
      triangles,
      planes: side.planes,
      points: side.points,
    })),
  );
  // A plane that misses the fragment leaves it whole, with the points on its side.
  if (children.length === 1) return broken(vertices, fragment, children[0].points, random);
  return {
    ...fragment,
    children: children.map(({ triangles, planes, points: all }) => {
      const own = children.length === 2 ? all : nearestTo(vertices, triangles, children, all);
      return broken(vertices, { triangles, planes, children: [] }, own, random);
    }),
  };
}

/** Across the longest extent of the points, tilted a little at random. */
function planeBetween(
  points: readonly Vector[],
  random: Random,
): { plane: Plane; above: Vector[]; below: Vector[] } | undefined {
  const mean = meanOf(points);
  const farthest = (from: Vector): Vector =>
    points.reduce((best, p) => (length(plus(p, from, -1)) > length(plus(best, from, -1)) ? p : best));
  const one = farthest(mean);
  const other = farthest(one);
  const along = plus(other, one, -1);
  const size = length(along);
  if (size === 0) return undefined;
  const leaning = plus(times(along, 1 / size), random.direction(), 0.25);
  const normal = times(leaning, 1 / length(leaning));
  const sorted = [...points].sort((p, q) => dot(normal, p) - dot(normal, q));
  const half = sorted.length >> 1;
  const [below, above] = [sorted.slice(0, half), sorted.slice(half)];
  const offset = (dot(normal, meanOf(below)) + dot(normal, meanOf(above))) / 2;
  return { plane: { normal, offset }, above, below };
}

const meanOf = (points: readonly Vector[]): Vector =>
  times(
    points.reduce((sum, p) => plus(sum, p), [0, 0, 0] as Vector),
    1 / points.length,
  );

/** Triangles that are connected through vertices. */
function connectedParts(triangles: readonly number[], vertexCount: number): Uint32Array[] {
  const parent = new Int32Array(vertexCount).fill(-1);
  const rootOf = (vertex: number): number => {
    let root = vertex;
    while (parent[root] >= 0) {
      const up = parent[root];
      if (parent[up] >= 0) parent[root] = parent[up];
      root = up;
    }
    return root;
  };
  const join = (a: number, b: number): void => {
    const [p, q] = [rootOf(a), rootOf(b)];
    if (p !== q) parent[q] = p;
  };
  for (let i = 0; i < triangles.length; i += 3) {
    join(triangles[i], triangles[i + 1]);
    join(triangles[i], triangles[i + 2]);
  }
  const parts = new Map<number, number[]>();
  for (let i = 0; i < triangles.length; i += 3) {
    const root = rootOf(triangles[i]);
    let part = parts.get(root);
    if (!part) parts.set(root, (part = []));
    part.push(triangles[i], triangles[i + 1], triangles[i + 2]);
  }
  return [...parts.values()].map(part => Uint32Array.from(part));
}

/** If a cut leaves several parts on one side, a point belongs to the part with the nearest vertex. */
function nearestTo(
  vertices: Vertices,
  triangles: Uint32Array,
  parts: readonly { triangles: Uint32Array; points: readonly Vector[] }[],
  points: readonly Vector[],
): Vector[] {
  const { positions } = vertices;
  /** The square of a point's distance, or of any distance below `enough`. */
  const distance = (part: Uint32Array, [x, y, z]: Vector, enough = 0): number => {
    let least = Infinity;
    for (let i = 0; i < part.length; i += 3) {
      const at = 3 * part[i];
      const [dx, dy, dz] = [positions[at] - x, positions[at + 1] - y, positions[at + 2] - z];
      const squared = dx * dx + dy * dy + dz * dz;
      if (squared >= least) continue;
      least = squared;
      if (least < enough) break;
    }
    return least;
  };
  const beside = parts.filter(part => part.points === points);
  return points.filter(p => {
    const own = distance(triangles, p);
    return beside.every(part => part.triangles === triangles || distance(part.triangles, p, own) >= own);
  });
}
