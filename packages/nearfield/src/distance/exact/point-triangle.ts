// Which of several triangles is exactly the nearest to a point, how far is it, and where? Coordinates relative to the
// point are integers of one scale. The nearest feature follows from signs (Ericson, Real-Time Collision Detection,
// 5.1.5), and squared distances are fractions. Among equally near triangles the first is given.

import {
  cross,
  dot,
  fromDoubles,
  type Homogeneous,
  minus,
  ratioToDouble,
  type Vector,
} from '../../math/exact/rational.ts';
import { type Pose, placeTriangle } from '../../math/pose.ts';
import type { Indices, Positions } from '../../mesh/mesh.ts';
import { rootToDouble } from './triangle-distance.ts';

/** The parts of a body that this file reads. */
export interface PointTarget {
  readonly pose: Pose;
  readonly positions: Positions;
  readonly mesh: { readonly indices: Indices };
}

/**
 * The nearest triangle to a point. Coordinates are relative to the point, in integers; `unit` of them make one world
 * unit.
 */
export interface NearestToPoint {
  readonly triangle: number;
  /** 0 is the face; 1 to 3 the edges from corner 0 to 1, 1 to 2, 2 to 0; 4 to 6 the corners. */
  readonly feature: number;
  /** The squared distance is numerator / denominator / unit², denominator > 0. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** The vector from the point to the nearest one, times `denominator`. */
  readonly way: Vector;
  readonly unit: bigint;
}

type Foot = Pick<NearestToPoint, 'feature' | 'numerator' | 'denominator' | 'way'>;

const corners = new Float64Array(9);

/**
 * The nearest of the triangles, the first of equals in the given order; undefined if none is nearer than `upTo`. `before` is what
 * this returned for the triangles that come before these in the order.
 */
export function nearestToPoint(
  point: ArrayLike<number>,
  body: PointTarget,
  triangles: ArrayLike<number>,
  upTo: number,
  before?: NearestToPoint,
): NearestToPoint | undefined {
  const origin = fromDoubles(point[0], point[1], point[2]);
  let best = before;
  for (let i = 0; i < triangles.length; i++) {
    placeTriangle(body.pose, body.positions, body.mesh.indices, triangles[i], corners, 0);
    const points = [0, 3, 6].map(at => fromDoubles(corners[at], corners[at + 1], corners[at + 2]));
    let unit = origin.w;
    for (const { w } of points) if (w > unit) unit = w;
    const [a, b, c] = points.map(corner => relative(corner, origin, unit));
    const found = { triangle: triangles[i], unit, ...footOn(a, b, c) };
    if (best === undefined ? isNearer(found, upTo) : compare(found, best) < 0n) best = found;
  }
  return best;
}

/** How many triangles are tried between two looks at the clock: about half a millisecond. */
const triangleStep = 512;

/**
 * Decides the (point, triangle) pairs that a search left: for each point the nearest of its triangles, the lowest among
 * equals. `use` is not called for a point with nothing nearer than the bound. Yields the share done.
 */
export function* decidePoints(
  unsure: Uint32Array,
  points: Float64Array,
  body: PointTarget,
  boundOf: (point: number) => number,
  use: (point: number, found: NearestToPoint) => void,
): Generator<number, void> {
  for (let from = 0; from < unsure.length; ) {
    const i = unsure[from];
    let end = from;
    while (end < unsure.length && unsure[end] === i) end += 2;
    const triangles = new Uint32Array((end - from) / 2);
    for (let k = 0; k < triangles.length; k++) triangles[k] = unsure[from + 2 * k + 1];
    triangles.sort();
    const point = points.subarray(3 * i, 3 * i + 3);
    let found: NearestToPoint | undefined;
    for (let k = 0; k < triangles.length; k += triangleStep) {
      found = nearestToPoint(point, body, triangles.subarray(k, k + triangleStep), boundOf(i), found);
      yield (from + 2 * k) / unsure.length;
    }
    from = end;
    if (found !== undefined) use(i, found);
  }
}

/** The distance, correctly rounded. */
export const pointDistance = ({ numerator, denominator, unit }: NearestToPoint): number =>
  rootToDouble(numerator, denominator * unit * unit);

