// Where does the surface of one body pass through that of another? Edges of each pierce triangles of the other. The
// piercing points belong to the edge, not to the triangle: the triangles at an edge share them. Every two triangles
// that cross have one segment between two such points. Pairs that touch without crossing have been decided one way
// (perturbed.ts).

import { type Sign, surelyOrient3d } from '../../math/exact/orient.ts';
import {
  fromTo,
  type Homogeneous,
  linePlane,
  planeThrough,
  pointAt,
  ratioToDouble,
  toDoubles,
} from '../../math/exact/rational.ts';
import type { Surface } from '../surface.ts';
import { writeHeights } from './heights.ts';
import { Numbers } from './numbers.ts';
import type { Moved, Perturbation } from './perturbed.ts';

/** Body 0 is A, the one with the lower index, body 1 is B. */
export type Side = 0 | 1;
export const sides: readonly Side[] = [0, 1];

export interface Crossings {
  /** World positions of the points in which edges pierce triangles, three numbers per point. */
  readonly positions: Float64Array;
  /** Per body, the last point on each of its edges, −1 if there is none; and per point the one before it. */
  readonly lastOnEdge: readonly [Int32Array, Int32Array];
  readonly beforeOnEdge: readonly number[];
  /** Per point, 1 if its edge enters the other solid there on its way from its first vertex to its second, else −1. */
  readonly entering: readonly number[];
  /** Per point, how far along the edge it lies, from 0 to 1. */
  readonly along: Float64Array;
  /**
   * Per pair of triangles, the points from which and to which their segment runs, −1 if they do not cross. The part of
   * A's triangle that lies in B is to the left of it seen from outside A; the part of B's triangle in A is to the right
   * seen from outside B.
   */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Per point, 1 if it lies strictly inside its edge and its triangle, and the edge truly passes through; else 0. */
  readonly proper: readonly number[];
  /** The exact position of a point. */
  exact(point: number): Homogeneous;
}

/** The crossings of two surfaces, given every pair (triangle of A, triangle of B) that meets. */
export function crossingsOf(
  surfaces: readonly [Surface, Surface],
  pairs: Uint32Array,
  perturbation: Perturbation,
): Crossings {
  const finder = new CrossingFinder(surfaces, perturbation);
  const count = pairs.length / 2;
  const [from, to] = [new Int32Array(count).fill(-1), new Int32Array(count).fill(-1)];
  for (let i = 0; i < count; i++) {
    if (!finder.place(pairs[2 * i], pairs[2 * i + 1])) continue;
    for (let side: Side = 0; side < 2; side++) {
      for (let k = 0; k < 3; k++) {
        const turn = finder.turn(side as Side, k);
        if (turn === 0) continue;
        const point = finder.find(side as Side, pairs[2 * i + side], k, pairs[2 * i + 1 - side], turn);
        // An edge that runs counter-clockwise around its triangle and enters the other solid continues along the part
        // inside, so the segment of the boundary before it ends here. Seen from B the segment runs the other way.
        if (turn > 0 === (side === 0)) to[i] = point;
        else from[i] = point;
      }
    }
  }
  const { lastOnEdge, beforeOnEdge, entering, proper } = finder;
  const [positions, along] = [finder.positions.list, finder.along.list];
  const exact = (point: number): Homogeneous => finder.exact(point);
  return { positions, lastOnEdge, beforeOnEdge, entering, along, from, to, proper, exact };
}

/**
 * Tells whether the segment from p[0…] to p[3…] pierces the triangle at p[6…]: 1 if it enters the solid there, −1 if it
 * leaves, 0 if it does not pierce it. A line along the normal, which leaves the solid, has each directed side of the
 * triangle on its negative side (orient3d's convention).
 */
export function piercing(p: Float64Array, perturbation: Perturbation, moved: Moved): Sign {
  const before = perturbation.sideOfPlane(p, 6, 0, moved);
  const after = perturbation.sideOfPlane(p, 6, 3, moved);
  if (before === after || before === 0 || after === 0) return 0;
  const turn = perturbation.turnAround(p, 0, 3, 6, 9, moved);
  if (turn === 0 || perturbation.turnAround(p, 0, 3, 9, 12, moved) !== turn) return 0;
  return perturbation.turnAround(p, 0, 3, 12, 6, moved) !== turn ? 0 : turn;
}

