// Seeded shapes at the limits of doubles: needles, caps and slivers up to 10^12 times as long as wide, of any finite
// size, sheared, stretched along an axis, far from the origin. As triangles, as small closed solids, as pairs of
// solids, and points beside them. Every case has a `kind`, a few words for the messages of a failing test.

import { type Mesh, mesh } from 'nearfield';
import type { Part } from '../spec/scenes.ts';
import { chosen, type ExtremeLimits, type Point, placement, turn, upTo, widest } from './extreme-places.ts';
import { cross, dot, type Vector as IntegerVector, signOf, subtract, toIntegers } from './integers.ts';
import { type Random, whole } from './triangles/generators.ts';

export { type ExtremeLimits, moderate, widest } from './extreme-places.ts';

export interface ExtremeTriangle {
  readonly kind: string;
  /** Nine coordinates. */
  readonly corners: Float64Array;
}

export interface ExtremeSolid {
  readonly kind: string;
  /** Closed, consistently oriented, outward if the shape does not overlap itself; up to 48 triangles. */
  readonly mesh: Mesh;
}

export interface ExtremePair {
  readonly kind: string;
  readonly parts: readonly [Part, Part];
}

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

// ---- Triangles ----

/** One triangle. Some have whole corners, so that points lie on it and at equal distances exactly. */
export function extremeTriangle(random: Random, limits: ExtremeLimits = {}): ExtremeTriangle {
  const { aspect } = { ...widest, ...limits };
  const thin = 1 / upTo(random, aspect);
  const along = random();
  const shapes: readonly [string, () => Point[]][] = [
    [
      'needle',
      () => [
        [0, 0, 0],
        [1, thin * random(), 0],
        [1, -thin, 0],
      ],
    ],
    [
      'cap',
      () => [
        [0, 0, 0],
        [1, 0, 0],
        [along, thin, 0],
      ],
    ],
    // The third corner beyond the ends of the edge that it almost lies on.
    [
      'blade',
      () => [
        [0, 0, 0],
        [along, thin, 0],
        [1, thin * random(), 0],
      ],
    ],
    ['plain', () => [anywhere(random), anywhere(random), anywhere(random)]],
    ['grid', () => gridCorners(random, 3)],
    ['long grid', () => stretchedGrid(random, 3, aspect)],
    [
      'segment',
      () => [
        [0, 0, 0],
        [1, 0, 0],
        [whole(random, 0, 4) / 4, 0, 0],
      ],
    ],
  ];
  const [name, shape] = chosen(random, shapes);
  const points = shape();
  const turned = name.includes('grid') || name === 'plain' ? points : turn(random, points);
  const { kind, place } = placement(random, limits);
  const corners = Float64Array.from(place(turned).flat());
  const first = whole(random, 0, 2);
  const order = Float64Array.from({ length: 9 }, (_, i) => corners[(i + 3 * first) % 9]);
  return { kind: `${name} triangle, 1 by ${thin.toExponential(1)}, ${kind}`, corners: order };
}

const anywhere = (random: Random): Point => [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];

const gridCorners = (random: Random, count: number): Point[] =>
  Array.from({ length: count }, () => [whole(random, -3, 3), whole(random, -3, 3), whole(random, -3, 3)]);

/** Whole numbers, far larger along one axis, in units of a power of ten. */
function stretchedGrid(random: Random, count: number, most: number): Point[] {
  const axis = whole(random, 0, 2);
  const unit = 10 ** whole(random, 1, Math.floor(Math.log10(most)));
  return gridCorners(random, count).map(
    point => point.map((value, k) => (k === axis ? value * unit : value)) as unknown as Point,
  );
}

// ---- Solids ----

/** One solid of positive volume: a tetrahedron, rod, prism, plate, spindle or box. */
export function extremeSolid(random: Random, limits: ExtremeLimits = {}): ExtremeSolid {
  for (;;) {
    const solid = tryExtremeSolid(random, limits);
    if (solid !== undefined) return solid;
  }
}

interface Hull {
  readonly points: Point[];
  readonly indices: readonly number[];
}

