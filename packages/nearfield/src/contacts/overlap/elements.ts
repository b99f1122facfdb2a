// The points that bound the common part of two solids: points where edges pierce triangles, vertices of one body in the
// other, and corners of common faces. Each is an element. If not everything is in general position, elements are
// identified by their exact position, so that equal points are one element.

import type { PointNumbers } from '../../interferences/curves/point-numbers.ts';
import { type Homogeneous, pointAt } from '../../math/exact/rational.ts';
import type { Surface } from '../surface.ts';
import type { Crossings, Side } from './crossings.ts';
import { Numbers } from './numbers.ts';

export class Elements {
  /** Three numbers per element, scaled, relative to the origin. */
  readonly positions = new Numbers(1024);
  /** Per crossing point, its element. */
  readonly ofPoint: Int32Array;
  /** Elements at which no edge truly passes through a triangle: only there can a part lack area. */
  readonly improper = new Set<number>();
  readonly #surfaces: readonly [Surface, Surface];
  readonly #crossings: Crossings;
  readonly #numbers: PointNumbers;
  readonly #general: boolean;
  readonly #origin: Float64Array;
  /** Body and vertex of each element that is a vertex; −1 and a point's number for others. */
  readonly #vertices: number[] = [];
  /** Per body, the element of each vertex plus 1; 0 if it has none. */
  readonly #ofVertex: readonly [Int32Array, Int32Array];
  /** Elements by the numbers of their points, and back. */
  readonly #elementAt = new Map<number, number>();
  readonly #numberOf = new Map<number, number>();
  readonly #p = new Float64Array(3);

  /** In general position no two points coincide. */
  constructor(
    surfaces: readonly [Surface, Surface],
    crossings: Crossings,
    numbers: PointNumbers,
    origin: Float64Array,
    general: boolean,
  ) {
    this.#surfaces = surfaces;
    this.#crossings = crossings;
    this.#numbers = numbers;
    this.#origin = origin;
    this.#general = general;
    const vertices = ({ placed }: Surface): Int32Array => new Int32Array(placed.shape.mesh.vertexCount);
    this.#ofVertex = [vertices(surfaces[0]), vertices(surfaces[1])];
    const { positions } = crossings;
    this.positions.extend(positions.length);
    const { scale } = surfaces[0];
    for (let i = 0; i < positions.length; i++) {
      this.positions.values[i] = positions[i] * scale - origin[i % 3];
    }
    this.ofPoint = new Int32Array(crossings.entering.length);
    for (let i = 0; i < this.ofPoint.length; i++) {
      this.ofPoint[i] = i;
      if (general || crossings.proper[i]) continue;
      this.ofPoint[i] = this.#numbered(i, numbers.ofExact(crossings.exact(i)));
      this.improper.add(this.ofPoint[i]);
    }
  }

  get count(): number {
    return this.positions.length / 3;
  }

  /** The element of a body's vertex. */
  ofVertex(side: Side, vertex: number): number {
    const known = this.#ofVertex[side];
    if (known[vertex] === 0) {
      this.#surfaces[side].position(vertex, this.#p, 0);
      let element: number;
      if (this.#general) {
        element = this.#add(this.#p);
        this.#vertices.push(side, vertex);
      } else element = this.at(this.#numbers.ofDoubles(this.#p, 0));
      known[vertex] = element + 1;
    }
    return known[vertex] - 1;
  }

  /** The element at a numbered point; a new one if there is none. */
  at(number: number): number {
    let element = this.#elementAt.get(number);
    if (element === undefined) {
      element = this.#add(this.#numbers.coordinates(number));
      this.#vertices.push(-1, number);
      this.#numbered(element, number);
    }
    return element;
  }

  /** The element at a numbered point; undefined if there is none. */
  known(number: number): number | undefined {
    return this.#elementAt.get(number);
  }

  /** The number of an element's point, if it has one yet. */
  numberOf(element: number): number | undefined {
    return this.#numberOf.get(element);
  }

  /**
   * The number of an element's point. A point where an edge truly passes through a triangle gets its number on first
   * request.
   */
  numberAt(element: number): number {
    let number = this.#numberOf.get(element);
    if (number === undefined) {
      number = this.#numbers.ofExact(this.#exact(element));
      this.#numberOf.set(element, number);
      if (!this.#elementAt.has(number)) this.#elementAt.set(number, element);
    }
    return number;
  }

  /** The element of a numbered point: the given one, unless the point already has another. */
  #numbered(element: number, number: number): number {
    const known = this.#elementAt.get(number);
    if (known !== undefined) return known;
    this.#elementAt.set(number, element);
    this.#numberOf.set(element, number);
    return element;
  }

  #add(position: Float64Array): number {
    const at = this.positions.extend(3);
    const { scale } = this.#surfaces[0];
    for (let axis = 0; axis < 3; axis++) {
      this.positions.values[at + axis] = position[axis] * scale - this.#origin[axis];
    }
    return at / 3;
  }

  /** The exact place of an element, in the world. */
  #exact(element: number): Homogeneous {
    const crossings = this.ofPoint.length;
    if (element < crossings) return this.#crossings.exact(element);
    const [side, vertex] = this.#vertices.slice(2 * (element - crossings), 2 * (element - crossings) + 2);
    if (side < 0) return this.#numbers.exact(vertex);
    this.#surfaces[side].position(vertex, this.#p, 0);
    return pointAt(this.#p, 0);
  }
}
