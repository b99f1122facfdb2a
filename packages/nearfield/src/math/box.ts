// Axis-aligned boxes as six numbers: minimum x, y, z, then maximum x, y, z. An empty box has minimum > maximum.

export type Box = Float64Array;

export const emptyBox = (): Box =>
  new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);

export const isEmptyBox = (box: Box): boolean => box[0] > box[3];

export function growBox(box: Box, x: number, y: number, z: number): void {
  if (x < box[0]) box[0] = x;
  if (y < box[1]) box[1] = y;
  if (z < box[2]) box[2] = z;
  if (x > box[3]) box[3] = x;
  if (y > box[4]) box[4] = y;
  if (z > box[5]) box[5] = z;
}

/** Whether two closed boxes share a point. */
export const boxesMeet = (a: Box, b: Box): boolean =>
  a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
