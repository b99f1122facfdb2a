// Builds solids from flat faces at a height, straight walls between two heights, and lofts between loops. Vertices at
// one position are one vertex, so adjacent pieces close exactly.

import {
  aFiniteNumber,
  aVector,
  bad,
  numbers,
  oneOf,
  type Rules,
  wholeNumber,
  wrong,
} from '../core/arguments.ts';
import { Mesh, mesh } from '../mesh/mesh.ts';
import { aLoop, allOf, listOf, loops } from './rules.ts';
import { type Loop, type Point2, signedArea } from './triangulation/loops.ts';
import { triangulate } from './triangulation/triangulate.ts';

/** A loop at a height. */
export interface Section {
  /** Its corners, in x and y. */
  loop: Loop;
  /** Its height, along z. */
  z: number;
}

const sectionRules: Rules<Section> = { loop: aLoop, z: aFiniteNumber };

/** Makes a solid of faces, walls and lofts. Corners at one position are one vertex. Its methods throw 'bad-option' for wrong arguments. */
export class SolidBuilder {
  readonly #positions: number[] = [];
  readonly #indices: number[] = [];
  readonly #found = new Map<string, number>();

  /** The number of the vertex at a position: a new one, or the one that is there. */
  vertex(x: number, y: number, z: number): number {
    if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z))) aVector([x, y, z], 'x, y, z');
    const key = `${x + 0},${y + 0},${z + 0}`;
    const found = this.#found.get(key);
    if (found !== undefined) return found;
    const index = this.#positions.length / 3;
    this.#positions.push(x, y, z);
    this.#found.set(key, index);
    return index;
  }

  /**
   * Adds a triangle, counter-clockwise seen from outside. A triangle with two corners at one position is left out.
   */
  triangle(a: number, b: number, c: number): this {
    const most = this.#positions.length / 3 - 1;
    const isRight = (corner: number) => Number.isInteger(corner) && corner >= 0 && corner <= most;
    if (!(isRight(a) && isRight(b) && isRight(c))) numbers(3, wholeNumber(0, most))([a, b, c], 'a, b, c');
    if (a !== b && b !== c && c !== a) this.#indices.push(a, b, c);
    return this;
  }

  /** Adds the outline minus its holes at height z. The outer side faces +z (`up`) or −z. */
  face(z: number, side: 'up' | 'down', outline: Loop, holes: readonly Loop[] = []): this {
    aFiniteNumber(z, 'z');
    oneOf('up', 'down')(side, 'side');
    aLoop(outline, 'outline');
    loops(holes, 'holes');
    const corners = [outline, ...holes].flat().map(([x, y]) => this.vertex(x, y, z));
    const triangles = triangulate(outline, holes);
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [corners[triangles[t]], corners[triangles[t + 1]], corners[triangles[t + 2]]];
      side === 'up' ? this.triangle(a, b, c) : this.triangle(a, c, b);
    }
    return this;
  }

  /**
   * Adds the vertical wall over a loop from z0 up to z1. The outer side faces away from the loop's middle or towards
   * it.
   */
  wall(loop: Loop, z0: number, z1: number, side: 'out' | 'in' = 'out'): this {
    aLoop(loop, 'loop');
    aFiniteNumber(z0, 'z0');
    aFiniteNumber(z1, 'z1');
    oneOf('out', 'in')(side, 'side');
    const positive = signedArea(loop) > 0;
    const flip = positive !== (side === 'out');
    return this.loft([
      { loop, z: flip ? z1 : z0 },
      { loop, z: flip ? z0 : z1 },
    ]);
  }

  /**
   * Adds quads between consecutive sections, corner i to corner i. If two sections share corners, the quads shrink to
   * triangles or to nothing. The outer side faces away from counter-clockwise loops that go up in z.
   */
  loft(sections: readonly Section[]): this {
    listOf('a list of sections', allOf(sectionRules))(sections, 'sections');
    for (const { loop } of sections) {
      const { length } = sections[0].loop;
      if (loop.length !== length)
        throw bad(`all sections must have the same number of corners, not ${length} and ${loop.length}`);
    }
    for (let s = 0; s + 1 < sections.length; s++) {
      const [low, high] = [this.#ring(sections[s]), this.#ring(sections[s + 1])];
      for (let i = 0; i < low.length; i++) {
        const j = (i + 1) % low.length;
        this.triangle(low[i], low[j], high[i]).triangle(low[j], high[j], high[i]);
      }
    }
    return this;
  }

  /** Adds the triangles of another solid, moved by an offset. */
  add(part: Mesh, offset: readonly [number, number, number] = [0, 0, 0]): this {
    if (!(part instanceof Mesh)) throw wrong('part', 'a mesh', part);
    aVector(offset, 'offset');
    const { positions, indices } = part;
    const at = (i: number) =>
      this.vertex(
        positions[3 * i] + offset[0],
        positions[3 * i + 1] + offset[1],
        positions[3 * i + 2] + offset[2],
      );
    for (let t = 0; t < indices.length; t += 3)
      this.triangle(at(indices[t]), at(indices[t + 1]), at(indices[t + 2]));
    return this;
  }

  /** The mesh of what was built so far. Its triangles need not be closed. */
  mesh(): Mesh {
    return mesh(Float64Array.from(this.#positions), Uint32Array.from(this.#indices));
  }

  #ring({ loop, z }: Section): number[] {
    return loop.map(([x, y]: Point2) => this.vertex(x, y, z));
  }
}
