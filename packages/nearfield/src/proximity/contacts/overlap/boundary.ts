// The boundary of what two solids have in common, piece by piece: of each triangle the part in the other solid. A part of
// a triangle is given by the directed lines around it. Sums over it are sums over its lines (Green), so nothing need be
// cut, and a part may have several outlines and holes. Lines run between elements, points of crossing or vertices; elements
// that hang together are one region.

import { type Homogeneous, pointAt } from '../../../math/rational.ts';
import { DisjointSets } from '../../../mesh/facts.ts';
import type { PointNumbers } from '../../../scene/contact/point-numbers.ts';
import type { CommonFace, FlatContacts } from '../flat.ts';
import { noEdge, type Surface } from '../surface.ts';
import { withoutReturns } from './chains.ts';
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
  /** The region of each element, numbered from 0; −1 for elements that no region has. */
  readonly regionOf: Int32Array;
  readonly regionCount: number;
  readonly parts: Parts;
  readonly whole: Whole;
  /** Whether an element proves that the solids overlap: an edge truly passes through a triangle there. */
  proper(element: number): boolean;
  /** The number of an element's point, where it has one: where not everything is in general position. */
  numberOf(element: number): number | undefined;
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
  /** Which of the three corners, as bits, no triangle before has. */
  readonly firsts: readonly number[];
}

/** A list of doubles that grows. */
export class Numbers {
  values: Float64Array<ArrayBuffer>;
  length = 0;

  constructor(room = 64) {
    this.values = new Float64Array(room);
  }

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
  flat: Pick<FlatContacts, 'faces' | 'numbers'>,
  perturbation: Perturbation,
): Boundary {
  const builder = new BoundaryBuilder(surfaces, crossings, enclosed, flat, perturbation);
  for (const side of sides) {
    builder.addParts(side, pairs);
    builder.addWhole(side);
  }
  builder.addCommon(flat.faces, perturbation);
  return builder.finish();
}

/** By triangle, its faces in common with the other body. */
type FacesOf = ReadonlyMap<number, readonly CommonFace[]>;

