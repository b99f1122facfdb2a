// When do a vertex and a face, or two edges, first share a point, if every vertex moves linearly? Decided exactly on the doubles
// as given; contact.md derives the conditions.

import { fractionBits, scaledInteger } from '../../../math/exact/rational.ts';
import {
  difference,
  isZero,
  type Polynomial,
  polynomial,
  product,
  Root,
  rootsOf,
  sum,
} from './polynomial.ts';

/** Three polynomials: a vector that depends on time. */
export type Path = readonly [Polynomial, Polynomial, Polynomial];

/** Two features at the time of a root: whether they share a point. */
type Meet = (root: Root) => boolean;

/** No contact: later than every cell. */
export const never = Infinity;

/** Until when contacts matter. */
export interface Until {
  /** A time. Default: 1. */
  readonly upTo?: number | undefined;
  /** A cell of time. Default: the last one. */
  readonly limit?: number | undefined;
}

/**
 * The cell of time (`Root.cell`) in which the first feature meets the second for the first time, or `never`. `points` has four
 * points at time 0 and the same four at time 1, 24 finite numbers: a vertex and the three corners of a face. A face without
 * area is the segment or point that it is.
 */
export const vertexMeetsFace = (points: ArrayLike<number>, bits: number, until: Until = {}): number =>
  firstCell(vertexAndFace(pathsOf(points)), bits, until);

/** The same for two edges: the ends of the first, then those of the second. An edge without length is a point. */
export const edgeMeetsEdge = (points: ArrayLike<number>, bits: number, until: Until = {}): number =>
  firstCell(twoEdges(pathsOf(points)), bits, until);

/** What decides whether two features meet: `meet` at times when they are coplanar, which depends on signs of `conditions`. */
export interface Features {
  readonly coplanar: Polynomial;
  readonly conditions: readonly Polynomial[];
  readonly meet: Meet;
}

function firstCell(
  { coplanar, conditions, meet }: Features,
  bits: number,
  { upTo = 1, limit = never }: Until,
): number {
  // Always coplanar: between two neighbouring roots of the conditions nothing changes, and the times of contact are a closed set.
  // So the first of them is 0 or such a root.
  const roots = isZero(coplanar) ? [Root.at(0n, 1n), ...conditions.flatMap(rootsOf)] : rootsOf(coplanar);
  const inTime = limitOf(upTo);
  const inOrder = roots
    .map(root => ({ root, cell: root.cell(bits) }))
    .filter(({ cell }) => cell <= limit)
    .sort((p, q) => p.cell - q.cell);
  return inOrder.find(({ root }) => root.signOf(inTime) >= 0 && meet(root))?.cell ?? never;
}

/** A polynomial that is negative after that time. */
export function limitOf(upTo: number): Polynomial {
  const bits = fractionBits(upTo);
  return polynomial(scaledInteger(upTo, bits), -(1n << BigInt(bits)));
}

/** The paths of some points, all times one power of two that makes the coordinates integers: first at time 0, then at time 1. */
export function pathsOf(points: ArrayLike<number>): Path[] {
  const half = points.length / 2;
  let bits = 0;
  for (let i = 0; i < points.length; i++) bits = Math.max(bits, fractionBits(points[i]));
  const component = (i: number): Polynomial => {
    const from = scaledInteger(points[i], bits);
    return polynomial(from, scaledInteger(points[half + i], bits) - from);
  };
  return Array.from({ length: half / 3 }, (_, i) => [
    component(3 * i),
    component(3 * i + 1),
    component(3 * i + 2),
  ]);
}

export function vertexAndFace([vertex, ...corners]: readonly Path[]): Features {
  const [a, b, c] = corners.map(corner => minus(corner, vertex));
  const [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)];
  const normal = plus(plus(bc, ca), ab);
  return {
    coplanar: dot(a, bc),
    conditions: [...bc, ...ca, ...ab, ...normal, ...a, ...b, ...c],
    meet(root) {
      const axis = normal.findIndex(component => root.signOf(component) !== 0);
      if (axis >= 0) {
        const sign = root.signOf(normal[axis]);
        return [bc, ca, ab].every(part => root.signOf(part[axis]) !== -sign);
      }
      return isBetween(root, b, c, bc) || isBetween(root, c, a, ca) || isBetween(root, a, b, ab);
    },
  };
}

export function twoEdges([a0, a1, b0, b1]: readonly Path[]): Features {
  const [d, e, r] = [minus(a1, a0), minus(b1, b0), minus(b0, a0)];
  const normal = cross(d, e);
  // Where the lines meet, as multiples of the normal: along d from a0 and to a1, along e from b0 and to b1.
  const [fromA, fromB] = [cross(r, e), cross(r, d)];
  const [toA, toB] = [minus(normal, fromA), minus(normal, fromB)];
  const between = [r, minus(b1, a0), minus(b0, a1), minus(b1, a1)] as const;
  const [b0a0, b1a0, b0a1, b1a1] = between;
  return {
    coplanar: dot(r, normal),
    conditions: [normal, fromA, fromB, toA, toB, ...between].flat(),
    meet(root) {
      const axis = normal.findIndex(component => root.signOf(component) !== 0);
      if (axis >= 0) {
        const sign = root.signOf(normal[axis]);
        return [fromA, toA, fromB, toB].every(part => root.signOf(part[axis]) !== -sign);
      }
      return (
        isBetween(root, b0a0, b1a0, fromA) ||
        isBetween(root, b0a1, b1a1, toA) ||
        isBetween(root, b0a0, b0a1, fromB) ||
        isBetween(root, b1a0, b1a1, toB)
      );
    },
  };
}

/**
 * Whether the origin lies on the segment from p to q. `turned` is p × q or its negative. If it is 0, one of the two is a
 * multiple of the other, and all products of their components have the sign of p · q.
 */
const isBetween = (root: Root, p: Path, q: Path, turned: Path): boolean =>
  turned.every(component => root.signOf(component) === 0) &&
  p.every((component, axis) => root.signOf(component) * root.signOf(q[axis]) <= 0);

const zip = (p: Path, q: Path, combine: (p: Polynomial, q: Polynomial) => Polynomial): Path => [
  combine(p[0], q[0]),
  combine(p[1], q[1]),
  combine(p[2], q[2]),
];
const plus = (p: Path, q: Path): Path => zip(p, q, sum);
const minus = (p: Path, q: Path): Path => zip(p, q, difference);

const dot = (p: Path, q: Path): Polynomial =>
  sum(sum(product(p[0], q[0]), product(p[1], q[1])), product(p[2], q[2]));

function cross(p: Path, q: Path): Path {
  const component = (i: number, j: number) => difference(product(p[i], q[j]), product(p[j], q[i]));
  return [component(1, 2), component(2, 0), component(0, 1)];
}
