// The boundary of what two solids have in common, piece by piece: of each triangle the part in the other solid. A part of
// a triangle is given by the directed lines around it. Sums over it are sums over its lines (Green), so nothing need be
// cut, and a part may have several outlines and holes. Lines run between elements, points of crossing or vertices; elements
// that hang together are one region.

import { type Homogeneous, pointAt } from '../../../math/rational.ts';
import { DisjointSets } from '../../../mesh/facts.ts';
import type { CommonFace } from '../flat.ts';
import { noEdge, type Surface } from '../surface.ts';
import { type Crossings, type Side, sides } from './crossings.ts';
import type { Enclosed } from './enclosed.ts';
import { joinHoles } from './holes.ts';
import type { Perturbation } from './perturbed.ts';

/** All positions are relative to `origin`. */
export interface Boundary {
  readonly origin: Float64Array;
  /** Three numbers each: points of crossing, then enclosed vertices, then corners of faces in common. */
  readonly elements: Float64Array;
  /** Where the corners of faces in common begin. */
  readonly cornersFrom: number;
  /** The region of each element, numbered from 0. */
  readonly regionOf: Int32Array;
  readonly regionCount: number;
  readonly parts: Parts;
  readonly whole: Whole;
  /** Whether an element proves that the solids overlap: an edge truly passes through a triangle there. */
  proper(element: number): boolean;
  /** The exact place of an element that is no corner of a face in common, in the world. */
  exact(element: number): Homogeneous;
  /** World corners of a triangle of a body, nine numbers. */
  corners(side: Side, triangle: number, out: Float64Array): void;
}

/** Triangles that meet the other body, less those of which nothing lies inside. */
export interface Parts {
  readonly side: readonly Side[];
  readonly triangle: readonly number[];
  /** Whether the part is the whole triangle. */
  readonly full: readonly boolean[];
  /** A corner and the unit normal out of the solid, six numbers each. */
  readonly planes: Numbers;
  /** Lines of part i: from start[i] to start[i + 1]. */
  readonly start: readonly number[];
  /** For each line the elements from which and to which it runs, and how often it counts: three numbers. */
  readonly lines: Numbers;
  /** Parts from here on put faces in common right. */
  commonFrom: number;
}
export const lineLength = 3;

/** Triangles that lie wholly inside. */
export interface Whole {
  readonly side: readonly Side[];
  readonly triangle: readonly number[];
  readonly element: readonly number[];
  /** Nine numbers each. */
  readonly corners: Numbers;
}

/** A list of doubles that grows. */
export class Numbers {
  values = new Float64Array(512);
  length = 0;

  /** Makes room for `count` more and gives the place of the first. */
  extend(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.values.length) {
      const larger = new Float64Array(2 * this.length);
      larger.set(this.values);
      this.values = larger;
    }
    return at;
  }
}

/** The pairs as in `crossings`, and what lies where on both sides. */
export function boundaryOf(
  surfaces: readonly [Surface, Surface],
  pairs: Uint32Array,
  crossings: Crossings,
  enclosed: readonly [Enclosed, Enclosed],
  faces: readonly CommonFace[],
  perturbation: Perturbation,
): Boundary {
  const builder = new BoundaryBuilder(surfaces, crossings, enclosed);
  for (const side of sides) {
    builder.addParts(side, pairs);
    builder.addWhole(side);
  }
  builder.addCommon(faces, perturbation);
  return builder.finish();
}

/** For each body the elements that mark lines of a triangle. */
type ElementsOf = readonly [Map<number, number[]>, Map<number, number[]>];

const noStretches: readonly number[] = [];