/** The nearest point, each coordinate correctly rounded. */
export function nearestPoint(
  { way, denominator, unit }: NearestToPoint,
  point: ArrayLike<number>,
): [number, number, number] {
  const { x, y, z, w } = fromDoubles(point[0], point[1], point[2]);
  const divisor = denominator * unit;
  const at = (own: bigint, along: bigint) => ratioToDouble(own * divisor + along * w, divisor * w);
  return [at(x, way.x), at(y, way.y), at(z, way.z)];
}

/** A corner minus the origin. Both denominators are powers of two, and `unit` is at least as large as either. */
function relative({ x, y, z, w }: Homogeneous, origin: Homogeneous, unit: bigint): Vector {
  const [own, others] = [unit / w, unit / origin.w];
  return { x: x * own - origin.x * others, y: y * own - origin.y * others, z: z * own - origin.z * others };
}

/** The point of the triangle nearest to the origin. */
function footOn(a: Vector, b: Vector, c: Vector): Foot {
  const u = minus(b, a);
  const v = minus(c, a);
  // How far the origin is ahead of a, of b and of c along the two sides that start at a.
  const [d1, d2] = [-dot(u, a), -dot(v, a)];
  if (d1 <= 0n && d2 <= 0n) return atCorner(a, 4);
  const [d3, d4] = [-dot(u, b), -dot(v, b)];
  if (d3 >= 0n && d4 <= d3) return atCorner(b, 5);
  const [d5, d6] = [-dot(u, c), -dot(v, c)];
  if (d6 >= 0n && d5 <= d6) return atCorner(c, 6);
  const n = cross(u, v);
  const square = dot(n, n);
  if (square === 0n) return onLine(a, b, c);
  if (d1 > 0n && d3 < 0n && dot(n, cross(a, b)) <= 0n) return onEdge(a, u, d1, d1 - d3, 1);
  const [fromB, fromC] = [d4 - d3, d5 - d6];
  if (fromB > 0n && fromC > 0n && dot(n, cross(b, c)) <= 0n)
    return onEdge(b, minus(c, b), fromB, fromB + fromC, 2);
  // The edge from c to a. It runs against v: −d6 is how far the origin is past c on it.
  if (d2 > 0n && d6 < 0n && dot(n, cross(c, a)) <= 0n) return onEdge(c, minus(a, c), -d6, d2 - d6, 3);
  const height = dot(n, a);
  const way = { x: n.x * height, y: n.y * height, z: n.z * height };
  return { feature: 0, numerator: height * height, denominator: square, way };
}

const atCorner = (corner: Vector, feature: number): Foot => ({
  feature,
  numerator: dot(corner, corner),
  denominator: 1n,
  way: corner,
});

/**
 * The point at the share along/whole of an edge from its start, 0 < along < whole. `whole` is the edge's squared
 * length.
 */
function onEdge(from: Vector, edge: Vector, along: bigint, whole: bigint, feature: number): Foot {
  const way = {
    x: from.x * whole + edge.x * along,
    y: from.y * whole + edge.y * along,
    z: from.z * whole + edge.z * along,
  };
  return { feature, numerator: dot(from, from) * whole - along * along, denominator: whole, way };
}

/** For a triangle that is a segment or a point: the nearest of its corners and edges, corners first. */
function onLine(a: Vector, b: Vector, c: Vector): Foot {
  let best = atCorner(a, 4);
  const offer = (foot: Foot) => {
    if (foot.numerator * best.denominator < best.numerator * foot.denominator) best = foot;
  };
  offer(atCorner(b, 5));
  offer(atCorner(c, 6));
  [a, b, c].forEach((from, i) => {
    const edge = minus([b, c, a][i], from);
    const [along, whole] = [-dot(from, edge), dot(edge, edge)];
    if (along > 0n && along < whole) offer(onEdge(from, edge, along, whole, i + 1));
  });
  return best;
}

function compare(a: NearestToPoint, b: NearestToPoint): bigint {
  if (a.unit === b.unit) return a.numerator * b.denominator - b.numerator * a.denominator;
  return a.numerator * b.denominator * b.unit ** 2n - b.numerator * a.denominator * a.unit ** 2n;
}

function isNearer({ numerator, denominator, unit }: NearestToPoint, distance: number): boolean {
  if (distance === Infinity) return true;
  const { x, w } = fromDoubles(distance, 0, 0);
  return numerator * w * w < x * x * denominator * unit * unit;
}