/** Undefined if rounding left it flat. */
function tryExtremeSolid(random: Random, limits: ExtremeLimits): ExtremeSolid | undefined {
  const { aspect } = { ...widest, ...limits };
  const thin = 1 / upTo(random, aspect);
  const sides = whole(random, 3, 12);
  const shapes: readonly [string, () => Hull][] = [
    [
      'needle tetrahedron',
      () =>
        tetrahedron([
          [1, 0, 0],
          [0, thin, 0],
          [0, -thin, thin],
          [0, 0, -thin],
        ]),
    ],
    [
      'flat tetrahedron',
      () =>
        tetrahedron([
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
          [1, 1, thin],
        ]),
    ],
    [
      'bladed tetrahedron',
      () =>
        tetrahedron([
          [-1, 0, 0],
          [1, 0, 0],
          [0, -thin, thin],
          [0, thin, thin],
        ]),
    ],
    ['plain tetrahedron', () => tetrahedron(Array.from({ length: 4 }, () => anywhere(random)))],
    ['grid tetrahedron', () => tetrahedron(gridCorners(random, 4))],
    ['long grid tetrahedron', () => tetrahedron(stretchedGrid(random, 4, aspect))],
    [`rod of ${sides} sides`, () => prism(regular(sides, thin), 1)],
    [`plate of ${sides} sides`, () => prism(regular(sides, 1), thin)],
    [
      'prism over a cap',
      () =>
        prism(
          [
            [0, 0],
            [1, 0],
            [random(), thin],
          ],
          upTo(random, 100) / 10,
        ),
    ],
    [`spindle of ${sides} sides`, () => spindle(regular(sides, thin), 1)],
    ['slab', () => boxOf(1, upTo(random, 10), thin)],
    ['bar', () => boxOf(1, thin, thin * upTo(random, 10))],
  ];
  const [name, shape] = chosen(random, shapes);
  const { points, indices } = shape();
  const turned = name.includes('grid') || name.includes('plain') ? points : turn(random, points);
  const { kind, place } = placement(random, limits);
  const placed = place(turned);
  const sign = volumeSign(placed, indices);
  if (sign === 0) return undefined;
  // A mirror turned it inside out, or the four points came in that order.
  const outward =
    sign > 0 ? indices : indices.map((_, i) => indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]);
  const flat = placed.flat();
  const fits = flat.every(value => Math.abs(value) < 1e38) && random() < 0.2;
  const single = Float32Array.from(flat);
  const positions = fits && volumeSign(pointsOf(single), outward) > 0 ? single : Float64Array.from(flat);
  return {
    kind: `${name}, 1 by ${thin.toExponential(1)}, ${kind}${positions === single ? ', in single precision' : ''}`,
    mesh: mesh(positions, Uint32Array.from(outward)),
  };
}

const pointsOf = (flat: ArrayLike<number>): Point[] =>
  Array.from({ length: flat.length / 3 }, (_, i) => [flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]]);

const tetrahedron = (points: Point[]): Hull => ({ points, indices: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3] });

const regular = (sides: number, radius: number): [number, number][] =>
  Array.from({ length: sides }, (_, k) => {
    const angle = (2 * Math.PI * k) / sides;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });

/** Over a convex outline, counter-clockwise, from z = 0 to a height. */
function prism(outline: readonly (readonly [number, number])[], height: number): Hull {
  const count = outline.length;
  const points: Point[] = [0, height].flatMap(z => outline.map(([x, y]): Point => [x, y, z]));
  const indices: number[] = [];
  for (let k = 1; k + 1 < count; k++) indices.push(0, k + 1, k, count, count + k, count + k + 1);
  for (let k = 0; k < count; k++) {
    const next = (k + 1) % count;
    indices.push(k, next, count + next, k, count + next, count + k);
  }
  return { points, indices };
}

/** Two tips, one above and one below an outline. */
function spindle(outline: readonly (readonly [number, number])[], height: number): Hull {
  const count = outline.length;
  const points: Point[] = [...outline.map(([x, y]): Point => [x, y, 0]), [0, 0, height], [0, 0, -height]];
  const indices: number[] = [];
  for (let k = 0; k < count; k++) {
    const next = (k + 1) % count;
    indices.push(k, next, count, next, k, count + 1);
  }
  return { points, indices };
}

const boxOf = (x: number, y: number, z: number): Hull =>
  prism(
    [
      [0, 0],
      [x, 0],
      [x, y],
      [0, y],
    ],
    z,
  );

/** The sign of the signed volume, exactly. */
function volumeSign(points: readonly Point[], indices: readonly number[]): number {
  const all = toIntegers(points.flat());
  const vertex = (i: number): IntegerVector => [all[3 * i], all[3 * i + 1], all[3 * i + 2]];
  const origin = vertex(indices[0]);
  let volume = subtract(origin, origin)[0];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map(k => subtract(vertex(indices[i + k]), origin));
    volume += dot(a, cross(b, c));
  }
  return signOf(volume);
}

// ---- Pairs ----

