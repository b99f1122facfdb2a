// A length no separating translation is shorter than: the distance from the origin to the nearest translation that is not
// known to be forbidden. Forbidden are (DESIGN: the numerical contract)
//   the ball about t of radius r where a ball in A and a ball in B + t about one point have radii that sum to r;
//   the interior of P − Q for convex pieces P of A and Q of B.
// Cubes of translations are taken in order of their distance from the origin. One that lies in a ball, or in the growing
// hull of a P − Q, is done; another is cut in eight. The distance of the nearest cube left is the bound.
//
// Rounding. Balls lose `noise` (placement.ts). A piece Q, with a ball of radius `inner` within and all of it within `outer` of
// the centre, drawn towards that centre by ε/inner lies in the solid even when its surface has moved by ε: corners move by
// ε·outer/inner. So does P, and by its `loss` as well: heights of the facets of P − Q lose the sum of these.

import type { Overlap } from './overlap.ts';
import { type Depth, expand, type Facet, Hull, type Support } from './pieces/hull.ts';
import type { Piece } from './pieces/pieces.ts';

interface Ball {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly radius: number;
}

/** The growing hull of the difference of two pieces. */
interface Difference {
  readonly support: Support;
  readonly hull: Hull;
  /** What its facets' heights lose. */
  readonly margin: number;
  /** How deep the origin lies in it, at least. */
  readonly depth: number;
  /** A ball that holds it. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly outer: number;
}

interface Cube {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly half: number;
  /** Distance of its nearest point from the origin. */
  readonly distance: number;
}

const point = new Float64Array(3);
const mostDifferences = 24;

export class Forbidden {
  readonly #overlap: Overlap;
  readonly #balls: Ball[] = [];
  #differences: Difference[] = [];
  #cubes: Cube[] = [];
  /** Everything nearer to the origin than this is forbidden by one ball or one difference alone. */
  lower = 0;

  /** Facets looked at and supports asked for since the last search began: what takes the time. */
  #work = 0;
  /** The most that B's frame is stretched into A's. */
  readonly stretch: number;

  constructor(overlap: Overlap) {
    this.#overlap = overlap;
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

  addBall(x: number, y: number, z: number, sum: number): void {
    const radius = sum * (1 - 1e-14) - this.#overlap.frame.noise;
    if (!(radius > 0)) return;
    this.#balls.push({ x, y, z, radius });
    this.lower = Math.max(this.lower, radius - Math.hypot(x, y, z) * (1 + 1e-14));
  }

  /** Takes the pairs of pieces whose differences are likely to have the origin deepest within. */
  addPieces(piecesA: readonly Piece[], piecesB: readonly Piece[], within: number): void {
    const pairs: { a: Piece; b: Piece; promise: number }[] = [];
    const { stretch } = this;
    const centres = piecesB.map(b => this.#inA(b.centre));
    for (const a of piecesA) {
      piecesB.forEach((b, j) => {
        const apart = distanceOf(a.centre, centres[j]);
        // Their balls alone forbid this much.
        const promise = a.inner + stretch * b.inner - apart;
        if (apart <= a.outer + stretch * b.outer + within) pairs.push({ a, b, promise });
      });
    }
    pairs.sort((p, q) => q.promise - p.promise);
    for (const { a, b } of pairs.slice(0, mostDifferences)) this.addPair(a, b, within);
    this.#differences.sort((p, q) => q.depth - p.depth);
  }

  /** The difference of two pieces, unless it has no point within a distance of the origin. Returns how deep that lies in it. */
  addPair(a: Piece, b: Piece, within: number, steps = 24, ratio = 1.1): Depth | undefined {
    const overlap = this.#overlap;
    const { noise } = overlap.frame;
    const { stretch } = this;
    const support = overlap.difference(a.support, b.support);
    const hull = Hull.of(support);
    if (hull === undefined) return undefined;
    const margin =
      (a.loss + noise) * (1.01 + (1.01 * a.outer) / a.inner) +
      (stretch * b.loss + noise) * (1.01 + (1.01 * b.outer) / b.inner) +
      1e-13;
    const depth = expand(hull, support, ratio, steps, this.lower);
    if (depth.upper < -within) return undefined;
    const centre = this.#inA(b.centre);
    this.#differences.push({
      support,
      hull,
      margin,
      depth: depth.lower - margin,
      x: a.centre[0] - centre[0],
      y: a.centre[1] - centre[1],
      z: a.centre[2] - centre[2],
      outer: a.outer + stretch * b.outer,
    });
    this.lower = Math.max(this.lower, (depth.lower - margin) * (1 - 1e-14));
    return depth;
  }

