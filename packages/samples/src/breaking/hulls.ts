// What the motion of a fragment needs of its shape: volume, centre and spread of its mass; and convex hulls, one per
// last piece, for contacts. A hull is a few outermost corners, and the directions that may separate it from another:
// those of the planes that cut it out. One of these planes stands between any two pieces, so pieces that just
// separated never overlap.

import { dot, length, plus, times, type Vector } from '../rigid/vector.ts';
import type { Vertices } from './cut.ts';
import { type Fragment, lastPieces } from './fracture.ts';

/** Volume, its centre, and the mean squared distance of its points from there. */
export interface Bulk {
  readonly volume: number;
  readonly middle: Vector;
  readonly spread: number;
}

/** Sums over the tetrahedra of one vertex and each triangle: ∫ p·p over one is V/10·(Σ pᵢ·pᵢ + Σᵢ<ⱼ pᵢ·pⱼ). */
export function bulkOf(vertices: Vertices, triangles: ArrayLike<number>): Bulk {
  const origin = vertices.at(triangles[0]);
  let [volume, squares] = [0, 0];
  let sum: Vector = [0, 0, 0];
  for (let i = 0; i < triangles.length; i += 3) {
    const a = plus(vertices.at(triangles[i]), origin, -1);
    const b = plus(vertices.at(triangles[i + 1]), origin, -1);
    const c = plus(vertices.at(triangles[i + 2]), origin, -1);
    const part =
      (a[0] * (b[1] * c[2] - b[2] * c[1]) +
        a[1] * (b[2] * c[0] - b[0] * c[2]) +
        a[2] * (b[0] * c[1] - b[1] * c[0])) /
      6;
    volume += part;
    sum = plus(sum, plus(plus(a, b), c), part / 4);
    squares += (part / 10) * (dot(a, a) + dot(b, b) + dot(c, c) + dot(a, b) + dot(b, c) + dot(c, a));
  }
  const middle = times(sum, 1 / volume);
  return {
    volume,
    middle: plus(origin, middle),
    spread: Math.max(0, squares / volume - dot(middle, middle)),
  };
}

export interface Hull {
  /** x, y, z of each corner. */
  readonly corners: Float64Array;
  readonly axes: readonly Vector[];
  /** A ball that holds the corners. */
  readonly center: Vector;
  readonly radius: number;
}

/** The hulls of a fragment's last pieces, about a middle. */
export function hullsOf(vertices: Vertices, fragment: Fragment, middle: Vector): Hull[] {
  return lastPieces(fragment).map(({ triangles, planes }) => {
    const points = [...new Set(triangles)].map(vertex => plus(vertices.at(vertex), middle, -1));
    const corners = outermost(points);
    const center = times(
      corners.reduce((sum, p) => plus(sum, p), [0, 0, 0] as Vector),
      1 / corners.length,
    );
    const radius = Math.max(...corners.map(corner => length(plus(corner, center, -1))));
    return {
      corners: Float64Array.from(corners.flat()),
      axes: planes.map(({ normal }) => normal),
      center,
      radius,
    };
  });
}

/** Directions to the middles of the squares of a cube's faces, five by five per face. */
const ways: readonly Vector[] = [0, 1, 2].flatMap(axis =>
  [-1, 1].flatMap(side =>
    Array.from({ length: 25 }, (_, i): Vector => {
      const place = [side, 0.4 * ((i % 5) - 2), 0.4 * (Math.floor(i / 5) - 2)];
      return [place[(3 - axis) % 3], place[(4 - axis) % 3], place[(5 - axis) % 3]];
    }),
  ),
);

function outermost(points: readonly Vector[]): Vector[] {
  const found = new Set<Vector>();
  for (const way of ways) found.add(points.reduce((best, p) => (dot(way, p) > dot(way, best) ? p : best)));
  return [...found];
}
