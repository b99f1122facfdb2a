// Where the lines of a parallel view cross two bodies, by the CPU: the picture of methods that draw, where there is no
// GPU to draw it. Lines pass the middles of square pixels, along the axis across the largest side of the box that both
// bodies' boxes share. Depths are doubles; nothing is decided from them but the picture.

import type { Shape, Two, ViewData } from '../types.ts';

/** Corners in the world, three numbers each, and three corners per triangle. */
export interface Placed {
  readonly places: Float64Array;
  readonly indices: Uint16Array | Uint32Array;
}

export interface Crossing {
  readonly depth: number;
  /** 0 of A, 1 of B. */
  readonly side: 0 | 1;
  /** Whether the line leaves the body here. */
  readonly leaves: boolean;
}

/** Six numbers: the least x, y and z, then the greatest. */
export type Bounds = readonly number[];

function placedOf({ positions, indices, pose }: Shape): Placed {
  const places = new Float64Array(positions.length);
  for (let at = 0; at < positions.length; at += 3) {
    const [x, y, z] = [positions[at], positions[at + 1], positions[at + 2]];
    for (let row = 0; row < 3; row++)
      places[at + row] = pose[row] * x + pose[4 + row] * y + pose[8 + row] * z + pose[12 + row];
  }
  return { places, indices };
}

/** The box that both bodies' boxes share; undefined if they share none. */
export function sharedBox(two: readonly Placed[]): Bounds | undefined {
  const box = [-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity];
  for (const { places, indices } of two) {
    const own = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (const corner of indices) {
      for (let axis = 0; axis < 3; axis++) {
        own[axis] = Math.min(own[axis], places[3 * corner + axis]);
        own[axis + 3] = Math.max(own[axis + 3], places[3 * corner + axis]);
      }
    }
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = Math.max(box[axis], own[axis]);
      box[axis + 3] = Math.min(box[axis + 3], own[axis + 3]);
    }
  }
  return [0, 1, 2].every(axis => box[axis] <= box[axis + 3]) ? box : undefined;
}

/** The view across the largest side of a box, with half a pixel to spare around. */
export function viewOf(box: Bounds, resolution: number): ViewData {
  const size = [0, 1, 2].map(axis => box[axis + 3] - box[axis]);
  const along = size.indexOf(Math.min(...size));
  const [column, row] = [(along + 1) % 3, (along + 2) % 3];
  const pixel = (Math.max(size[column], size[row]) || 1) / (resolution - 1);
  const [columns, rows] = [column, row].map(axis => Math.ceil(size[axis] / pixel + 1));
  const origin = [0, 0, 0];
  origin[column] = (box[column] + box[column + 3] - columns * pixel) / 2;
  origin[row] = (box[row] + box[row + 3] - rows * pixel) / 2;
  origin[along] = box[along];
  const unit = (axis: number) => [0, 1, 2].map(k => (k === axis ? 1 : 0));
  return {
    ...{ origin, right: unit(column), up: unit(row), direction: unit(along) },
    ...{ pixel, columns, rows, near: 0, far: size[along] },
  };
}

/** The axes of a view that looks along an axis of the world. */
export function axesOf({ right, up, direction }: ViewData): readonly [number, number, number] {
  return [right.indexOf(1), up.indexOf(1), direction.indexOf(1)];
}

/** Middles are shifted a little: edges often lie on middles, and a shared edge must count once. */
const shift = [2 ** -24, 2 ** -26] as const;

/** All crossings per pixel, front to back. */
export function crossingsOf(view: ViewData, two: readonly Placed[]): Crossing[][] {
  const { origin, pixel, columns, rows } = view;
  const [u, v, w] = axesOf(view);
  const lines: Crossing[][] = Array.from({ length: columns * rows }, () => []);
  two.forEach(({ places, indices }, body) => {
    const side = body as 0 | 1;
    const seen = (corner: number) => [
      (places[3 * corner + u] - origin[u]) / pixel - 0.5 - shift[0],
      (places[3 * corner + v] - origin[v]) / pixel - 0.5 - shift[1],
      places[3 * corner + w] - origin[w],
    ];
    for (let at = 0; at < indices.length; at += 3) {
      const [p, q, r] = [seen(indices[at]), seen(indices[at + 1]), seen(indices[at + 2])];
      const area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
      if (area === 0) continue;
      const low = (k: number) => Math.max(0, Math.ceil(Math.min(p[k], q[k], r[k])));
      const high = (k: number, count: number) => Math.min(count - 1, Math.floor(Math.max(p[k], q[k], r[k])));
      for (let row = low(1); row <= high(1, rows); row++) {
        for (let column = low(0); column <= high(0, columns); column++) {
          const a = sideOf(q, r, column, row) / area;
          const b = sideOf(r, p, column, row) / area;
          const c = sideOf(p, q, column, row) / area;
          if (a < 0 || b < 0 || c < 0) continue;
          const depth = a * p[2] + b * q[2] + c * r[2];
          // right, up and direction are right-handed: a positive area faces along the line.
          lines[row * columns + column].push({ depth, side, leaves: area > 0 });
        }
      }
    }
  });
  for (const line of lines) line.sort((x, y) => x.depth - y.depth || Number(y.leaves) - Number(x.leaves));
  return lines;
}

/** Twice the area of a triangle with a place. Computed from the same end, whichever triangle asks. */
function sideOf(from: readonly number[], to: readonly number[], x: number, y: number): number {
  const isForward = from[0] < to[0] || (from[0] === to[0] && from[1] < to[1]);
  const [s, t] = isForward ? [from, to] : [to, from];
  const twice = (t[0] - s[0]) * (y - s[1]) - (t[1] - s[1]) * (x - s[0]);
  return isForward ? twice : -twice;
}

/** A, B in the world. */
export const placedTwo = (two: Two): readonly [Placed, Placed] => [placedOf(two[0]), placedOf(two[1])];
