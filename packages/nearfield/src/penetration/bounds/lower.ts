// Finds forbidden translations: B moved by any of them has interior in common with A. If P is a convex piece of A and Q
// one of B, every translation in the interior of the difference P − Q is forbidden. A difference is kept as a hull,
// which grows only as far as needed. The shortest translation that is in no difference (frontier.ts) bounds the depth
// from below.
//
// Rounding (placement.ts). Radii of balls lose `noise`, and so do heights of the facets of P − Q: no corner of P or Q
// moves farther. If single vertices move by ε (`dents`), a solid need not stay convex. But take a piece Q that holds a
// ball of radius `inner` and lies within `outer` of its centre: shrunk towards that centre by ε/inner, it still lies in
// the solid. Its corners move by ε·outer/inner, so heights lose that as well, once for P and once for Q. They lose the
// same for `loss`, by which a piece fails to be convex. A tetrahedron is the hull of its corners wherever they are: it
// loses nothing more, however thin it is.

import type { OverlappingPair } from '../overlapping-pair.ts';
import { type Depth, expand, type Facet, Hull, type Support } from '../pieces/hull.ts';
import type { Piece } from '../pieces/piece.ts';
import { mostPlanes, type Plane } from './frontier.ts';

/** The growing hull of the difference of two pieces. */
export interface Difference {
  readonly support: Support;
  readonly hull: Hull;
  /** By how much its facets' heights are reduced. */
  readonly margin: number;
  /** A ball that holds it. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly outer: number;
  /** The half-spaces beyond its facets, as of the last request. */
  readonly beyond: {
    facets: readonly Facet[];
    planes: readonly Plane[];
    readonly planeOf: WeakMap<Facet, Plane>;
  };
}

/** Two pieces whose difference is not made yet. */
interface Pair {
  readonly a: Piece;
  readonly b: Piece;
  /** Balls about one centre: one inside the difference, one around it. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly inner: number;
  readonly outer: number;
}

const point = new Float64Array(3);
/** How often a hull may grow to hold a point. */
const mostGrowth = 32;
/** A hull that grows to hold a translation grows up to this many times as far. */
const beyondBy = 1.3;
/** If there are no more facets than this, facets that share a plane are merged. */
const fewFacets = 64;

export class Forbidden {
  readonly #overlap: OverlappingPair;
  #differences: Difference[] = [];
  #pairs: Pair[] = [];
  #tries = 0;
  /** Everything nearer to the origin than this is forbidden. */
  lower: number;
  /** Facets examined and supports requested: what takes the time. */
  work = 0;
  #planeCount = 0;
  #clearance: number | undefined;
  /** The largest stretch from B's frame to A's. */
  readonly stretch: number;

  constructor(overlap: OverlappingPair, lower = 0) {
    this.#overlap = overlap;
    this.lower = lower;
    const { r } = overlap.frame;
    this.stretch = 1.001 * Math.max(Math.hypot(r[0], r[3], r[6]), Math.hypot(r[1], r[4], r[7]));
  }

  #inA(p: Float64Array): [number, number, number] {
    const { r, place } = this.#overlap.frame;
    return [
      r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + place[0],
      r[3] * p[0] + r[4] * p[1] + r[5] * p[2] + place[1],
      r[6] * p[0] + r[7] * p[1] + r[8] * p[2] + place[2],
    ];
  }

  /** Balls in A and in B about one point, whose radii sum to this. */
  addBalls(sum: number): void {
    this.lower = Math.max(this.lower, sum * (1 - 1e-14) - this.#overlap.frame.noise);
  }

  /** Sets the pieces of both. Their differences are made when they are needed, at most `tries` per translation. */
  setPieces(piecesA: readonly Piece[], piecesB: readonly Piece[], tries: number): void {
    this.#tries = tries;
    const { stretch } = this;
    const centres = piecesB.map(b => this.#inA(b.centre));
    this.#pairs = [];
    for (const a of piecesA) {
      piecesB.forEach((b, j) => {
        const [x, y, z] = [0, 1, 2].map(axis => a.centre[axis] - centres[j][axis]);
        this.#pairs.push({
          a,
          b,
          x,
          y,
          z,
          inner: a.inner + stretch * b.inner,
          outer: a.outer + stretch * b.outer,
        });
      });
    }
  }