class CrossingFinder {
  readonly positions = new Numbers(1024);
  readonly lastOnEdge: readonly [Int32Array, Int32Array];
  readonly beforeOnEdge: number[] = [];
  readonly entering: number[] = [];
  readonly along = new Numbers(256);
  readonly proper: number[] = [];
  readonly #surfaces: readonly [Surface, Surface];
  readonly #perturbation: Perturbation;
  /** Per point: twice the edge plus the body, and the triangle. */
  readonly #edges: number[] = [];
  readonly #triangles: number[] = [];
  /** The edge's ends at 0 and 3, the triangle at 6. */
  readonly #p = new Float64Array(15);
  /** The same in measuring units. */
  readonly #scaled = new Float64Array(15);
  /** Heights of the edge's ends over the triangle. */
  readonly #heights = new Float64Array(2);
  /** The triangle of A at 0, that of B at 9. */
  readonly #pair = new Float64Array(18);
  #placedA = -1;
  /** The sides of the corners of A's triangle against the plane of B's, then of B's against A's. */
  readonly #sides = new Int8Array(6);
  /** Per side, whether the perturbation decided it. */
  readonly #moved = new Uint8Array(6);
  /** Per triangle, the corner that lies alone on its side. */
  readonly #lone = new Uint8Array(2);
  /** How edge k of A's triangle passes edge l of B's, at 3k + l; and whether the perturbation decided it. */
  readonly #turns = new Int8Array(9);
  readonly #turnMoved = new Uint8Array(9);

  constructor(surfaces: readonly [Surface, Surface], perturbation: Perturbation) {
    this.#surfaces = surfaces;
    this.#perturbation = perturbation;
    const onEdges = ({ edges }: Surface): Int32Array => new Int32Array(edges.count).fill(-1);
    this.lastOnEdge = [onEdges(surfaces[0]), onEdges(surfaces[1])];
  }