/**
 * Two solids of one size: a vertex, a point of an edge or the middle of the second is placed at one of the first's,
 * exactly as far as doubles allow or slightly off. Or the second is the first, moved, rotated or repeated. Poses are
 * the identity unless the pair is placed.
 */
export function extremePair(random: Random, limits: ExtremeLimits = {}): ExtremePair {
  const { exponent } = { ...widest, ...limits };
  const inner = { ...limits, exponent: Math.min(exponent, 40) };
  for (;;) {
    const first = extremeSolid(random, inner);
    const again = random() < 0.15;
    const second = again ? first : extremeSolid(random, inner);
    const a = pointsOf(first.mesh.positions);
    const size = sizeOf(a);
    const other = pointsOf(second.mesh.positions);
    // Powers of two keep the shape; a second solid of another size is as interesting.
    const ratio =
      2 ** (Math.round(Math.log2(size / sizeOf(other))) - (random() < 0.3 ? whole(random, 1, 30) : 0));
    const from = pointOn(random, other, second.mesh.indices).map(value => value * ratio);
    const to = pointOn(random, a, first.mesh.indices);
    const off = random() < 0.5 ? 0 : size / upTo(random, 1e17);
    const way = anywhere(random);
    const move = to.map((value, k) => value - from[k] + off * way[k]);
    const b = other.map(point => point.map((value, k) => value * ratio + move[k]) as unknown as Point);
    const scale = 2 ** (random() < 0.5 ? 0 : whole(random, -exponent + 40, exponent - 40));
    const scaled = (points: readonly Point[]): Float64Array =>
      Float64Array.from(points.flat(), value => value * scale);
    const [positionsA, positionsB] = [scaled(a), scaled(b)];
    if (![...positionsA, ...positionsB].every(Number.isFinite)) continue;
    const [indicesA, indicesB] = [first.mesh.indices, second.mesh.indices];
    if (volumeSign(pointsOf(positionsA), [...indicesA]) <= 0) continue;
    if (volumeSign(pointsOf(positionsB), [...indicesB]) <= 0) continue;
    const sizes = `times 2^${Math.log2(scale)}, ${off === 0 ? 'meeting' : `${(off / size).toExponential(1)} off`}`;
    return {
      kind: `${first.kind} and ${again ? 'the same' : second.kind}, ${sizes}`,
      parts: [
        { mesh: mesh(positionsA, indicesA), pose: identity },
        { mesh: mesh(positionsB, indicesB), pose: identity },
      ],
    };
  }
}

/** The largest difference of coordinates. */
export function sizeOf(points: readonly Point[]): number {
  let size = 0;
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (const point of points) {
      low = Math.min(low, point[axis]);
      high = Math.max(high, point[axis]);
    }
    size = Math.max(size, high - low);
  }
  return size;
}

/** A corner, or a point of an edge or of a triangle. */
function pointOn(random: Random, points: readonly Point[], indices: ArrayLike<number>): Point {
  const t = 3 * whole(random, 0, indices.length / 3 - 1);
  const [p, q, r] = [0, 1, 2].map(k => points[indices[t + k]]);
  const kind = random();
  if (kind < 0.4) return p;
  const s = whole(random, 0, 4) / 4;
  const u = kind < 0.7 ? 0 : (1 - s) * random();
  return [0, 1, 2].map(k => p[k] + s * (q[k] - p[k]) + u * (r[k] - p[k])) as unknown as Point;
}

// ---- Points ----

/**
 * Points beside, on and near triangles (nine coordinates each): corners, points of edges and faces, off them by
 * 10^-18 of the triangle's size up to ten times it, in any direction or along an axis; some far away.
 */
export function extremePoints(random: Random, corners: ArrayLike<number>, count: number): Float64Array {
  const out = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const t = 9 * whole(random, 0, corners.length / 9 - 1);
    const triangle = pointsOf(Array.from({ length: 9 }, (_, k) => corners[t + k]));
    const size = sizeOf(triangle);
    const on = pointOn(random, triangle, [0, 1, 2]);
    const kind = random();
    const distance =
      kind < 0.2 ? 0 : kind < 0.9 ? size * 10 ** (1 - 19 * random() ** 2) : size * 10 ** (8 * random());
    const way = random() < 0.3 ? axisWay(random) : anywhere(random);
    for (let k = 0; k < 3; k++) {
      const value = on[k] + distance * way[k];
      out[3 * i + k] = Number.isFinite(value) ? value : on[k];
    }
  }
  return out;
}

function axisWay(random: Random): Point {
  const axis = whole(random, 0, 2);
  const sign = random() < 0.5 ? -1 : 1;
  return [0, 1, 2].map(k => (k === axis ? sign : 0)) as unknown as Point;
}
