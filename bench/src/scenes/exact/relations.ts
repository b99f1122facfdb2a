// The relation of two small solids in the hardest cases: every triangle lies on one of the other body, so only exact
// arithmetic can decide. Eight overlapping tetrahedra inside the same eight and eight more: unchanged, stretched
// along the axes up to the ends of the range of doubles, and sheared until they are nearly flat. Then surfaces that
// cross themselves, and tetrahedra wound both ways, against the same in other triangulations. One row per case: none
// should take much longer than the first.

import { identity, type Mesh, mesh, shapes } from 'nearfield';
import { type Case, type SceneFile, still } from '../../case.ts';

/** By columns: the images of the three axes. */
const extremes: Readonly<Record<string, readonly number[]>> = {
  'as they are': [1, 0, 0, 0, 1, 0, 0, 0, 1],
  'times 2^-1060': [2 ** -1060, 0, 0, 0, 2 ** -1060, 0, 0, 0, 2 ** -1060],
  'times 2^1000': [2 ** 1000, 0, 0, 0, 2 ** 1000, 0, 0, 0, 2 ** 1000],
  'times 2^-1000, 1, 2^1000 along the axes': [2 ** -1000, 0, 0, 0, 1, 0, 0, 0, 2 ** 1000],
  'sheared by 10^8 and 10^15': [1, 0, 0, 1e8, 1, 0, 1e15, 0, 1],
  'turned, then 2^-900, 1, 2^900 along the axes': [
    ...[0.36 * 2 ** -900, 0.48, -0.8 * 2 ** 900],
    ...[-0.8 * 2 ** -900, 0.6, 0],
    ...[0.48 * 2 ** -900, 0.64, 0.6 * 2 ** 900],
  ],
};

type Point = readonly number[];
/** Triangles, three points per triangle. */
type Soup = readonly (readonly Point[])[];

const surfacePairs: readonly (readonly [string, () => readonly [Soup, Soup]])[] = [
  [
    'a surface that crosses itself, and the same with split edges',
    () => {
      const soup = crossingSurface(46, 1);
      return [soup, withSplitEdges(soup, 92)];
    },
  ],
  [
    'a surface that crosses itself, and the same laid twice',
    () => {
      const soup = crossingSurface(46, 1);
      return [soup, [...soup, ...soup]];
    },
  ],
  [
    'a surface that crosses itself, and the same laid three times with another',
    () => {
      const [one, other] = [crossingSurface(24, 4), crossingSurface(24, 104)];
      return [one, [...one, ...one, ...one, ...other]];
    },
  ],
  [
    'tetrahedra wound both ways, and the same with one cut in two',
    () => {
      const all = tetrahedra(22).map(([a, b, c, d], i) => (i % 2 ? [b, a, c, d] : [a, b, c, d]));
      const [first, ...others] = all;
      return [all.flatMap(trianglesOf), [...halves(first), ...others].flatMap(trianglesOf)];
    },
  ],
  [
    'tetrahedra, each cut in two, in two ways',
    () => {
      const all = tetrahedra(12);
      const turned = all.map(([a, b, c, d]) => [c, d, a, b]);
      return [all.flatMap(halves).flatMap(trianglesOf), turned.flatMap(halves).flatMap(trianglesOf)];
    },
  ],
];

export const relations: SceneFile = {
  name: 'relations',
  about:
    'the relation of two solids of under 100 triangles, at extreme scales and shears and crossing themselves',
  caseCount: Object.keys(extremes).length + surfacePairs.length,
  seconds: { each: 10, peers: 0 },
  *cases(): Generator<Case> {
    const [inner, outer] = overlappingTetrahedra(8);
    for (const [name, m] of Object.entries(extremes)) {
      const pose = Float64Array.of(...m.slice(0, 3), 0, ...m.slice(3, 6), 0, ...m.slice(6), 0, 0, 0, 0, 1);
      const bodies = [inner, outer].map(mesh => ({ mesh, pose }));
      yield { scene: 'relations', name, question: 'relation', bodies, frames: still };
    }
    for (const [name, make] of surfacePairs) {
      const bodies = make().map(soup => ({ mesh: solidOf(soup), pose: identity() }));
      yield { scene: 'relations', name, question: 'relation', bodies, frames: still };
    }
  },
};

/** Some tetrahedra on a grid, and the same with equally many more. */
function overlappingTetrahedra(count: number): [Mesh, Mesh] {
  const all = tetrahedra(2 * count).map(trianglesOf);
  return [solidOf(all.slice(0, count).flat()), solidOf(all.flat())];
}

const solidOf = (soup: Soup): Mesh => mesh(Float32Array.from(soup.flat(2)));

/** Tetrahedra on a grid that overlap one another. */
function tetrahedra(count: number): Point[][] {
  const random = shapes.createRandom(46);
  const all: Point[][] = [];
  while (all.length < count) {
    const corners = Array.from({ length: 4 }, () => [0, 1, 2].map(() => Math.floor(random.between(-4, 5))));
    const [u, v, w] = corners.slice(1).map(corner => corner.map((x, axis) => x - corners[0][axis]));
    const volume =
      u[0] * (v[1] * w[2] - v[2] * w[1]) -
      u[1] * (v[0] * w[2] - v[2] * w[0]) +
      u[2] * (v[0] * w[1] - v[1] * w[0]);
    if (volume > 0) all.push(corners);
  }
  return all;
}

const trianglesOf = ([a, b, c, d]: readonly Point[]): Point[][] => [
  [a, c, b],
  [a, b, d],
  [b, c, d],
  [a, d, c],
];

const middleOf = (a: Point, b: Point): Point => a.map((x, axis) => (x + b[axis]) / 2);

const halves = ([a, b, c, d]: readonly Point[]): Point[][] => [
  [a, middleOf(a, b), c, d],
  [middleOf(a, b), b, c, d],
];

/** A surface connected like a sphere, with corners anywhere on a grid. */
function crossingSurface(triangleCount: number, seed: number): Soup {
  const random = shapes.createRandom(seed);
  const point = (): Point => [0, 1, 2].map(() => Math.floor(random.between(0, 1000)));
  let soup: Soup = trianglesOf([point(), point(), point(), point()]);
  while (soup.length < triangleCount) {
    soup = split(soup, Math.floor(random.between(0, soup.length)), Math.floor(random.between(0, 3)), point());
  }
  return soup;
}

/**
 * The same surface with some edges halved, few of them more than once, so that all corners stay exact in single
 * precision.
 */
function withSplitEdges(soup: Soup, triangleCount: number): Soup {
  const random = shapes.createRandom(7);
  let fine = soup;
  while (fine.length < triangleCount) {
    const t = Math.floor(random.between(0, fine.length));
    const k = Math.floor(random.between(0, 3));
    fine = split(fine, t, k, middleOf(fine[t][k], fine[t][(k + 1) % 3]));
  }
  return fine;
}

/** Inserts a point on side k of triangle t; both triangles of the side become two. */
function split(soup: Soup, t: number, k: number, at: Point): Soup {
  const [from, to] = [soup[t][k], soup[t][(k + 1) % 3]];
  return soup.flatMap(own => {
    const side = [0, 1, 2].find(i => {
      const [start, end] = [own[i], own[(i + 1) % 3]];
      return (start === from && end === to) || (start === to && end === from);
    });
    if (side === undefined) return [own];
    const [p, q, r] = [own[side], own[(side + 1) % 3], own[(side + 2) % 3]];
    return [
      [p, at, r],
      [at, q, r],
    ];
  });
}
