// Where does the surface of one body pass through that of another? Edges of each pierce triangles of the other, in points
// that belong to the edge, not to the triangle: the triangles at an edge share them. Every two triangles that cross have
// one segment between two such points. What touches without crossing has been decided one way (perturbed.ts).

import { noEdge, type Surface } from '../surface.ts';
import type { Moved, Perturbation } from './perturbed.ts';

/** Body 0 is A, the one with the lower index, body 1 is B. */
export type Side = 0 | 1;
export const sides: readonly Side[] = [0, 1];

export interface Crossings {
  /** World positions of the points in which edges pierce triangles, three numbers each. */
  readonly positions: readonly number[];
  /** For each body, the points on each of its edges that have any. */
  readonly onEdge: readonly [ReadonlyMap<number, number[]>, ReadonlyMap<number, number[]>];
  /** For each point, 1 if its edge enters the other solid there on its way from its first vertex to its second, else −1. */
  readonly entering: readonly number[];
  /** For each point, how far along the edge it lies, from 0 to 1. */
  readonly along: readonly number[];
  /**
   * For each pair of triangles, the points from which and to which their segment runs, −1 if they do not cross. The part
   * of A's triangle that lies in B is to the left of it seen from outside A, the part of B's triangle in A to the right
   * seen from outside B.
   */
  readonly from: Int32Array;
  readonly to: Int32Array;
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
    const triangles = [pairs[2 * i], pairs[2 * i + 1]] as const;
    for (const side of sides) {
      const [own, other] = [triangles[side], triangles[1 - side]];
      for (let k = 0; k < 3; k++) {
        const edge = surfaces[side].edge(own, k);
        if (edge === noEdge) continue;
        const point = finder.find(side, edge, other);
        if (point < 0) continue;
        // Counter-clockwise around its triangle an edge that enters the other solid goes on along the part inside, so
        // the segment of the boundary before it ends here. Seen from B the segment runs the other way.
        const runsForward = surfaces[side].vertex(own, k) === surfaces[side].edges.vertices[2 * edge];
        const enters = finder.entering[point] > 0 === runsForward;
        if (enters === (side === 0)) to[i] = point;
        else from[i] = point;
      }
    }
  }
  const { positions, onEdge, entering, along } = finder;
  return { positions, onEdge, entering, along, from, to };
}

class CrossingFinder {
  readonly positions: number[] = [];
  readonly onEdge: readonly [Map<number, number[]>, Map<number, number[]>] = [new Map(), new Map()];
  readonly entering: number[] = [];
  readonly along: number[] = [];
  readonly #surfaces: readonly [Surface, Surface];
  readonly #perturbation: Perturbation;
  /** By edge and triangle, the point or −1: two triangles at the edge ask. */
  readonly #known: readonly [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
  /** The edge's ends at 0 and 3, the triangle at 6. */
  readonly #p = new Float64Array(15);

  constructor(surfaces: readonly [Surface, Surface], perturbation: Perturbation) {
    this.#surfaces = surfaces;
    this.#perturbation = perturbation;
  }

  /** The point in which an edge of a body pierces a triangle of the other, or −1. */
  find(side: Side, edge: number, triangle: number): number {
    const key = edge * this.#surfaces[1 - side].triangleCount + triangle;
    let point = this.#known[side].get(key);
    if (point === undefined) this.#known[side].set(key, (point = this.#look(side, edge, triangle)));
    return point;
  }

  #look(side: Side, edge: number, triangle: number): number {
    const p = this.#p;
    const surface = this.#surfaces[side];
    surface.position(surface.edges.vertices[2 * edge], p, 0);
    surface.position(surface.edges.vertices[2 * edge + 1], p, 3);
    this.#surfaces[1 - side].corners(triangle, p, 6);
    const moved: Moved = side === 0 ? 1 : -1;
    const before = this.#perturbation.sideOfPlane(p, 6, 0, moved);
    const after = this.#perturbation.sideOfPlane(p, 6, 3, moved);
    if (before === after || before === 0 || after === 0) return -1;
    const turn = this.#perturbation.turnAround(p, 0, 3, 6, 9, moved);
    if (turn === 0 || this.#perturbation.turnAround(p, 0, 3, 9, 12, moved) !== turn) return -1;
    if (this.#perturbation.turnAround(p, 0, 3, 12, 6, moved) !== turn) return -1;
    // From above the plane, outside the solid, to below it.
    this.entering.push(before < 0 ? 1 : -1);
    const along = this.#share(before, after);
    this.along.push(along);
    for (let axis = 0; axis < 3; axis++) {
      const [x, y] = [p[axis], p[3 + axis]];
      this.positions.push(along <= 0.5 ? x + along * (y - x) : y + (1 - along) * (x - y));
    }
    const point = this.along.length - 1;
    const others = this.onEdge[side].get(edge);
    if (others) others.push(point);
    else this.onEdge[side].set(edge, [point]);
    return point;
  }

  /**
   * How far along the edge its point in the plane lies. Heights are products of differences from a corner of the triangle;
   * one whose sign is not the decided one is below rounding and taken as zero, so the share stays within the edge.
   */
  #share(before: number, after: number): number {
    const p = this.#p;
    const ux = p[9] - p[6];
    const uy = p[10] - p[7];
    const uz = p[11] - p[8];
    const vx = p[12] - p[6];
    const vy = p[13] - p[7];
    const vz = p[14] - p[8];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const low = -(nx * (p[0] - p[6]) + ny * (p[1] - p[7]) + nz * (p[2] - p[8]));
    const high = -(nx * (p[3] - p[6]) + ny * (p[4] - p[7]) + nz * (p[5] - p[8]));
    const start = Math.max(0, before * low);
    const end = Math.max(0, after * high);
    return start + end > 0 ? start / (start + end) : 0.5;
  }
}
