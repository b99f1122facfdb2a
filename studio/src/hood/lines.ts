// Lines around boxes and pictures, in the world.

import type { Sheet, ViewData } from './types.ts';

/** The twelve edges of a box as pairs of corners. The bits of a corner are the sides it lies on. */
const edges = [0, 1, 2].flatMap(axis =>
  [0, 1, 2, 3].map(rest => {
    const low = rest & ((1 << axis) - 1);
    const from = ((rest - low) << 1) | low;
    return [from, from | (1 << axis)] as const;
  }),
);

/** Boxes given by middle and half extents, six numbers per box, in the frame of a pose. */
export function boxLines(boxes: Float64Array, nodes: Iterable<number>, pose: Float64Array): Float32Array {
  const ends: number[] = [];
  for (const node of nodes) {
    const box = boxes.subarray(6 * node, 6 * node + 6);
    for (const edge of edges) {
      for (const corner of edge) {
        const [x, y, z] = [0, 1, 2].map(axis => box[axis] + ((corner >> axis) & 1 ? 1 : -1) * box[3 + axis]);
        for (let row = 0; row < 3; row++)
          ends.push(pose[row] * x + pose[4 + row] * y + pose[8 + row] * z + pose[12 + row]);
      }
    }
  }
  return Float32Array.from(ends);
}

/** The four sides of a sheet. */
export function sheetLines({ corner, right, up }: Sheet): Float32Array {
  const at = (u: number, v: number) => corner.map((value, axis) => value + u * right[axis] + v * up[axis]);
  const round = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
  return Float32Array.from(round.flatMap((place, i) => [...place, ...round[(i + 1) % 4]]));
}

/** The position of a view's picture: in the middle of the viewed box. */
export function sheetOf({ origin, right, up, direction, pixel, columns, rows, near, far }: ViewData): Sheet {
  const depth = (near + far) / 2;
  return {
    corner: origin.map((value, axis) => value + direction[axis] * depth),
    right: right.map(value => value * pixel * columns),
    up: up.map(value => value * pixel * rows),
  };
}