class BoundaryBuilder {
  readonly #surfaces: readonly [Surface, Surface];
  readonly #crossings: Crossings;
  readonly #enclosed: readonly [Enclosed, Enclosed];
  readonly #numbers: PointNumbers;
  /** Whether everything is in general position: then no two elements are one point, and no part is without area. */
  readonly #general: boolean;
  /** For each body the faces in which the solids touch and, moved, overlap. */
  readonly #touching: readonly [FacesOf, FacesOf];
  readonly #origin = new Float64Array(3);
  readonly #parts = {
    side: [] as Side[],
    triangle: [] as number[],
    full: [] as boolean[],
    planes: new Numbers(1024),
    start: [0],
    lines: new Numbers(4096),
    commonFrom: 0,
  };
  readonly #whole = {
    side: [] as Side[],
    triangle: [] as number[],
    element: [] as number[],
    corners: new Numbers(1024),
    firsts: [] as number[],
  };
  readonly #elements = new Numbers(1024);
  #cornersFrom = 0;
  /** Body and vertex of each element that is a vertex; −1 and a number of a point for others. */
  readonly #vertices: number[] = [];
  /** For each body, one more than the element of each vertex; 0 where it has none. */
  readonly #vertexElements: readonly [Int32Array, Int32Array];
  /** Elements by the numbers of their points, and back, where not everything is in general position. */
  readonly #elementAt = new Map<number, number>();
  readonly #numberOf = new Map<number, number>();
  /** Elements at which no edge truly passes through a triangle: only there a part can lack area. */
  readonly #improper = new Set<number>();
  /** For each point of crossing the element that it is. */
  readonly #pointElements: Int32Array;
  /** Two elements each, that hang together. */
  readonly #joined: number[] = [];
  /** The lines of the part at hand, two elements each. */
  #lines: number[] = [];
  /** A triangle's corners. */
  readonly #p = new Float64Array(9);

  constructor(
    surfaces: readonly [Surface, Surface],
    crossings: Crossings,
    enclosed: readonly [Enclosed, Enclosed],
    { faces, numbers }: Pick<FlatContacts, 'faces' | 'numbers'>,
    perturbation: Perturbation,
  ) {
    this.#surfaces = surfaces;
    this.#crossings = crossings;
    this.#enclosed = enclosed;
    this.#numbers = numbers;
    this.#general = perturbation.decided === 0;
    const vertices = ({ placed }: Surface): Int32Array => new Int32Array(placed.shape.mesh.vertexCount);
    this.#vertexElements = [vertices(surfaces[0]), vertices(surfaces[1])];
    this.#touching = [new Map(), new Map()];
    for (const face of faces) {
      if (face.same || this.#lead(face, perturbation) < 0) continue;
      for (const side of sides)
        addTo(this.#touching[side] as Map<number, CommonFace[]>, side === 0 ? face.a : face.b, face);
    }
    const { positions } = crossings;
    for (const side of sides) {
      const { inner } = enclosed[side];
      if (inner.length > 0) surfaces[side].position(surfaces[side].vertex(inner[0], 0), this.#origin, 0);
    }
    if (positions.length > 0) this.#origin.set(positions.slice(0, 3));
    this.#elements.extend(positions.length);
    for (let i = 0; i < positions.length; i++) this.#elements.values[i] = positions[i] - this.#origin[i % 3];
    this.#pointElements = new Int32Array(crossings.entering.length);
    for (let i = 0; i < this.#pointElements.length; i++) this.#pointElements[i] = i;
    if (this.#general) return;
    for (let i = 0; i < this.#pointElements.length; i++) {
      if (crossings.proper[i]) continue;
      this.#pointElements[i] = this.#numbered(i, numbers.ofExact(crossings.exact(i)));
      this.#improper.add(this.#pointElements[i]);
    }
  }

  /** Whether A, moved, lies in B along a face in common (1), or B in A (−1). */
  #lead({ a }: CommonFace, perturbation: Perturbation): number {
    this.#surfaces[0].corners(a, this.#p, 0);
    return perturbation.lead(this.#p, 0);
  }

  /** The element that a numbered point is: the given one, unless it is another already. */
  #numbered(element: number, number: number): number {
    const known = this.#elementAt.get(number);
    if (known !== undefined) return known;
    this.#elementAt.set(number, element);
    this.#numberOf.set(element, number);
    return element;
  }

  addParts(side: Side, pairs: Uint32Array): void {
    const { from, to, lastOnEdge } = this.#crossings;
    const surface = this.#surfaces[side];
    const { touched } = this.#enclosed[side];
    const elements = this.#pointElements;
    // By triangle, one more than its first pair that crosses; and by pair, the same of the next of the triangle.
    const first = new Int32Array(surface.triangleCount);
    const next = new Int32Array(from.length);
    for (let i = from.length - 1; i >= 0; i--) {
      if (from[i] < 0) continue;
      const t = pairs[2 * i + side];
      next[i] = first[t];
      first[t] = i + 1;
    }
    // By edge, one more than where its stretches begin: their number, and the elements of each.
    const stretchesAt = new Int32Array(surface.edges.count);
    const stretches: number[] = [];
    for (const t of touched) {
      const lines = this.#lines;
      let full = first[t] === 0;
      for (let i = first[t] - 1; i >= 0; i = next[i] - 1) {
        if (side === 0) lines.push(elements[from[i]], elements[to[i]]);
        else lines.push(elements[to[i]], elements[from[i]]);
      }
      for (let k = 0; k < 3; k++) {
        const edge = surface.edge(t, k);
        if (edge === noEdge) continue;
        if (stretchesAt[edge] === 0) {
          stretchesAt[edge] = stretches.length + 1;
          this.#addStretches(side, edge, stretches);
        }
        const start = stretchesAt[edge] - 1;
        const count = stretches[start];
        if (count !== 1 || lastOnEdge[side][edge] >= 0) full = false;
        if (count === 0) continue;
        const forward = surface.edges.vertices[2 * edge] === surface.vertex(t, k);
        for (let i = start + 1; i < start + 2 * count; i += 2) {
          if (forward) lines.push(stretches[i], stretches[i + 1]);
          else lines.push(stretches[i + 1], stretches[i]);
        }
      }
      if (!full || this.#touching[side].has(t)) this.#settle(side, t);
      for (let i = 0; i < this.#lines.length; i += 2) this.#addLine(this.#lines[i], this.#lines[i + 1], 1);
      this.#lines.length = 0;
      this.#endPart(side, t, full && !this.#touching[side].has(t));
    }
  }

  /** Takes away from the part at hand what it has only because a body is thought moved. */
  #settle(side: Side, t: number): void {
    const faces = this.#touching[side].get(t) ?? [];
    if (faces.length === 0 && !this.#lines.some(element => this.#improper.has(element))) return;
    const lines = this.#lines.map(element => this.#numberAt(element));
    for (const { numbers } of faces) {
      // They run counter-clockwise seen from outside A, clockwise seen from outside B: against or along the outline.
      numbers.forEach((number, i) => {
        const following = numbers[(i + 1) % numbers.length];
        if (side === 0) lines.push(following, number);
        else lines.push(number, following);
      });
    }
    this.#lines = withoutReturns(lines, this.#numbers).map(number => this.#elementOf(number));
  }

  #numberAt(element: number): number {
    let number = this.#numberOf.get(element);
    if (number === undefined) {
      // A point of its own: an edge that truly passes through a triangle there.
      number = this.#numbers.ofExact(this.#exact(element));
      this.#numberOf.set(element, number);
      if (!this.#elementAt.has(number)) this.#elementAt.set(number, element);
    }
    return number;
  }

  /** The element at a numbered point, a new one where there is none. */
  #elementOf(number: number): number {
    let element = this.#elementAt.get(number);
    if (element === undefined) {
      element = this.#addElement(this.#numbers.coordinates(number));
      this.#vertices.push(-1, number);
      this.#elementAt.set(number, element);
      this.#numberOf.set(element, number);
    }
    return element;
  }

  #addElement(position: Float64Array): number {
    const at = this.#elements.extend(3);
    for (let axis = 0; axis < 3; axis++) {
      this.#elements.values[at + axis] = position[axis] - this.#origin[axis];
    }
    return at / 3;
  }

  /**
   * Appends the stretches of an edge that lie inside: how many, and for each the elements from which and to which it runs in the
   * edge's own direction. The edge enters and leaves by turns, so the i-th place where it enters goes with the i-th where it
   * leaves: places that rounding cannot tell apart need no order.
   */
  #addStretches(side: Side, edge: number, out: number[]): void {
    const { vertices } = this.#surfaces[side].edges;
    const { countAt } = this.#enclosed[side];
    const { lastOnEdge, beforeOnEdge, along, entering } = this.#crossings;
    const elements = this.#pointElements;
    const first = vertices[2 * edge];
    const last = vertices[2 * edge + 1];
    const point = lastOnEdge[side][edge];
    if (point < 0) {
      if (countAt[first] === 0) out.push(0);
      else out.push(1, this.#vertexElement(side, first), this.#vertexElement(side, last));
      return;
    }
    if (beforeOnEdge[point] < 0) {
      if (entering[point] > 0) out.push(1, elements[point], this.#vertexElement(side, last));
      else out.push(1, this.#vertexElement(side, first), elements[point]);
      return;
    }
    const points: number[] = [];
    for (let at = point; at >= 0; at = beforeOnEdge[at]) points.push(at);
    points.sort((m, n) => along[m] - along[n] || m - n);
    const starts = points.filter(at => entering[at] > 0).map(at => elements[at]);
    const ends = points.filter(at => entering[at] < 0).map(at => elements[at]);
    if (countAt[first] !== 0) starts.unshift(this.#vertexElement(side, first));
    if (countAt[last] !== 0) ends.push(this.#vertexElement(side, last));
    const count = Math.min(starts.length, ends.length);
    out.push(count);
    for (let i = 0; i < count; i++) out.push(starts[i], ends[i]);
  }

  addWhole(side: Side): void {
    const { inner, innerFrom, joined } = this.#enclosed[side];
    const { corners, triangle, element, side: sideOf } = this.#whole;
    const surface = this.#surfaces[side];
    const seen = new Uint8Array(inner.length > 0 ? surface.placed.shape.mesh.vertexCount : 0);
    for (let i = 0; i < inner.length; i++) {
      this.#place(surface, inner[i]);
      let first = 0;
      for (let k = 0; k < 3; k++) {
        const vertex = surface.vertex(inner[i], k);
        if (seen[vertex] === 0) first |= 1 << k;
        seen[vertex] = 1;
      }
      this.#whole.firsts.push(first);
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
   * not lean.
   */
  addCommon(faces: readonly CommonFace[], perturbation: Perturbation): void {
    this.#parts.commonFrom = this.#parts.triangle.length;
    this.#cornersFrom = this.#elements.length / 3;
    if (!faces.some(({ same }) => same)) return;
    const elements = this.#collectElements();
    const isUsed = new Uint8Array(this.#elements.length / 3);
    const { lines } = this.#parts;
    for (let i = 0; i < lines.length; i += lineLength) isUsed[lines.values[i]] = 1;
    for (const face of faces) {
      if (!face.same) continue;
      const { numbers, corners, a, b } = face;
      // A corner of the face that the region has, or else the nearest point of the two triangles that it has.
      const known = numbers.find(number => isUsed[this.#elementAt.get(number) ?? -1] === 1);
      const element =
        known === undefined
          ? this.#elementNear(corners[0], [...(elements[0].get(a) ?? []), ...(elements[1].get(b) ?? [])])
          : this.#elementAt.get(known)!;
      if (element < 0) continue;
      const lead = this.#lead(face, perturbation);
      const outline = numbers.map(number => this.#elementOf(number));
      for (const corner of outline) this.#joined.push(element, corner);
      for (const side of sides) {
        // The lines run counter-clockwise seen from outside A, and from outside B.
        const weight = ((side === 0 ? 1 : -1) * lead) / 2;
        outline.forEach((corner, i) => {
          this.#addLine(corner, outline[(i + 1) % outline.length], weight);
        });
        this.#endPart(side, side === 0 ? a : b, false);
      }
    }
  }

  /** Of some elements the one nearest to a point; −1 if there is none. */
  #elementNear(position: readonly number[], elements: readonly number[]): number {
    let [nearest, least] = [-1, Infinity];
    for (const element of elements) {
      let squared = 0;
      for (let axis = 0; axis < 3; axis++) {
        squared += (position[axis] - this.#origin[axis] - this.#elements.values[3 * element + axis]) ** 2;
      }
      if (squared < least) [nearest, least] = [element, squared];
    }
    return nearest;
  }

  /** For each body the elements of the part of each triangle. */
  #collectElements(): readonly [Map<number, number[]>, Map<number, number[]>] {
    const found = [new Map<number, number[]>(), new Map<number, number[]>()] as const;
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
    const { lines } = this.#parts;
    for (let i = 0; i < lines.length; i += lineLength) sets.join(lines.values[i], lines.values[i + 1]);
    joinHoles(this.#parts, elements, sets);
    // Elements that nothing has are places where the solids only touch.
    const rootRegion = new Int32Array(elements.length / 3).fill(-1);
    const regionOf = new Int32Array(elements.length / 3).fill(-1);
    let regionCount = 0;
    const use = (element: number): void => {
      const root = sets.find(element);
      if (rootRegion[root] < 0) rootRegion[root] = regionCount++;
      regionOf[element] = rootRegion[root];
    };
    for (let i = 0; i < lines.length; i += lineLength) {
      use(lines.values[i]);
      use(lines.values[i + 1]);
    }
    for (const element of this.#whole.element) use(element);
    return {
      origin: this.#origin,
      elements,
      cornersFrom: this.#cornersFrom,
      regionOf,
      regionCount,
      parts: this.#parts,
      whole: this.#whole,
      proper: element => this.#crossings.proper[element] ?? false,
      numberOf: element => this.#numberOf.get(element),
      exact: element => this.#exact(element),
      corners: (side, triangle, out) => this.#surfaces[side].corners(triangle, out, 0),
    };
  }

  #exact(element: number): Homogeneous {
    const crossings = this.#crossings.entering.length;
    if (element < crossings) return this.#crossings.exact(element);
    const [side, vertex] = this.#vertices.slice(2 * (element - crossings), 2 * (element - crossings) + 2);
    if (side < 0) return this.#numbers.exact(vertex);
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
    if (known[vertex] === 0) {
      this.#surfaces[side].position(vertex, this.#p, 0);
      let element: number;
      if (this.#general) {
        element = this.#addElement(this.#p);
        this.#vertices.push(side, vertex);
      } else element = this.#elementOf(this.#numbers.ofDoubles(this.#p, 0));
      known[vertex] = element + 1;
    }
    return known[vertex] - 1;
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

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
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