  /**
   * Lets the bound grow until it reaches `enough` or the work is done: steps of `work` (facets compared, mostly), `looks` at how
   * deep the solids overlap at the centre of a cube that nothing covers. Returns the bound. Where a look finds no overlap, `free` is told: it may
   * know of a better `enough`. Yields now and then.
   */
  *grow(
    enough: () => number,
    limits: { work: number; looks: number; until: () => boolean },
    free: (t: Float64Array) => void,
  ): Generator<undefined, number> {
    let { looks } = limits;
    const root = 1.0001 * enough();
    this.#cubes = [];
    this.#split({ x: 0, y: 0, z: 0, half: root, distance: 0 });
    this.#work = 0;
    for (let taken = 0; this.#work < limits.work && this.#cubes.length > 0; taken++) {
      const cube = this.#cubes[0];
      if (cube.distance >= enough()) break;
      if ((taken & 15) === 15) {
        if (limits.until()) break;
        yield;
      }
      if (this.#covers(cube)) {
        this.#takeFirst();
        continue;
      }
      if (cube.half < 0.004 * root) break;
      this.#takeFirst();
      if (looks > 0 && cube.half < 0.3 * root) {
        looks--;
        const { kernels } = this.#overlap;
        this.#overlap.moveTo(cube.x, cube.y, cube.z);
        const found = kernels.deepest(50);
        if (found.sum > 0) this.addBall(cube.x, cube.y, cube.z, found.sum);
        else free(new Float64Array([cube.x, cube.y, cube.z]));
        if (this.#covers(cube)) continue;
      }
      this.#split(cube);
    }
    // Outside the root cube, which holds the ball of radius `root`, nothing was looked at.
    const nearest = this.#cubes.length > 0 ? Math.min(root, this.#cubes[0].distance) : root;
    return Math.max(this.lower, nearest * (1 - 1e-14));
  }

  #split({ x, y, z, half }: Cube): void {
    const h = 0.5 * half;
    for (let i = 0; i < 8; i++) {
      const cx = x + (i & 1 ? h : -h);
      const cy = y + (i & 2 ? h : -h);
      const cz = z + (i & 4 ? h : -h);
      const dx = Math.max(0, Math.abs(cx) - h);
      const dy = Math.max(0, Math.abs(cy) - h);
      const dz = Math.max(0, Math.abs(cz) - h);
      this.#insert({ x: cx, y: cy, z: cz, half: h, distance: Math.sqrt(dx * dx + dy * dy + dz * dz) });
    }
  }

  #covers(cube: Cube): boolean {
    const { x, y, z, half } = cube;
    const corner = half * 1.7320508075688774;
    this.#work += 60 + this.#balls.length + this.#differences.length;
    for (const ball of this.#balls) {
      const dx = x - ball.x;
      const dy = y - ball.y;
      const dz = z - ball.z;
      if (Math.sqrt(dx * dx + dy * dy + dz * dz) + corner < ball.radius * (1 - 1e-14)) return true;
    }
    for (const difference of this.#differences) {
      const dx = x - difference.x;
      const dy = y - difference.y;
      const dz = z - difference.z;
      const reach = difference.outer - half;
      if (reach > 0 && dx * dx + dy * dy + dz * dz < reach * reach && this.#holdsCube(difference, cube))
        return true;
    }
    return false;
  }

  /**
   * Whether the hull of a difference holds a cube: it lies inside the planes of all facets (hull.ts, with the cube's centre for
   * the origin). The hull is let grow where a facet is in the way that the difference may reach beyond.
   */
  #holdsCube({ support, hull, margin }: Difference, { x, y, z, half }: Cube): boolean {
    for (let growth = 0; growth < 6; growth++) {
      let worst: Facet | undefined;
      let most = 0;
      this.#work += hull.facets.length;
      for (const facet of hull.facets) {
        const reach =
          facet.x * x +
          facet.y * y +
          facet.z * z +
          half * (Math.abs(facet.x) + Math.abs(facet.y) + Math.abs(facet.z));
        const over = reach - (facet.height - margin);
        if (over < most) continue;
        // A facet of the difference itself: the cube reaches out of it.
        if (facet.final) return false;
        most = over;
        worst = facet;
      }
      if (worst === undefined) return true;
      this.#work += 150;
      const height = support(worst.x, worst.y, worst.z, point);
      // Even the difference's own plane along this normal leaves a part of the cube out.
      const short = worst.height + most > height;
      if (!hull.add(point[0], point[1], point[2])) worst.final = true;
      if (short) return false;
    }
    return false;
  }

  #insert(cube: Cube): void {
    const heap = this.#cubes;
    let at = heap.push(cube) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent].distance <= cube.distance) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = cube;
  }

  #takeFirst(): void {
    const heap = this.#cubes;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1].distance < heap[child].distance) child++;
      if (heap[child].distance >= last.distance) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
  }
}

const distanceOf = (p: ArrayLike<number>, q: ArrayLike<number>): number =>
  Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
