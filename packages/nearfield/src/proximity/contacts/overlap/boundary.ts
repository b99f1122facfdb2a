// The boundary of what two solids have in common, piece by piece: of each triangle the part in the other solid. A part of
// a triangle is given by the directed lines around it. Sums over it are sums over its lines (Green), so nothing need be
// cut, and a part may have several outlines and holes. Lines are marked with an element, a point of crossing or a vertex,
// that the part holds there; elements that hang together are one region.

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
  /** Three numbers each: points of crossing, then enclosed vertices. */
  readonly elements: Float64Array;
  /** The region of each element, numbered from 0. */
  readonly regionOf: Int32Array;
  readonly regionCount: number;
  readonly parts: Parts;
  readonly whole: Whole;
}

/** Triangles that meet the other body, less those of which nothing lies inside. */
export interface Parts {
  readonly side: readonly Side[];
  readonly triangle: readonly number[];
  /** A corner and the unit normal out of the solid, six numbers each. */
  readonly planes: Numbers;
  /** Lines of part i: from start[i] to start[i + 1]. */
  readonly start: readonly number[];
  /** For each line its element, how often it counts, and its two ends: eight numbers. */
  readonly lines: Numbers;
  /** Parts from here on put faces in common right. */
  commonFrom: number;
}
export const lineLength = 8;

/** Triangles that lie wholly inside. */
export interface Whole {
  readonly side: readonly Side[];
  readonly triangle: readonly number[];
  readonly element: readonly number[];
  /** How often each counts. */
  readonly weight: readonly number[];
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

class BoundaryBuilder {
  readonly #surfaces: readonly [Surface, Surface];
  readonly #crossings: Crossings;
  readonly #enclosed: readonly [Enclosed, Enclosed];
  readonly #origin = new Float64Array(3);
  readonly #parts = {
    side: [] as Side[],
    triangle: [] as number[],
    planes: new Numbers(),
    start: [0],
    lines: new Numbers(),
    commonFrom: 0,
  };
  readonly #whole = {
    side: [] as Side[],
    triangle: [] as number[],
    element: [] as number[],
    weight: [] as number[],
    corners: new Numbers(),
  };
  readonly #elements = new Numbers();
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
    const { from, to, onEdge, entering } = this.#crossings;
    const surface = this.#surfaces[side];
    const { touched, countAt } = this.#enclosed[side];
    const segments = new Map<number, number[]>();
    for (let i = 0; i < from.length; i++) {
      if (from[i] < 0) continue;
      this.#joined.push(from[i], to[i]);
      const t = pairs[2 * i + side];
      const list = segments.get(t);
      if (list) list.push(i);
      else segments.set(t, [i]);
    }
    const joinedEdges = new Set<number>();
    for (const t of touched) {
      this.#place(surface, t);
      for (const i of segments.get(t) ?? []) {
        const [start, end] = side === 0 ? [from[i], to[i]] : [to[i], from[i]];
        this.#addLine(start, 1, this.#elements.values, 3 * start, this.#elements.values, 3 * end);
      }
      for (let k = 0; k < 3; k++) {
        const edge = surface.edge(t, k);
        if (edge === noEdge) continue;
        const [vertex, next] = [surface.vertex(t, k), surface.vertex(t, k + 1)];
        const [i, j] = [3 * k, k === 2 ? 0 : 3 * k + 3];
        const count = countAt.get(next)!;
        // An edge that ends inside lies inside from where it last entered: the whole of it less what comes before.
        if (count !== 0) this.#addLine(this.#vertexElement(side, next), count, this.#p, i, this.#p, j);
        const forward = surface.edges.vertices[2 * edge] === vertex ? 1 : -1;
        for (const point of onEdge[side].get(edge) ?? []) {
          this.#addLine(point, -forward * entering[point], this.#p, i, this.#elements.values, 3 * point);
        }
        if (joinedEdges.has(edge)) continue;
        joinedEdges.add(edge);
        this.#joinAlong(side, edge);
      }
      this.#endPart(side, t);
    }
  }

  addWhole(side: Side): void {
    const { inner, innerCounts, innerFrom, joined } = this.#enclosed[side];
    const { corners, triangle, weight, element, side: sideOf } = this.#whole;
    for (let i = 0; i < inner.length; i++) {
      this.#place(this.#surfaces[side], inner[i]);
      const at = corners.extend(9);
      corners.values.set(this.#p, at);
      sideOf.push(side);
      triangle.push(inner[i]);
      weight.push(innerCounts[i]);
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
    const relative = Float64Array.from(
      corners.flatMap(corner => corner.map((x, axis) => x - this.#origin[axis])),
    );
    for (const side of sides) {
      this.#place(this.#surfaces[side], side === 0 ? a : b);
      // The lines run counter-clockwise seen from outside A: clockwise seen from outside B where the two touch.
      const weight = (side === 0 ? 1 : -1) * (same ? lead / 2 : -1);
      for (let at = 0; at < relative.length; at += 3) {
        this.#addLine(element, weight, relative, at, relative, (at + 3) % relative.length);
      }
      this.#endPart(side, side === 0 ? a : b);
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
      regionOf,
      regionCount,
      parts: this.#parts,
      whole: this.#whole,
    };
  }

  /** Joins what lies on an edge where it runs inside: points of crossing, and its ends. */
  #joinAlong(side: Side, edge: number): void {
    const { vertices } = this.#surfaces[side].edges;
    const { countAt } = this.#enclosed[side];
    const { onEdge, along, entering } = this.#crossings;
    let count = countAt.get(vertices[2 * edge])!;
    let last = count !== 0 ? this.#vertexElement(side, vertices[2 * edge]) : -1;
    const points = onEdge[side].get(edge) ?? [];
    for (const point of points.length > 1 ? [...points].sort((m, n) => along[m] - along[n]) : points) {
      if (count !== 0) this.#joined.push(last, point);
      count += entering[point];
      last = point;
    }
    if (count !== 0) this.#joined.push(last, this.#vertexElement(side, vertices[2 * edge + 1]));
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
      known.set(vertex, (element = at / 3));
    }
    return element;
  }

  #addLine(
    element: number,
    weight: number,
    p: Float64Array,
    from: number,
    q: Float64Array,
    to: number,
  ): void {
    const at = this.#parts.lines.extend(lineLength);
    const { values } = this.#parts.lines;
    values[at] = element;
    values[at + 1] = weight;
    for (let axis = 0; axis < 3; axis++) {
      values[at + 2 + axis] = p[from + axis];
      values[at + 5 + axis] = q[to + axis];
    }
  }

  /** The corners of the triangle are at #p. */
  #endPart(side: Side, triangle: number): void {
    const { start, lines, planes } = this.#parts;
    const end = lines.length / lineLength;
    if (end === start[start.length - 1]) return;
    start.push(end);
    this.#parts.side.push(side);
    this.#parts.triangle.push(triangle);
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
