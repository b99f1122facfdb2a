// Which lines of a view may cross a body? The test is cheap and never leaves out a line that does. Only the lines
// that it keeps are cast exactly.
//
// A line that crosses a triangle passes, in the picture, between each of its edges and the corner opposite. So the
// place lies in three strips, and in the triangle's box. A body with many triangles has only the box around it.
// Strips and boxes are widened by `spare` pixels. Places are in pixels, rounded by less than 2^-45 of the largest
// (`see` of the view, a division, a product and a sum), so that a spare pixel covers places up to 2^44 pixels away.
// Whatever is farther, or not a number, is kept.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners, worldBox } from '../../../bodies/snapshot/world.ts';
import type { View } from '../../raster/view.ts';

/** Pixels that are added around a triangle. */
const spare = 1;
/** If a body has more triangles, testing them takes longer than casting its lines: only its box is tested. */
const mostTriangles = 256;
/** Beyond this, a spare pixel does not cover the rounding. */
const farthest = 2 ** 44;

/** Per triangle: its box (4), and per edge the normal (2), and where its strip begins and ends along it (2). */
const stride = 16;

export class Silhouette {
  readonly #strips: Float64Array | undefined;

  constructor(view: View, body: Placed) {
    const corners = cornersOf(body);
    const strips = new Float64Array((stride / 9) * corners.length);
    const seen = new Float64Array(9);
    for (let from = 0, at = 0; from < corners.length; from += 9, at += stride) {
      for (let k = 0; k < 9; k += 3) {
        view.see(corners[from + k], corners[from + k + 1], corners[from + k + 2], seen, k);
      }
      const x = [seen[0], seen[3], seen[6]].map(place => place / view.pixel);
      const y = [seen[1], seen[4], seen[7]].map(place => place / view.pixel);
      if (![...x, ...y].every(place => Math.abs(place) < farthest)) return;
      strips.set([Math.min(...x) - spare, Math.min(...y) - spare], at);
      strips.set([Math.max(...x) + spare, Math.max(...y) + spare], at + 2);
      for (let edge = 0; edge < 3; edge++) {
        const [next, opposite] = [(edge + 1) % 3, (edge + 2) % 3];
        const length = Math.hypot(x[next] - x[edge], y[next] - y[edge]) || 1;
        const across = [(y[edge] - y[next]) / length, (x[next] - x[edge]) / length];
        const along = (corner: number) => across[0] * x[corner] + across[1] * y[corner];
        const [own, other] = [along(edge), along(opposite)];
        const strip = [Math.min(own, other) - spare, Math.max(own, other) + spare];
        strips.set([...across, ...strip], at + 4 + 4 * edge);
      }
    }
    this.#strips = strips;
  }

  /** False only if the line at a place of the picture, in pixels, crosses no triangle of the body. */
  mayCross(x: number, y: number): boolean {
    const strips = this.#strips;
    if (strips === undefined) return true;
    for (let at = 0; at < strips.length; at += stride) {
      if (x < strips[at] || y < strips[at + 1] || x > strips[at + 2] || y > strips[at + 3]) continue;
      let edge = at + 4;
      const end = at + stride;
      for (; edge < end; edge += 4) {
        const place = strips[edge] * x + strips[edge + 1] * y;
        if (place < strips[edge + 2] || place > strips[edge + 3]) break;
      }
      if (edge === end) return true;
    }
    return false;
  }
}

/** The corners of the body's triangles, or of triangles on the sides of its box: nine numbers each. */
function cornersOf(body: Placed): Float64Array {
  const { triangleCount } = body.shape.mesh;
  if (triangleCount > mostTriangles) return sidesOf(worldBox(body));
  const corners = new Float64Array(9 * triangleCount);
  for (let triangle = 0; triangle < triangleCount; triangle++) {
    placeCorners(body, triangle, corners, 9 * triangle);
  }
  return corners;
}

/** Two triangles for each of the six sides of a box. */
function sidesOf(box: ArrayLike<number>): Float64Array {
  const corners: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const end of [0, 3]) {
      for (const [u, v] of [...halves[0], ...halves[1]]) {
        const corner = [0, 0, 0];
        corner[axis] = box[axis + end];
        for (const [k, to] of [u, v].entries()) {
          const other = (axis + 1 + k) % 3;
          corner[other] = box[other + to];
        }
        corners.push(...corner);
      }
    }
  }
  return Float64Array.from(corners);
}

/** A rectangle as two triangles: per corner the ends of its two axes, 0 or 3. */
const halves = [
  [
    [0, 0],
    [3, 0],
    [3, 3],
  ],
  [
    [0, 0],
    [3, 3],
    [0, 3],
  ],
] as const;