  /**
   * From now on translations count as forbidden if they are nearer to a difference than this. Differences are then too
   * large, not too small: the results say nothing about the lower bound. Planes given before must not be mixed with
   * those given after.
   */
  keepClear(clearance: number): void {
    this.#clearance = clearance;
    this.#planeCount = 0;
    this.#differences = this.#differences.map(difference => ({ ...difference, beyond: noPlanes() }));
  }

  /** By how much the heights of a difference's facets are reduced. */
  #lossOf({ margin }: Difference): number {
    return this.#clearance === undefined ? margin : -this.#clearance;
  }

  #mayHold(d: Difference | Pair, x: number, y: number, z: number): boolean {
    return (x - d.x) ** 2 + (y - d.y) ** 2 + (z - d.z) ** 2 < (d.outer + (this.#clearance ?? 0)) ** 2;
  }

  /** No translation in a difference of pieces is as long as this. */
  get reach(): number {
    let reach = 0;
    for (const { x, y, z, outer } of this.#pairs) reach = Math.max(reach, Math.hypot(x, y, z) + outer);
    return 1.001 * reach;
  }

  /** The difference of two pieces; undefined if it has no interior, or rounding may take too much from a piece. */
  addPair(a: Piece, b: Piece): Difference | undefined {
    const { noise, dents, leastStretch } = this.#overlap.frame;
    const { stretch } = this;
    if (!(noise < a.firm && noise < leastStretch * b.firm)) return undefined;
    const support = this.#overlap.difference(a.support, b.support);
    const hull = Hull.of(support);
    this.work += 1000;
    if (hull === undefined) return undefined;
    const margin = 1.01 * (noise + drawn(a, a.loss + dents) + drawn(b, stretch * b.loss + dents)) + 1e-13;
    const centre = this.#inA(b.centre);
    const difference: Difference = {
      support,
      hull,
      margin,
      x: a.centre[0] - centre[0],
      y: a.centre[1] - centre[1],
      z: a.centre[2] - centre[2],
      outer: a.outer + stretch * b.outer,
      beyond: noPlanes(),
    };
    this.#differences.push(difference);
    return difference;
  }

  /** How deep the origin lies in a difference, to a ratio. */
  depthIn({ hull, support, margin }: Difference, ratio: number, steps: number): Depth {
    const depth = expand(hull, support, ratio, steps, this.lower);
    this.lower = Math.max(this.lower, (depth.lower - margin) * (1 - 1e-14));
    return depth;
  }

  /**
   * A difference that holds a translation by more than `slack`, or undefined. First it asks differences that hold it as
   * far as they have grown, and takes the one in which it lies deepest. Then others may grow, then pairs of pieces are
   * tried.
   */
  holding(x: number, y: number, z: number, slack: number): Difference | undefined {
    let best: Difference | undefined;
    let most = slack;
    const differences = this.#differences;
    this.work += differences.length;
    for (const difference of differences) {
      if (!this.#mayHold(difference, x, y, z)) continue;
      const { facets } = difference.hull;
      const loss = this.#lossOf(difference);
      this.work += facets.length;
      let depth = Infinity;
      for (const facet of facets) {
        const room = facet.height - loss - (facet.x * x + facet.y * y + facet.z * z);
        if (room < depth) depth = room;
        if (depth <= most) break;
      }
      if (depth <= most) continue;
      most = depth;
      best = difference;
    }
    if (best !== undefined) return best;
    for (const difference of differences)
      if (this.#mayHold(difference, x, y, z) && this.#grown(difference, x, y, z, slack)) return difference;
    return this.#holdingPair(x, y, z, slack);
  }

  #holdingPair(x: number, y: number, z: number, slack: number): Difference | undefined {
    this.work += this.#pairs.length;
    // Their balls alone forbid what is nearer to the centre than `inner`.
    const near = this.#pairs.filter(pair => this.#mayHold(pair, x, y, z));
    const promise = (p: Pair): number => p.inner - Math.hypot(x - p.x, y - p.y, z - p.z);
    near.sort((p, q) => promise(q) - promise(p));
    for (const pair of near.slice(0, this.#tries)) {
      this.#pairs.splice(this.#pairs.indexOf(pair), 1);
      const difference = this.addPair(pair.a, pair.b);
      if (difference !== undefined && this.#grown(difference, x, y, z, slack)) return difference;
    }
    return undefined;
  }

  /**
   * Lets a difference grow and tells whether it holds a translation. If so, it grows somewhat beyond, because other
   * translations are near.
   */
  #grown(difference: Difference, x: number, y: number, z: number, slack: number): boolean {
    if (!this.#grow(difference, x, y, z, slack)) return false;
    this.#grow(difference, beyondBy * x, beyondBy * y, beyondBy * z, slack);
    return true;
  }

  /**
   * Lets the hull of a difference grow where a facet is in the way of a translation, until it holds the translation.
   * Returns false if it cannot.
   */
  #grow(difference: Difference, x: number, y: number, z: number, slack: number): boolean {
    const { support, hull } = difference;
    const loss = this.#lossOf(difference);
    for (let growth = 0; growth < mostGrowth; growth++) {
      let worst: Facet | undefined;
      let least = slack;
      this.work += hull.facets.length;
      for (const facet of hull.facets) {
        const room = facet.height - loss - (facet.x * x + facet.y * y + facet.z * z);
        if (room > least) continue;
        // A facet of the difference itself: the translation is not inside.
        if (facet.final) return false;
        least = room;
        worst = facet;
      }
      if (worst === undefined) return true;
      this.work += 150;
      const height = support(worst.x, worst.y, worst.z, point);
      const outside = height - loss - (worst.x * x + worst.y * y + worst.z * z) <= slack;
      if (!hull.add(point[0], point[1], point[2])) worst.final = true;
      if (outside) return false;
    }
    return false;
  }

  /**
   * Half-spaces beyond the facets of a difference. Facets that share a plane except for rounding, 2^-44, share one
   * half-space, lower than all of them by that rounding over a length of `within`. Undefined if there are too many
   * planes.
   */
  beyond(difference: Difference, within: number): readonly Plane[] | undefined {
    const { hull, beyond } = difference;
    if (beyond.facets === hull.facets) return beyond.planes;
    const planes = new Set<Plane>();
    const loss = this.#lossOf(difference) + 2 ** -42 * within;
    const few = hull.facets.length <= fewFacets;
    for (const facet of hull.facets) {
      let plane = beyond.planeOf.get(facet);
      if (plane === undefined) {
        const height = facet.height - loss;
        if (few) plane = alike(planes, facet, height, within);
        if (plane === undefined) {
          if (this.#planeCount === mostPlanes) return undefined;
          const { x, y, z } = facet;
          plane = { x, y, z, height, number: this.#planeCount++ };
        }
        beyond.planeOf.set(facet, plane);
      }
      planes.add(plane);
    }
    this.work += 4 * hull.facets.length;
    beyond.facets = hull.facets;
    beyond.planes = [...planes];
    return beyond.planes;
  }
}

const noPlanes = (): Difference['beyond'] => ({ facets: [], planes: [], planeOf: new WeakMap() });

function alike(
  planes: Iterable<Plane>,
  { x, y, z }: Facet,
  height: number,
  within: number,
): Plane | undefined {
  for (const p of planes) {
    const turned = Math.abs(p.x - x) + Math.abs(p.y - y) + Math.abs(p.z - z);
    if (turned < 2 ** -44 && Math.abs(p.height - height) < 2 ** -44 * within) return p;
  }
  return undefined;
}

/** How far corners are moved towards the centre. */
const drawn = ({ inner, outer, simplex }: Piece, by: number): number =>
  simplex ? 0 : by + (by * outer) / inner;