  /**
   * Takes a pair of triangles. Returns false if all corners of one of them lie on the same side of the other's plane.
   *
   * Otherwise two edges of each, those at its lone corner, pass through the other's plane. All four points lie on the
   * line in which the planes cross. An edge of A pierces B's triangle if its point is between those of B's two edges,
   * which means that it passes both on the same side. Four signs decide for all four edges.
   */
  place(a: number, b: number): boolean {
    // Pairs come in order of A's triangles.
    if (a !== this.#placedA) this.#surfaces[0].corners(a, this.#pair, 0);
    this.#placedA = a;
    this.#surfaces[1].corners(b, this.#pair, 9);
    if (!this.#straddles(0) || !this.#straddles(1)) return false;
    const k = this.#lone[0];
    const l = this.#lone[1];
    this.#findTurn(k, l);
    this.#findTurn(k, previousOf(l));
    this.#findTurn(previousOf(k), l);
    this.#findTurn(previousOf(k), previousOf(l));
    return true;
  }

  #findTurn(k: number, l: number): void {
    const perturbation = this.#perturbation;
    const { decided } = perturbation;
    const at = 3 * k + l;
    const [a, b] = [9 + 3 * l, 9 + 3 * nextOf(l)];
    this.#turns[at] = perturbation.turnAround(this.#pair, 3 * k, 3 * nextOf(k), a, b, 1);
    this.#turnMoved[at] = perturbation.decided === decided ? 0 : 1;
  }

  /** Finds the sides of the corners of one triangle. Returns whether they differ. */
  #straddles(side: number): boolean {
    const perturbation = this.#perturbation;
    const [own, other] = side === 0 ? [0, 9] : [9, 0];
    const first = 3 * side;
    const sides = this.#sides;
    surelyOrient3d(this.#pair, other, own, sides, first);
    for (let k = 0; k < 3; k++) {
      this.#moved[first + k] = 0;
      if (sides[first + k] !== 0) continue;
      const { decided } = perturbation;
      sides[first + k] = perturbation.sideOfPlane(this.#pair, other, own + 3 * k, side === 0 ? 1 : -1);
      this.#moved[first + k] = perturbation.decided === decided ? 0 : 1;
    }
    const isLike1 = sides[first] === sides[first + 1];
    const isLike2 = sides[first] === sides[first + 2];
    this.#lone[side] = isLike1 ? 2 : isLike2 ? 1 : 0;
    return !(isLike1 && isLike2);
  }

  /**
   * Tells whether edge k of a triangle, on its way around it, enters the other solid (1) or leaves it (−1) through the
   * other triangle.
   */
  turn(side: Side, k: number): Sign {
    const other = this.#lone[1 - side];
    if (k === nextOf(this.#lone[side])) return 0;
    const turn = this.#turns[turnPlace(side, k, other)];
    return turn === this.#turns[turnPlace(side, k, previousOf(other))] ? (turn as Sign) : 0;
  }

  /** The point in which edge k of a triangle of a body, with this turn, pierces the other triangle of the pair. */
  find(side: Side, own: number, k: number, other: number, turn: Sign): number {
    const surface = this.#surfaces[side];
    const edge = surface.edge(own, k);
    // The other triangle at the edge may have asked before.
    const last = this.lastOnEdge[side][edge];
    for (let point = last; point >= 0; point = this.beforeOnEdge[point]) {
      if (this.#triangles[point] === other) return point;
    }
    const isForward = surface.vertex(own, k) === surface.edges.vertices[2 * edge];
    const [p, pair] = [this.#p, this.#pair];
    const from = 9 * side + 3 * (isForward ? k : nextOf(k));
    const to = 9 * side + 3 * (isForward ? nextOf(k) : k);
    for (let axis = 0; axis < 3; axis++) {
      p[axis] = pair[from + axis];
      p[3 + axis] = pair[to + axis];
    }
    for (let i = 0; i < 9; i++) p[6 + i] = pair[9 - 9 * side + i];
    const entering = isForward ? turn : -turn;
    this.entering.push(entering);
    this.proper.push(this.#isProper(side, k) ? 1 : 0);
    this.#edges.push(2 * edge + side);
    this.#triangles.push(other);
    this.#locate(entering);
    this.beforeOnEdge.push(last);
    return (this.lastOnEdge[side][edge] = this.along.length - 1);
  }

  /** Tells whether edge k of a triangle pierces the other without help of the perturbation. */
  #isProper(side: Side, k: number): boolean {
    const other = this.#lone[1 - side];
    const [first, last] = [turnPlace(side, k, other), turnPlace(side, k, previousOf(other))];
    const ends = this.#moved[3 * side + k] + this.#moved[3 * side + nextOf(k)];
    if (ends + this.#turnMoved[first] + this.#turnMoved[last] > 0) return false;
    // The edge can only touch the other's third edge if that lies in its triangle's plane.
    const third = nextOf(other);
    const own = 3 - 3 * side;
    if (this.#moved[own + third] + this.#moved[own + nextOf(third)] === 0) return true;
    if (side === 0) this.#findTurn(k, third);
    else this.#findTurn(third, k);
    return this.#turnMoved[turnPlace(side, k, third)] === 0;
  }

  exact(point: number): Homogeneous {
    const p = this.#p;
    const side = this.#edges[point] & 1;
    const surface = this.#surfaces[side];
    const first = this.#edges[point] - side;
    surface.position(surface.edges.vertices[first], p, 0);
    surface.position(surface.edges.vertices[first + 1], p, 3);
    this.#surfaces[1 - side].corners(this.#triangles[point], p, 6);
    return exactPiercing(p);
  }

  /**
   * Finds the point in which the edge meets the plane, and how far along the edge it lies.
   *
   * Let D be the size of the edge and the triangle together. Heights over the plane are products of differences from a
   * corner of the triangle: with n = u × v they are off by less than 2^-48·|u||v|·D, and the point, at an angle θ to
   * the plane, by less than 2^-48·|u||v|·D / (|n| sin θ). If |n| sin θ is at least |u||v|/8 that is 2^-45·D. Otherwise
   * heights are computed in double-double (heights.ts), off by less than 2^-96·|u||v|·D, which is as good if |n| sin θ
   * is at least 2^-40·|u||v|. Below that the point is computed in fractions and rounded. The last sum rounds by 2^-53
   * of the coordinate. Lengths are scaled first (surface.ts); if their products are still beyond the range, fractions
   * decide.
   */
  #locate(entering: number): void {
    const p = this.#p;
    const scale = this.#surfaces[0].scale;
    const ux = (p[9] - p[6]) * scale;
    const uy = (p[10] - p[7]) * scale;
    const uz = (p[11] - p[8]) * scale;
    const vx = (p[12] - p[6]) * scale;
    const vy = (p[13] - p[7]) * scale;
    const vz = (p[14] - p[8]) * scale;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const ex = (p[3] - p[0]) * scale;
    const ey = (p[4] - p[1]) * scale;
    const ez = (p[5] - p[2]) * scale;
    const before = entering * scale * (nx * (p[0] - p[6]) + ny * (p[1] - p[7]) + nz * (p[2] - p[8]));
    const after = entering * scale * -(nx * (p[3] - p[6]) + ny * (p[4] - p[7]) + nz * (p[5] - p[8]));
    const sizes =
      (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz) * (ex * ex + ey * ey + ez * ez);
    const sum = before + after;
    const ordinary = sizes > 1e-200 && sizes < 1e200;
    if (ordinary && before >= 0 && after >= 0 && sum * sum * 64 > sizes) {
      this.#setAlong(before / sum);
      return;
    }
    if (ordinary) {
      for (let i = 0; i < 15; i++) this.#scaled[i] = p[i] * scale;
      writeHeights(this.#scaled, this.#heights);
      const [low, high] = [entering * this.#heights[0], -entering * this.#heights[1]];
      if (low >= 0 && high >= 0 && (low + high) ** 2 * 2 ** 80 > sizes) {
        this.#setAlong(low / (low + high));
        return;
      }
    }
    const exact = exactPiercing(p);
    this.positions.push(...toDoubles(exact));
    this.along.push(shareOf(pointAt(p, 0), pointAt(p, 3), exact));
  }

  #setAlong(along: number): void {
    const p = this.#p;
    const place = this.along.extend(1);
    this.along.values[place] = along;
    const at = this.positions.extend(3);
    for (let axis = 0; axis < 3; axis++) {
      const x = p[axis];
      const y = p[3 + axis];
      this.positions.values[at + axis] = along <= 0.5 ? x + along * (y - x) : y + (1 - along) * (x - y);
    }
  }
}

/** The corner after or before one of a triangle, and the edge. */
const nextOf = (k: number): number => (k === 2 ? 0 : k + 1);
const previousOf = (k: number): number => (k === 0 ? 2 : k - 1);

/** The index in the table of turns for edge k of a triangle of a body and edge l of the other's. */
const turnPlace = (side: Side, k: number, l: number): number => (side === 0 ? 3 * k + l : 3 * l + k);

/** The point in which the line through p[0…] and p[3…], which is not parallel to the plane, meets that of p[6…]. */
const exactPiercing = (p: Float64Array): Homogeneous =>
  linePlane(pointAt(p, 0), pointAt(p, 3), planeThrough(pointAt(p, 6), pointAt(p, 9), pointAt(p, 12)));

/** How far from one point to another a third point on their line lies, from 0 to 1. */
function shareOf(from: Homogeneous, to: Homogeneous, point: Homogeneous): number {
  const [whole, part] = [fromTo(from, to), fromTo(from, point)];
  // fromTo's vectors are scaled by the product of both weights.
  for (const axis of ['x', 'y', 'z'] as const) {
    const [numerator, denominator] = [part[axis] * to.w, whole[axis] * point.w];
    if (denominator > 0n) return ratioToDouble(numerator, denominator);
    if (denominator < 0n) return ratioToDouble(-numerator, -denominator);
  }
  return 0;
}