class BoundaryBuilder {
  readonly #surfaces: readonly [Surface, Surface];
  readonly #crossings: Crossings;
  readonly #enclosed: readonly [Enclosed, Enclosed];
  readonly #origin = new Float64Array(3);
  readonly #parts = {
    side: [] as Side[],
    triangle: [] as number[],
    full: [] as boolean[],
    planes: new Numbers(),
    start: [0],
    lines: new Numbers(),
    commonFrom: 0,
  };
  readonly #whole = {
    side: [] as Side[],
    triangle: [] as number[],
    element: [] as number[],
    corners: new Numbers(),
  };
  readonly #elements = new Numbers();
  #cornersFrom = 0;
  /** Body and vertex of each element that is a vertex. */
  readonly #vertices: number[] = [];
  readonly #vertexElements: readonly [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
  /** Two elements each, that hang together. */
  readonly #joined: number[] = [];
  /** A triangle's corners. */
  readonly #p = new Float64Array(9);

  constructor(
    surfaces: readonly [Surface, Surface],
    crossings: Crossings,
    enclosed: readonly [Enclosed, Enclosed],
  ) {
    this.#surfaces = surfaces;
    this.#crossings = crossings;
    this.#enclosed = enclosed;
    const { positions } = crossings;
    for (const side of sides) {
      const { inner } = enclosed[side];
      if (inner.length > 0) surfaces[side].position(surfaces[side].vertex(inner[0], 0), this.#origin, 0);
    }
    if (positions.length > 0) this.#origin.set(positions.slice(0, 3));
    this.#elements.extend(positions.length);
    for (let i = 0; i < positions.length; i++) this.#elements.values[i] = positions[i] - this.#origin[i % 3];
  }

  addParts(side: Side, pairs: Uint32Array): void {
    const { from, to, onEdge } = this.#crossings;
    const surface = this.#surfaces[side];
    const { touched } = this.#enclosed[side];
    // By triangle, its first pair that crosses; and by pair, the next of the same triangle.
    const first = new Map<number, number>();
    const next = new Int32Array(from.length);
    for (let i = from.length - 1; i >= 0; i--) {
      if (from[i] < 0) continue;
      if (side === 0) this.#joined.push(from[i], to[i]);
      const t = pairs[2 * i + side];
      next[i] = first.get(t) ?? -1;
      first.set(t, i);
    }
    const stretches = new Map<number, readonly number[]>();
    for (const t of touched) {
      let full = !first.has(t);
      for (let i = first.get(t) ?? -1; i >= 0; i = next[i]) {
        if (side === 0) this.#addLine(from[i], to[i], 1);
        else this.#addLine(to[i], from[i], 1);
      }
      for (let k = 0; k < 3; k++) {
        const edge = surface.edge(t, k);
        if (edge === noEdge) continue;
        let inside = stretches.get(edge);
        if (inside === undefined) stretches.set(edge, (inside = this.#stretchesOf(side, edge)));
        if (inside.length !== 2 || onEdge[side].has(edge)) full = false;
        const forward = surface.edges.vertices[2 * edge] === surface.vertex(t, k);
        for (let i = 0; i < inside.length; i += 2) {
          if (forward) this.#addLine(inside[i], inside[i + 1], 1);
          else this.#addLine(inside[i + 1], inside[i], 1);
        }
      }
      this.#endPart(side, t, full);
    }
  }

  /**
   * The stretches of an edge that lie inside, each from one element to another, in the edge's own direction; joins them.
   * The edge enters and leaves by turns, so the i-th place where it enters goes with the i-th where it leaves: places that
   * rounding cannot tell apart need no order.
   */
  #stretchesOf(side: Side, edge: number): readonly number[] {
    const { vertices } = this.#surfaces[side].edges;
    const { countAt } = this.#enclosed[side];
    const { onEdge, along, entering } = this.#crossings;
    const [first, last] = [vertices[2 * edge], vertices[2 * edge + 1]];
    const points = onEdge[side].get(edge);
    const isInside = countAt.get(first)! !== 0;
    if (points === undefined) {
      if (!isInside) return noStretches;
      const ends = [this.#vertexElement(side, first), this.#vertexElement(side, last)];
      this.#joined.push(ends[0], ends[1]);
      return ends;
    }
    if (points.length > 1) points.sort((m, n) => along[m] - along[n] || m - n);
    const starts = points.filter(point => entering[point] > 0);
    const ends = points.filter(point => entering[point] < 0);
    if (isInside) starts.unshift(this.#vertexElement(side, first));
    if (countAt.get(last)! !== 0) ends.push(this.#vertexElement(side, last));
    const stretches: number[] = [];
    for (let i = 0; i < starts.length && i < ends.length; i++) stretches.push(starts[i], ends[i]);
    this.#joined.push(...stretches);
    return stretches;
  }

  addWhole(side: Side): void {
    const { inner, innerFrom, joined } = this.#enclosed[side];
    const { corners, triangle, element, side: sideOf } = this.#whole;
    for (let i = 0; i < inner.length; i++) {
      this.#place(this.#surfaces[side], inner[i]);
      const at = corners.extend(9);
      corners.values.set(this.#p, at);
      sideOf.push(side);
      triangle.push(inner[i]);
      const same = i > 0 && innerFrom[i] === innerFrom[i - 1];
      element.push(same ? element[element.length - 1] : this.#vertexElement(side, innerFrom[i]));
    }
    for (const vertex of joined) this.#joined.push(this.#vertexElement(side, vertex));
  }

  /**
   * Puts faces in common right. Where both solids have the same face, A's has been decided to lie in B, or B's in A
   * (perturbed.ts). Neither is more right: half of the face is moved over, so that both have half of it, and normals do
   * not lean. Where they touch in the face and A has been moved into B, each has the face: it is taken away from both.
   */
  addCommon(faces: readonly CommonFace[], perturbation: Perturbation): void {
    this.#parts.commonFrom = this.#parts.triangle.length;
    this.#cornersFrom = this.#elements.length / 3;
    const elementsOf = faces.length > 0 ? this.#collectElements() : undefined;
    if (elementsOf) for (const face of faces) this.#addCommonFace(face, perturbation, elementsOf);
  }

  #addCommonFace(
    { corners, a, b, same }: CommonFace,
    perturbation: Perturbation,
    elementsOf: ElementsOf,
  ): void {
    this.#surfaces[0].corners(a, this.#p, 0);
    const lead = perturbation.lead(this.#p, 0);
    if (!same && lead < 0) return;
    const element = this.#elementNear(corners[0], elementsOf, [a, b]);
    if (element < 0) return;
    const first = this.#elements.extend(3 * corners.length) / 3;
    corners.forEach((corner, i) => {
      for (let axis = 0; axis < 3; axis++) {
        this.#elements.values[3 * (first + i) + axis] = corner[axis] - this.#origin[axis];
      }
      this.#joined.push(element, first + i);
    });
    for (const side of sides) {
      // The lines run counter-clockwise seen from outside A: clockwise seen from outside B where the two touch.
      const weight = (side === 0 ? 1 : -1) * (same ? lead / 2 : -1);
      for (let i = 0; i < corners.length; i++) {
        this.#addLine(first + i, first + ((i + 1) % corners.length), weight);
      }
      this.#endPart(side, side === 0 ? a : b, false);
    }
  }

  /** Of the elements that mark lines of two triangles, the one nearest to a point; −1 if there is none. */
  #elementNear(position: readonly number[], elementsOf: ElementsOf, triangles: readonly number[]): number {
    let [nearest, least] = [-1, Infinity];
    for (const side of sides) {
      for (const element of elementsOf[side].get(triangles[side]) ?? []) {
        let squared = 0;
        for (let axis = 0; axis < 3; axis++) {
          squared += (position[axis] - this.#origin[axis] - this.#elements.values[3 * element + axis]) ** 2;
        }
        if (squared < least) [nearest, least] = [element, squared];
      }
    }
    return nearest;
  }

  #collectElements(): ElementsOf {
    const found: ElementsOf = [new Map(), new Map()];
    const { side, triangle, start, lines } = this.#parts;
    triangle.forEach((t, part) => {
      const elements: number[] = [];
      for (let i = start[part]; i < start[part + 1]; i++) elements.push(lines.values[lineLength * i]);
      found[side[part]].set(t, elements);
    });
    return found;
  }

  finish(): Boundary {
    const elements = this.#elements.values.slice(0, this.#elements.length);
    const sets = new DisjointSets(elements.length / 3);
    for (let i = 0; i < this.#joined.length; i += 2) sets.join(this.#joined[i], this.#joined[i + 1]);
    joinHoles(this.#parts, elements, sets);
    const regionOf = new Int32Array(elements.length / 3).fill(-1);
    let regionCount = 0;
    for (let i = 0; i < regionOf.length; i++) {
      const root = sets.find(i);
      if (regionOf[root] < 0) regionOf[root] = regionCount++;
      regionOf[i] = regionOf[root];
    }
    return {
      origin: this.#origin,
      elements,
      cornersFrom: this.#cornersFrom,
      regionOf,
      regionCount,
      parts: this.#parts,
      whole: this.#whole,
      proper: element => this.#crossings.proper[element] ?? false,
      exact: element => this.#exact(element),
      corners: (side, triangle, out) => this.#surfaces[side].corners(triangle, out, 0),
    };
  }

  #exact(element: number): Homogeneous {
    const crossings = this.#crossings.entering.length;
    if (element < crossings) return this.#crossings.exact(element);
    const [side, vertex] = this.#vertices.slice(2 * (element - crossings), 2 * (element - crossings) + 2);
    this.#surfaces[side].position(vertex, this.#p, 0);
    return pointAt(this.#p, 0);
  }

  /** Writes a triangle's corners, relative to the origin, to #p. */
  #place(surface: Surface, t: number): void {
    const p = this.#p;
    const origin = this.#origin;
    surface.corners(t, p, 0);
    for (let i = 0; i < 9; i += 3) {
      p[i] -= origin[0];
      p[i + 1] -= origin[1];
      p[i + 2] -= origin[2];
    }
  }

  #vertexElement(side: Side, vertex: number): number {
    const known = this.#vertexElements[side];
    let element = known.get(vertex);
    if (element === undefined) {
      const at = this.#elements.extend(3);
      const { values } = this.#elements;
      this.#surfaces[side].position(vertex, values, at);
      for (let axis = 0; axis < 3; axis++) values[at + axis] -= this.#origin[axis];
      this.#vertices.push(side, vertex);
      known.set(vertex, (element = at / 3));
    }
    return element;
  }

  #addLine(from: number, to: number, weight: number): void {
    const at = this.#parts.lines.extend(lineLength);
    const { values } = this.#parts.lines;
    values[at] = from;
    values[at + 1] = to;
    values[at + 2] = weight;
  }

  #endPart(side: Side, triangle: number, full: boolean): void {
    const { start, lines, planes } = this.#parts;
    const end = lines.length / lineLength;
    if (end === start[start.length - 1]) return;
    this.#place(this.#surfaces[side], triangle);
    start.push(end);
    this.#parts.side.push(side);
    this.#parts.triangle.push(triangle);
    this.#parts.full.push(full);
    const at = planes.extend(6);
    planes.values.set(this.#p.subarray(0, 3), at);
    writeNormal(this.#p, planes.values, at + 3);
  }
}

/** The unit normal of the triangle at p[0…]; sides are scaled first, so that squares neither overflow nor vanish. */
function writeNormal(p: Float64Array, out: Float64Array, at: number): void {
  let size = 0;
  for (let i = 3; i < 9; i++) size = Math.max(size, Math.abs(p[i] - p[i % 3]));
  const scale = size > 0 ? 1 / size : 0;
  const ux = (p[3] - p[0]) * scale;
  const uy = (p[4] - p[1]) * scale;
  const uz = (p[5] - p[2]) * scale;
  const vx = (p[6] - p[0]) * scale;
  const vy = (p[7] - p[1]) * scale;
  const vz = (p[8] - p[2]) * scale;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const over = length > 0 ? 1 / length : 0;
  out[at] = nx * over;
  out[at + 1] = ny * over;
  out[at + 2] = nz * over;
}
