// Cuts a closed solid by a plane into two closed solids. Every vertex is on one side or the other, never on the
// plane. Every edge from side to side gets one new vertex, shared by all triangles around it. Each cut triangle then
// leaves one segment in the plane. Because the solid is closed, the segments form loops, which cap both halves, once
// in each direction. The halves are closed by construction: no distance is compared with a tolerance.

import { cross, dot, length, squareApart, times, type Vector } from '../rigid/vector.ts';
import { fillLoops } from './cap.ts';

/** Points p with normal·p = offset; the normal is of length 1. */
export interface Plane {
  readonly normal: Vector;
  readonly offset: number;
}

/** Vertices, shared by all solids; their number grows with each cut. */
export class Vertices {
  #positions: Float64Array;
  #count: number;

  constructor(positions: ArrayLike<number>) {
    this.#positions = Float64Array.from(positions);
    this.#count = positions.length / 3;
  }
  get count(): number {
    return this.#count;
  }
  /** Three numbers per vertex, with spare capacity. */
  get positions(): Float64Array {
    return this.#positions;
  }
  at(vertex: number): Vector {
    const p = this.#positions;
    return [p[3 * vertex], p[3 * vertex + 1], p[3 * vertex + 2]];
  }
  add(x: number, y: number, z: number): number {
    if (3 * this.#count === this.#positions.length) {
      const larger = new Float64Array(2 * this.#positions.length);
      larger.set(this.#positions);
      this.#positions = larger;
    }
    this.#positions.set([x, y, z], 3 * this.#count);
    return this.#count++;
  }
}

export interface Halves {
  /** The triangles where normal·p ≥ offset, and where it is less: three vertices per triangle. */
  readonly above: number[];
  readonly below: number[];
}

export function cutSolid(vertices: Vertices, solid: ArrayLike<number>, plane: Plane): Halves {
  const { normal, offset } = plane;
  const height = (vertex: number): number => dot(normal, vertices.at(vertex)) - offset;
  const [above, below]: [number[], number[]] = [[], []];
  const made = new Map<number, number>();
  const between = (a: number, b: number): number => {
    const [low, high] = a < b ? [a, b] : [b, a];
    const key = low * 2 ** 26 + high;
    let vertex = made.get(key);
    if (vertex === undefined) {
      const [p, q] = [vertices.at(low), vertices.at(high)];
      const t = height(low) / (height(low) - height(high));
      vertex = vertices.add(p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2]));
      made.set(key, vertex);
    }
    return vertex;
  };
  /** From each new vertex to the next along the cap of the upper half. */
  const next = new Map<number, number[]>();
  const link = (from: number, to: number): void => {
    const others = next.get(from);
    if (others) others.push(to);
    else next.set(from, [to]);
  };
  for (let i = 0; i < solid.length; i += 3) {
    const corners = [solid[i], solid[i + 1], solid[i + 2]];
    const up = corners.map(corner => height(corner) >= 0);
    if (up[0] === up[1] && up[1] === up[2]) {
      (up[0] ? above : below).push(...corners);
      continue;
    }
    // a is alone on its side; b and c follow it.
    const lone = up[1] === up[2] ? 0 : up[0] === up[2] ? 1 : 2;
    const [a, b, c] = [corners[lone], corners[(lone + 1) % 3], corners[(lone + 2) % 3]];
    const [p, q] = [between(a, b), between(a, c)];
    const [own, others] = up[lone] ? [above, below] : [below, above];
    own.push(a, p, q);
    if (apart(vertices, p, c) <= apart(vertices, b, q)) others.push(p, b, c, p, c, q);
    else others.push(p, b, q, b, c, q);
    // The cap runs against the triangle that it closes.
    if (up[lone]) link(q, p);
    else link(p, q);
  }
  const cap = capOf(vertices, loopsOf(next), normal);
  for (let i = 0; i < cap.length; i += 3) {
    above.push(cap[i], cap[i + 1], cap[i + 2]);
    below.push(cap[i], cap[i + 2], cap[i + 1]);
  }
  return { above, below };
}

const apart = (vertices: Vertices, i: number, j: number): number =>
  squareApart(vertices.at(i), vertices.at(j));

/** Equally many segments enter and leave a vertex, so following them always returns. */
function loopsOf(next: Map<number, number[]>): number[][] {
  const loops: number[][] = [];
  for (const start of next.keys()) {
    while (next.get(start)!.length > 0) {
      const loop: number[] = [];
      let vertex = start;
      do {
        loop.push(vertex);
        vertex = next.get(vertex)!.pop()!;
      } while (vertex !== start);
      loops.push(loop);
    }
  }
  return loops;
}

/** The cap of the upper half faces down the normal. */
function capOf(vertices: Vertices, loops: readonly number[][], normal: Vector): number[] {
  const points = loops.flat();
  const [x, y] = [new Float64Array(points.length), new Float64Array(points.length)];
  const least = normal.map(Math.abs).indexOf(Math.min(...normal.map(Math.abs)));
  const across = cross(normal, [0, 1, 2].map(k => (k === least ? 1 : 0)) as unknown as Vector);
  const v = times(across, 1 / length(across));
  const u = cross(v, times(normal, -1));
  points.forEach((vertex, i) => {
    const place = vertices.at(vertex);
    x[i] = dot(u, place);
    y[i] = dot(v, place);
  });
  let first = 0;
  const numbered = loops.map(loop => {
    first += loop.length;
    return loop.map((_, i) => first - loop.length + i);
  });
  return fillLoops(numbered, x, y).map(i => points[i]);
}
