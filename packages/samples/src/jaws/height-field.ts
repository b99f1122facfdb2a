// Scanned teeth are heights over a plane; adding sides and a bottom makes a solid (Myszkowski, Okunev and Kunii,
// section 8). This file makes such solids, and measures the gap between two that face each other.

import type { Mesh } from 'nearfield';

/** Corners so far, three numbers each, and triangles, three corners each. */
export interface Surface {
  readonly positions: number[];
  readonly indices: number[];
}

export interface Field {
  /** Cells along s and along t. */
  readonly columns: number;
  readonly rows: number;
  /** Rings of quadrilaterals from the rim down to the bottom. */
  readonly rings: number;
  /** A point of the upper side, for s and t from −1 to 1. */
  top(s: number, t: number): readonly [x: number, y: number, z: number];
  /** The point `share` of the way down from the rim at (s, t): 1 is the bottom, which is flat. */
  side(s: number, t: number, share: number): readonly [x: number, y: number, z: number];
  /** The middle of the bottom. */
  readonly bottom: readonly [x: number, y: number, z: number];
}

/** How many triangles `addField` adds. */
export const fieldTriangles = ({ columns, rows, rings }: Pick<Field, 'columns' | 'rows' | 'rings'>): number =>
  2 * columns * rows + 2 * (columns + rows) * (2 * rings + 1);

/**
 * Adds the closed surface of a field: counter-clockwise seen from outside if (s, t, up) is right-handed, and
 * clockwise for `mirrored` ones.
 */
export function addField({ positions, indices }: Surface, field: Field, mirrored: boolean): void {
  const { columns, rows, rings } = field;
  const first = positions.length / 3;
  const add = (point: readonly number[]): number => positions.push(...point) / 3 - 1;
  const triangle = (a: number, b: number, c: number): void => {
    indices.push(a, mirrored ? c : b, mirrored ? b : c);
  };
  for (let j = 0; j <= rows; j++) {
    for (let i = 0; i <= columns; i++) add(field.top((2 * i) / columns - 1, (2 * j) / rows - 1));
  }
  const at = (i: number, j: number): number => first + j * (columns + 1) + i;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      triangle(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      triangle(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  const around = rimOf(columns, rows);
  let above = around.map(([i, j]) => at(i, j));
  for (let ring = 1; ring <= rings; ring++) {
    const below = around.map(([i, j]) =>
      add(field.side((2 * i) / columns - 1, (2 * j) / rows - 1, ring / rings)),
    );
    below.forEach((_, k) => {
      const next = (k + 1) % below.length;
      triangle(below[k], below[next], above[next]);
      triangle(below[k], above[next], above[k]);
    });
    above = below;
  }
  const middle = add(field.bottom);
  above.forEach((corner, k) => {
    triangle(corner, middle, above[(k + 1) % above.length]);
  });
}

/** The cells' corners along the rim, counter-clockwise. */
function rimOf(columns: number, rows: number): [i: number, j: number][] {
  const rim: [number, number][] = [];
  for (let i = 0; i < columns; i++) rim.push([i, 0]);
  for (let j = 0; j < rows; j++) rim.push([columns, j]);
  for (let i = columns; i > 0; i--) rim.push([i, rows]);
  for (let j = rows; j > 0; j--) rim.push([0, j]);
  return rim;
}

/**
 * The smallest gap along z between an upper surface and a lower one, at the points of a square lattice. Only surfaces
 * that face each other count.
 */
export function leastGap(upper: Mesh, lower: Mesh, step: number): number {
  const lattice = latticeOver(lower.bounds, step);
  const [lows, highs] = [heightsOf(upper, lattice, -1), heightsOf(lower, lattice, 1)];
  let least = Infinity;
  for (let i = 0; i < highs.length; i++) least = Math.min(least, lows[i] - highs[i]);
  return least;
}

interface Lattice {
  readonly step: number;
  /** The first point, in steps, and how many there are, along x and along y. */
  readonly first: readonly [number, number];
  readonly counts: readonly [number, number];
}

function latticeOver(bounds: ArrayLike<number>, step: number): Lattice {
  const first = [0, 1].map(axis => Math.ceil(bounds[axis] / step)) as [number, number];
  const counts = [0, 1].map(axis => Math.floor(bounds[3 + axis] / step) - first[axis] + 1) as [
    number,
    number,
  ];
  return { step, first, counts };
}

/** The highest (sign 1) or lowest (sign −1) point of a surface over each point of the lattice; ∓∞ if it has none. */
function heightsOf(
  { positions: p, indices }: Mesh,
  { step, first, counts }: Lattice,
  sign: 1 | -1,
): Float64Array {
  const heights = new Float64Array(counts[0] * counts[1]).fill(-sign * Infinity);
  for (let at = 0; at < indices.length; at += 3) {
    const [a, b, c] = [3 * indices[at], 3 * indices[at + 1], 3 * indices[at + 2]];
    const [ux, uy, vx, vy] = [p[b] - p[a], p[b + 1] - p[a + 1], p[c] - p[a], p[c + 1] - p[a + 1]];
    const area = ux * vy - uy * vx;
    if (area * sign <= 0) continue;
    const from = [0, 1].map(k => Math.ceil(Math.min(p[a + k], p[b + k], p[c + k]) / step) - first[k]);
    const to = [0, 1].map(k => Math.floor(Math.max(p[a + k], p[b + k], p[c + k]) / step) - first[k]);
    for (let j = Math.max(0, from[1]); j <= Math.min(to[1], counts[1] - 1); j++) {
      for (let i = Math.max(0, from[0]); i <= Math.min(to[0], counts[0] - 1); i++) {
        const [x, y] = [(i + first[0]) * step - p[a], (j + first[1]) * step - p[a + 1]];
        const [v, w] = [(x * vy - y * vx) / area, (ux * y - uy * x) / area];
        if (v < 0 || w < 0 || v + w > 1) continue;
        const height = p[a + 2] + v * (p[b + 2] - p[a + 2]) + w * (p[c + 2] - p[a + 2]);
        const place = j * counts[0] + i;
        if ((height - heights[place]) * sign > 0) heights[place] = height;
      }
    }
  }
  return heights;
}
