// Which of many segments is drawn under the pointer? All of them are projected: fifty thousand take a few milliseconds.

import type { Matrix4 } from 'three/webgpu';

/** The pointer, and the size of the picture, in pixels. */
export interface Pointer {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The segment nearest to the pointer, if it is nearer than `reach` pixels and not farther away than `farthest`, a distance
 * along the view; −1 if there is none. Six numbers per segment; `view` takes them to clip coordinates.
 */
export function nearestSegment(
  segments: Float32Array,
  { elements: m }: Matrix4,
  { x, y, width, height }: Pointer,
  reach: number,
  farthest: number,
): number {
  let best = -1;
  let least = reach * reach;
  for (let at = 0; at < segments.length; at += 6) {
    // The fourth clip coordinate is the distance along the view: what is behind the eye is left out.
    const w0 = m[3] * segments[at] + m[7] * segments[at + 1] + m[11] * segments[at + 2] + m[15];
    const w1 = m[3] * segments[at + 3] + m[7] * segments[at + 4] + m[11] * segments[at + 5] + m[15];
    if (w0 <= 0 || w1 <= 0 || Math.min(w0, w1) > farthest) continue;
    const across = (from: number, w: number) =>
      (((m[0] * segments[from] + m[4] * segments[from + 1] + m[8] * segments[from + 2] + m[12]) / w + 1) /
        2) *
      width;
    const down = (from: number, w: number) =>
      ((1 - (m[1] * segments[from] + m[5] * segments[from + 1] + m[9] * segments[from + 2] + m[13]) / w) /
        2) *
      height;
    const [px, py, qx, qy] = [across(at, w0), down(at, w0), across(at + 3, w1), down(at + 3, w1)];
    const [ux, uy] = [qx - px, qy - py];
    const length = ux * ux + uy * uy;
    const t = length === 0 ? 0 : Math.min(Math.max(((x - px) * ux + (y - py) * uy) / length, 0), 1);
    const distance = (px + t * ux - x) ** 2 + (py + t * uy - y) ** 2;
    if (distance < least) {
      least = distance;
      best = at / 6;
    }
  }
  return best;
}
