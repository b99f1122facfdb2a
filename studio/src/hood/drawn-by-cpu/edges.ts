// The nearest edge per pixel, and the faces in front of it (Knott 2003, section 4.3), from all crossings of the pixel's
// line.

import type { EdgesData, Two } from '../types.ts';
import { axesOf, crossingsOf, type Placed, placedTwo, sharedBox, viewOf } from './crossings.ts';

export function edgesOf(shapes: Two, resolution: number): EdgesData {
  const two = placedTwo(shapes);
  const box = sharedBox(two);
  if (box === undefined) return { method: 'raycast' };
  const view = viewOf(box, resolution);
  const { origin, pixel, columns, rows, far } = view;
  const [u, v, w] = axesOf(view);
  const count = columns * rows;
  const [body, depth] = [new Uint8Array(count), new Float32Array(count).fill(Infinity)];
  // An edge lies on its own faces: moved outward, it does not count as hidden by them.
  const offset = pixel;
  two.forEach((placed, side) => {
    const moved = movedOut(placed, offset);
    const seen = (corner: number) => [
      (moved[3 * corner + u] - origin[u]) / pixel,
      (moved[3 * corner + v] - origin[v]) / pixel,
      moved[3 * corner + w] - origin[w],
    ];
    forEachEdge(placed.indices, (from, to) => {
      const [p, q] = [seen(from), seen(to)];
      const steps = 1 + Math.ceil(2 * Math.max(Math.abs(q[0] - p[0]), Math.abs(q[1] - p[1])));
      for (let k = 0; k <= steps; k++) {
        const [x, y, z] = [0, 1, 2].map(axis => p[axis] + ((q[axis] - p[axis]) * k) / steps);
        if (x < 0 || y < 0 || x >= columns || y >= rows || z < -offset || z > far + offset) continue;
        const at = Math.floor(y) * columns + Math.floor(x);
        if (z >= depth[at]) continue;
        depth[at] = z;
        body[at] = side + 1;
      }
    });
  });
  const [all, others] = [new Int8Array(count), new Int8Array(count)];
  crossingsOf(view, two).forEach((line, at) => {
    if (body[at] === 0) return;
    for (const { depth: face, side, leaves } of line) {
      if (face >= depth[at]) break;
      all[at] += leaves ? -1 : 1;
      if (side + 1 !== body[at]) others[at] += leaves ? -1 : 1;
    }
  });
  return { method: 'raycast', picture: { view, body, depth, offset, all, others } };
}

/** Corners moved along the sum of the normals of their faces. */
function movedOut({ places, indices }: Placed, offset: number): Float64Array {
  const normals = new Float64Array(places.length);
  for (let at = 0; at < indices.length; at += 3) {
    const [p, q, r] = [3 * indices[at], 3 * indices[at + 1], 3 * indices[at + 2]];
    const side = (from: number, to: number, axis: number) => places[to + axis] - places[from + axis];
    for (let axis = 0; axis < 3; axis++) {
      const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
      const part = side(p, q, j) * side(p, r, k) - side(p, q, k) * side(p, r, j);
      for (const corner of [p, q, r]) normals[corner + axis] += part;
    }
  }
  return places.map((place, i) => {
    const at = i - (i % 3);
    const length = Math.hypot(normals[at], normals[at + 1], normals[at + 2]);
    return length > 0 ? place + (offset * normals[i]) / length : place;
  });
}

/** Each edge once. */
function forEachEdge(indices: Placed['indices'], take: (from: number, to: number) => void): void {
  let corners = 0;
  for (const corner of indices) corners = Math.max(corners, corner + 1);
  const seen = new Set<number>();
  for (let at = 0; at < indices.length; at++) {
    const [from, to] = [indices[at], indices[at % 3 === 2 ? at - 2 : at + 1]];
    const key = Math.min(from, to) * corners + Math.max(from, to);
    if (seen.has(key)) continue;
    seen.add(key);
    take(from, to);
  }
}
