// The boundary of the common part of two solids, piece by piece: the part of each triangle that lies in the other
// solid. A part of a triangle is given by the directed lines around it. Sums over it are sums over its lines (Green),
// so nothing has to be cut, and a part may have several outlines and holes. Lines run between elements, which are
// crossing points or vertices. Connected elements are one region.

import type { PointNumbers } from '../../../interferences/curves/point-numbers.ts';
import { DisjointSets } from '../../../mesh/facts.ts';
import { noEdge, type Surface } from '../../surface.ts';
import type { CommonFace, FlatContacts } from '../../touch/flat.ts';
import { type Crossings, type Side, sides } from '../crossings.ts';
import { Elements } from '../elements.ts';
import type { Enclosed } from '../enclosed.ts';
import { Numbers } from '../numbers.ts';
import type { Perturbation } from '../perturbed.ts';
import { writeNormal } from '../plane.ts';
import { type Boundary, lineLength } from './boundary.ts';
import { withoutReturns } from './chains.ts';
import { joinHoles } from './holes.ts';

/** The pairs as in `crossings`, and the sides of everything. */
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

/** Per triangle, the faces it has in common with the other body. */
type FacesOf = ReadonlyMap<number, readonly CommonFace[]>;

class BoundaryBuilder {
  readonly #surfaces: readonly [Surface, Surface];
  readonly #crossings: Crossings;
  readonly #enclosed: readonly [Enclosed, Enclosed];
  readonly #numbers: PointNumbers;
  /** Per body, the faces in which the solids touch and, moved, overlap. */
  readonly #touching: readonly [FacesOf, FacesOf];
  readonly #origin = new Float64Array(3);
  readonly #parts = {
    side: [] as Side[],
    triangle: [] as number[],
    full: [] as number[],
    planes: new Numbers(0),
    start: [0],
    lines: new Numbers<Int32Array<ArrayBuffer>>(0, Int32Array),
    commonFrom: 0,
  };
  readonly #whole = {
    side: [] as Side[],
    triangle: [] as number[],
    element: [] as number[],
    corners: new Numbers(0),
    firsts: [] as number[],
  };
  readonly #elements: Elements;
  #cornersFrom = 0;
  /** Pairs of elements that are connected. */
  readonly #joined: number[] = [];
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
    this.#touching = [new Map(), new Map()];
    for (const face of faces) {
      if (face.same || this.#lead(face, perturbation) < 0) continue;
      for (const side of sides)
        addTo(this.#touching[side] as Map<number, CommonFace[]>, side === 0 ? face.a : face.b, face);
    }
    const touchedCount = enclosed[0].touched.length + enclosed[1].touched.length;
    this.#parts.planes.reserve(6 * touchedCount);
    this.#parts.lines.reserve(5 * lineLength * touchedCount);
    this.#whole.corners.reserve(9 * (enclosed[0].inner.length + enclosed[1].inner.length));
    const { positions } = crossings;
    for (const side of sides) {
      const { inner } = enclosed[side];
      if (inner.length > 0) surfaces[side].position(surfaces[side].vertex(inner[0], 0), this.#origin, 0);
    }
    if (positions.length > 0) this.#origin.set(positions.slice(0, 3));
    for (let axis = 0; axis < 3; axis++) this.#origin[axis] *= surfaces[0].scale;
    this.#elements = new Elements(surfaces, crossings, numbers, this.#origin, perturbation.decided === 0);
  }

  /** 1 if A, moved, lies in B along a common face, −1 if B lies in A. */
  #lead({ a }: CommonFace, perturbation: Perturbation): number {
    this.#surfaces[0].corners(a, this.#p, 0);
    return perturbation.lead(this.#p, 0);
  }

  addParts(side: Side, pairs: Uint32Array): void {
    const { from, to } = this.#crossings;
    const surface = this.#surfaces[side];
    const { touched } = this.#enclosed[side];
    const elements = this.#elements.ofPoint;
    // Linked lists of the crossing pairs of each triangle: by triangle, its first pair plus 1; by pair, the next plus
    // 1.
    const first = new Int32Array(surface.triangleCount);
    const next = new Int32Array(from.length);
    for (let i = from.length - 1; i >= 0; i--) {
      if (from[i] < 0) continue;
      const t = pairs[2 * i + side];
      next[i] = first[t];
      first[t] = i + 1;
    }
    const known = new Map<number, readonly number[]>();
    for (const t of touched) {
      let full = first[t] === 0;
      for (let i = first[t] - 1; i >= 0; i = next[i] - 1) {
        if (side === 0) this.#addLine(elements[from[i]], elements[to[i]]);
        else this.#addLine(elements[to[i]], elements[from[i]]);
      }
      for (let k = 0; k < 3; k++) {
        const edge = surface.edge(t, k);
        if (edge === noEdge) continue;
        const isForward = surface.edges.vertices[2 * edge] === surface.vertex(t, k);
        if (!this.#addEdge(side, edge, isForward, known)) full = false;
      }
      const faces = this.#touching[side].get(t);
      if (faces || (!full && this.#elements.improper.size > 0)) this.#settle(side, faces ?? []);
      this.#endPart(side, t, full && !faces);
    }
  }

  /**
   * Removes from the current part, which touches in some faces, what it has only because a body is treated as moved.
   */
  #settle(side: Side, faces: readonly CommonFace[]): void {
    const { lines: known, start } = this.#parts;
    const first = lineLength * start[start.length - 1];
    const ends: number[] = [];
    for (let i = first; i < known.length; i += lineLength) ends.push(known.values[i], known.values[i + 1]);
    if (faces.length === 0 && !ends.some(element => this.#elements.improper.has(element))) return;
    const lines = ends.map(element => this.#elements.numberAt(element));
    for (const { numbers } of faces) {
      // They run counter-clockwise seen from outside A, clockwise seen from outside B: against or along the outline.
      numbers.forEach((number, i) => {
        const following = numbers[(i + 1) % numbers.length];
        if (side === 0) lines.push(following, number);
        else lines.push(number, following);
      });
    }
    const left = withoutReturns(lines, this.#numbers).map(number => this.#elements.at(number));
    known.length = first;
    for (let i = 0; i < left.length; i += 2) this.#addLine(left[i], left[i + 1]);
  }

  /**
   * Adds the stretches of an edge that lie inside, in its direction or backwards. Returns whether the whole edge lies
   * inside.
   */
  #addEdge(side: Side, edge: number, isForward: boolean, known: Map<number, readonly number[]>): boolean {
    const { vertices } = this.#surfaces[side].edges;
    const { lastOnEdge, beforeOnEdge, entering } = this.#crossings;
    const elements = this.#elements;
    const first = vertices[2 * edge];
    const last = vertices[2 * edge + 1];
    const point = lastOnEdge[side][edge];
    if (point < 0) {
      if (this.#enclosed[side].countAt[first] === 0) return false;
      this.#addStretch(elements.ofVertex(side, first), elements.ofVertex(side, last), isForward);
      return true;
    }
    if (beforeOnEdge[point] < 0) {
      const element = elements.ofPoint[point];
      if (entering[point] > 0) this.#addStretch(element, elements.ofVertex(side, last), isForward);
      else this.#addStretch(elements.ofVertex(side, first), element, isForward);
      return false;
    }
    let stretches = known.get(edge);
    if (!stretches) known.set(edge, (stretches = this.#stretchesOf(side, edge)));
    for (let i = 0; i < stretches.length; i += 2) this.#addStretch(stretches[i], stretches[i + 1], isForward);
    return false;
  }

  #addStretch(from: number, to: number, isForward: boolean): void {
    if (isForward) this.#addLine(from, to);
    else this.#addLine(to, from);
  }

  /**
   * The stretches inside of an edge with several points: the elements from which and to which each runs in the edge's
   * own direction. The edge enters and leaves by turns, so the i-th entry goes with the i-th exit: places that rounding
   * cannot tell apart need no order.
   */
  #stretchesOf(side: Side, edge: number): number[] {
    const { vertices } = this.#surfaces[side].edges;
    const { countAt } = this.#enclosed[side];
    const { lastOnEdge, beforeOnEdge, along, entering } = this.#crossings;
    const [first, last] = [vertices[2 * edge], vertices[2 * edge + 1]];
    const inOrder = (turn: number): number[] => {
      const points: number[] = [];
      for (let point = lastOnEdge[side][edge]; point >= 0; point = beforeOnEdge[point])
        if (entering[point] === turn) points.push(point);
      return points.sort((m, n) => along[m] - along[n] || m - n).map(point => this.#elements.ofPoint[point]);
    };
    const [starts, ends] = [inOrder(1), inOrder(-1)];
    if (countAt[first] !== 0) starts.unshift(this.#elements.ofVertex(side, first));
    if (countAt[last] !== 0) ends.push(this.#elements.ofVertex(side, last));
    const stretches: number[] = [];
    const count = Math.min(starts.length, ends.length);
    for (let i = 0; i < count; i++) stretches.push(starts[i], ends[i]);
    return stretches;
  }

  addWhole(side: Side): void {
    const { inner, innerFrom, joined } = this.#enclosed[side];
    const { corners, triangle, element, side: sideOf } = this.#whole;
    const surface = this.#surfaces[side];
    const seen = new Uint8Array(inner.length > 0 ? surface.placed.shape.mesh.vertexCount : 0);
    for (let i = 0; i < inner.length; i++) {
      const place = corners.extend(9);
      this.#place(surface, inner[i], corners.values, place);
      let first = 0;
      for (let k = 0; k < 3; k++) {
        const vertex = surface.vertex(inner[i], k);
        if (seen[vertex] === 0) first |= 1 << k;
        seen[vertex] = 1;
      }
      this.#whole.firsts.push(first);
      sideOf.push(side);
      triangle.push(inner[i]);
      const same = i > 0 && innerFrom[i] === innerFrom[i - 1];
      element.push(same ? element[element.length - 1] : this.#elements.ofVertex(side, innerFrom[i]));
    }
    for (const vertex of joined) this.#joined.push(this.#elements.ofVertex(side, vertex));
  }

  /**
   * Corrects common faces. If both solids have the same face, A's has been decided to lie in B, or B's in A
   * (perturbed.ts). Neither is more right: half of the face is moved over, so that both have half of it, and normals do
   * not lean.
   */
  addCommon(faces: readonly CommonFace[], perturbation: Perturbation): void {
    this.#parts.commonFrom = this.#parts.triangle.length;
    this.#cornersFrom = this.#elements.count;
    if (!faces.some(({ same }) => same)) return;
    const elements = this.#collectElements();
    const isUsed = new Uint8Array(this.#elements.count);
    const { lines } = this.#parts;
    for (let i = 0; i < lines.length; i += lineLength) isUsed[lines.values[i]] = 1;
    for (const face of faces) {
      if (!face.same) continue;
      const { numbers, corners, a, b } = face;
      // A corner of the face that the region has, or else the nearest point of the two triangles that it has.
      const known = numbers.find(number => isUsed[this.#elements.known(number) ?? -1] === 1);
      const element =
        known === undefined
          ? this.#elementNear(corners[0], [...(elements[0].get(a) ?? []), ...(elements[1].get(b) ?? [])])
          : this.#elements.at(known);
      if (element < 0) continue;
      const lead = this.#lead(face, perturbation);
      const outline = numbers.map(number => this.#elements.at(number));
      for (const corner of outline) this.#joined.push(element, corner);
      for (const side of sides) {
        // The lines run counter-clockwise seen from outside A, and from outside B.
        const halves = (side === 0 ? 1 : -1) * lead;
        outline.forEach((corner, i) => {
          this.#addLine(corner, outline[(i + 1) % outline.length], halves);
        });
        this.#endPart(side, side === 0 ? a : b, false);
      }
    }
  }

  /** The element nearest to a point; −1 if there are none. */
  #elementNear(position: readonly number[], elements: readonly number[]): number {
    let [nearest, least] = [-1, Infinity];
    for (const element of elements) {
      let squared = 0;
      for (let axis = 0; axis < 3; axis++) {
        squared +=
          (position[axis] - this.#origin[axis] - this.#elements.positions.values[3 * element + axis]) ** 2;
      }
      if (squared < least) [nearest, least] = [element, squared];
    }
    return nearest;
  }

  /** Per body, the elements of the part of each triangle. */
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
    const { positions } = this.#elements;
    const elements = positions.list.slice();
    const sets = new DisjointSets(elements.length / 3);
    for (let i = 0; i < this.#joined.length; i += 2) sets.join(this.#joined[i], this.#joined[i + 1]);
    const lines = this.#parts.lines.list;
    for (let i = 0; i < lines.length; i += lineLength) sets.join(lines[i], lines[i + 1]);
    joinHoles(this.#parts, elements, sets);
    // Elements without a line or a whole triangle are places where the solids only touch.
    const rootRegion = new Int32Array(elements.length / 3).fill(-1);
    const regionOf = new Int32Array(elements.length / 3).fill(-1);
    let regionCount = 0;
    const use = (element: number): void => {
      if (regionOf[element] >= 0) return;
      const root = sets.find(element);
      if (rootRegion[root] < 0) rootRegion[root] = regionCount++;
      regionOf[element] = rootRegion[root];
    };
    for (let i = 0; i < lines.length; i += lineLength) {
      use(lines[i]);
      use(lines[i + 1]);
    }
    for (const element of this.#whole.element) use(element);
    return {
      origin: this.#origin,
      elements,
      projected: new Float64Array(elements.length),
      cornersFrom: this.#cornersFrom,
      regionOf,
      regionCount,
      parts: this.#parts,
      whole: this.#whole,
      ofCells: false,
      numberOf: element => this.#elements.numberOf(element),
      corners: (side, triangle, out) => this.#surfaces[side].scaledCorners(triangle, out, 0),
    };
  }

  /** Writes a triangle's corners, relative to the origin, to p[at…]. */
  #place(surface: Surface, t: number, p: Float64Array, at: number): void {
    const origin = this.#origin;
    surface.scaledCorners(t, p, at);
    for (let i = at; i < at + 9; i += 3) {
      p[i] -= origin[0];
      p[i + 1] -= origin[1];
      p[i + 2] -= origin[2];
    }
  }

  #addLine(from: number, to: number, halves = 2): void {
    const at = this.#parts.lines.extend(lineLength);
    const { values } = this.#parts.lines;
    values[at] = from;
    values[at + 1] = to;
    values[at + 2] = halves;
  }

  #endPart(side: Side, triangle: number, full: boolean): void {
    const { start, lines, planes } = this.#parts;
    const end = lines.length / lineLength;
    if (end === start[start.length - 1]) return;
    this.#place(this.#surfaces[side], triangle, this.#p, 0);
    start.push(end);
    this.#parts.side.push(side);
    this.#parts.triangle.push(triangle);
    this.#parts.full.push(full ? 1 : 0);
    const at = planes.extend(6);
    for (let axis = 0; axis < 3; axis++) planes.values[at + axis] = this.#p[axis];
    writeNormal(this.#p, 0, planes.values, at + 3);
  }
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
