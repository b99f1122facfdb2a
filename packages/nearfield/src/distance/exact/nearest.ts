// Which of many triangle pairs is exactly the nearest? The engine leaves those that it cannot tell apart: a few around
// a common corner, or a million between two flat faces. They are visited in order of their triangles. A pair counts
// only if it is strictly nearer than the best before it, so among equals the first stays.
//
// Most pairs are ruled out by a cheap check. Let g be the vector from the best pair's nearest point of A to that of B.
// A pair is no nearer than |g| if no corner of its triangle of A lies beyond the plane through the first point, and no
// corner of its triangle of B lies before the plane through the second (triangle-distance.ts). The check needs one sign
// per vertex, computed once: in double if that is certain, else in integers. g is normal to the features that contain
// the points, so the features' corners can stand for the points.

import { pointAt, ratioToDouble, type Vector } from '../../math/exact/rational.ts';
import { applyPose, type Pose, placeTriangle } from '../../math/pose.ts';
import type { Indices, Positions } from '../../mesh/mesh.ts';
import {
  between,
  compareSquares,
  compareWithDistance,
  type Nearest,
  nearestPoints,
} from './triangle-distance.ts';

/** The parts of a body that this file reads. */
export interface Surface {
  readonly pose: Pose;
  readonly positions: Positions;
  readonly mesh: { readonly indices: Indices };
}

export interface NearestPair {
  readonly triangleA: number;
  readonly triangleB: number;
  readonly nearest: Nearest;
}

const corners = new Float64Array(18);
/** From this many pairs on, the signs of the vertices are kept in an array instead of a map. */
const manyPairs = 1000;

/**
 * The nearest of the pairs (triangle of a, triangle of b), which must be sorted; undefined if none is nearer than
 * `upTo`. Triangles that meet are at distance 0.
 */
export function decideNearest(
  a: Surface,
  b: Surface,
  pairs: Uint32Array,
  upTo: number,
): NearestPair | undefined {
  let best: NearestPair | undefined;
  let sides: [Side, Side] | undefined;
  for (let i = 0; i < pairs.length; i += 2) {
    const [triangleA, triangleB] = [pairs[i], pairs[i + 1]];
    if (sides?.[0].holds(triangleA) && sides[1].holds(triangleB)) continue;
    placeTriangle(a.pose, a.positions, a.mesh.indices, triangleA, corners, 0);
    placeTriangle(b.pose, b.positions, b.mesh.indices, triangleB, corners, 9);
    const nearest = nearestPoints(corners);
    if (
      best === undefined
        ? compareWithDistance(nearest, upTo) >= 0
        : compareSquares(nearest, best.nearest) >= 0
    )
      continue;
    best = { triangleA, triangleB, nearest };
    const g = between(nearest.pointA, nearest.pointB);
    const [featureA, featureB] = [nearest.featureA.map(c => 3 * c), nearest.featureB.map(c => 9 + 3 * c)];
    // Negated for B, so that both sides ask for g·x ≤ g·c.
    const back = { x: -g.x, y: -g.y, z: -g.z };
    const isMany = pairs.length > manyPairs;
    sides = [new Side(a, g, corners, featureA, isMany), new Side(b, back, corners, featureB, isMany)];
  }
  return best;
}

/** Tells whether triangles lie entirely in the half-space g·x ≤ g·c, where c is a corner of the feature. */
class Side {
  readonly #surface: Surface;
  readonly #g: Vector;
  /** g divided by its largest component. */
  readonly #direction: readonly [number, number, number];
  /** Corners of the feature: all have the same g·c. */
  readonly #corners: Float64Array[];
  /** The signs known so far, by vertex: 1 within, 2 beyond. */
  readonly #known: Map<number, number> | Uint8Array;

  constructor(surface: Surface, g: Vector, at: Float64Array, feature: readonly number[], isMany: boolean) {
    this.#surface = surface;
    this.#known = isMany ? new Uint8Array(surface.positions.length / 3) : new Map();
    this.#g = g;
    this.#corners = feature.map(corner => at.slice(corner, corner + 3));
    const magnitude = (n: bigint) => (n < 0n ? -n : n);
    let largest = 1n;
    for (const n of [g.x, g.y, g.z]) if (magnitude(n) > largest) largest = magnitude(n);
    this.#direction = [ratioToDouble(g.x, largest), ratioToDouble(g.y, largest), ratioToDouble(g.z, largest)];
  }

  holds(triangle: number): boolean {
    const { indices } = this.#surface.mesh;
    for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
      if (!this.#holdsVertex(indices[corner])) return false;
    }
    return true;
  }

  #holdsVertex(vertex: number): boolean {
    const known = this.#known;
    let side = known instanceof Map ? known.get(vertex) : known[vertex];
    if (!side) {
      side = this.#decide(vertex) ? 1 : 2;
      if (known instanceof Map) known.set(vertex, side);
      else known[vertex] = side;
    }
    return side === 1;
  }

  /**
   * Decides in double if possible. Each term is off by three roundings (of the component, the difference and the
   * product), the sum by two more: 8·2^-53 of the terms' magnitudes bounds it except for underflow. A component below
   * 2^-1022 is off by up to 2^-1075, which may be most of it. Its term is then off by 2^-1075 times the difference,
   * which may be as large as a double can be; the sum of differences times 2^-1073 is more than that. Products that
   * underflow are off by 2^-1075 each, which is negligible beside 1e-280. If a difference overflows, the bound becomes
   * infinite or the sum NaN, and nothing is certain. A term is exactly 0 if its coordinates are equal or g has no
   * component along its axis.
   */
  #decide(vertex: number): boolean {
    const { pose, positions } = this.#surface;
    applyPose(pose, positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2], place, 0);
    for (const c of this.#corners)
      if (c[0] === place[0] && c[1] === place[1] && c[2] === place[2]) return true;
    const { x: gx, y: gy, z: gz } = this.#g;
    const c = this.#corners[0];
    const [dx, dy, dz] = this.#direction;
    const [ux, uy, uz] = [place[0] - c[0], place[1] - c[1], place[2] - c[2]];
    const tx = dx * ux;
    const ty = dy * uy;
    const tz = dz * uz;
    const size = Math.abs(tx) + Math.abs(ty) + Math.abs(tz);
    const lost = 2 ** -1073 * (Math.abs(ux) + Math.abs(uy) + Math.abs(uz));
    const sum = tx + ty + tz;
    if (size > 1e-280 && Math.abs(sum) > 2 ** -50 * size + lost) return sum < 0;
    if (
      (gx === 0n || place[0] === c[0]) &&
      (gy === 0n || place[1] === c[1]) &&
      (gz === 0n || place[2] === c[2])
    )
      return true;
    const p = pointAt(place, 0);
    const q = pointAt(c, 0);
    return gx * (p.x * q.w - q.x * p.w) + gy * (p.y * q.w - q.y * p.w) + gz * (p.z * q.w - q.z * p.w) <= 0n;
  }
}

const place = new Float64Array(3);
