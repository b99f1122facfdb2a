// The tiles of a question: one per candidate and direction, all with pixels of one size, in batches that fit the
// device.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { RaycastTask } from '../sampling.ts';
import { boxAround, boxesOf, directionsOf, windowsOf } from '../windows.ts';
import { AxisTile } from './axis-tile.ts';

/** Up to this many tiles are laid out on the CPU, whose windows are as tight as doubles allow. */
export const fewTiles = 64;

export interface Tiling {
  readonly tiles: readonly AxisTile[];
  /** The side of a pixel in world units. */
  readonly pixel: number;
}

/**
 * The size of pixels. The largest window has as many along its longer side as were asked for, and all windows together
 * have no more than a square of that side; but pixels are never larger than for one picture of everything.
 */
export function pixelOf(
  boxes: Float64Array,
  windows: Float64Array,
  { resolution, views }: Pick<RaycastTask, 'resolution' | 'views'>,
): number {
  let longest = 0;
  let area = 0;
  for (let at = 0; at < windows.length; at += 6) {
    for (const axis of directionsOf(windows, at, views)) {
      const width = sizeAlong(windows, at, (axis + 1) % 3);
      const height = sizeAlong(windows, at, (axis + 2) % 3);
      longest = Math.max(longest, width, height);
      area += (width * height) / views;
    }
  }
  const whole = longestOf(boxAround(windows));
  // Boxes that only share corners have empty windows. Pixels then have the size they have in one picture of all bodies.
  const side = Math.min(whole, Math.max(longest, Math.sqrt(area))) || longestOf(boxAround(boxes));
  return side / Math.max(1, resolution - 1) || 1;
}

export function tilesOf(bodies: readonly Placed[], task: RaycastTask): Tiling {
  const { candidates, views, ask } = task;
  const boxes = boxesOf(bodies);
  const windows = task.windows ?? windowsOf(boxes, candidates);
  const count = candidates.length / 2;
  const pixel = pixelOf(boxes, windows, task);
  const tiles: AxisTile[] = [];
  for (let c = 0; c < count; c++) {
    for (const axis of directionsOf(windows, 6 * c, views)) {
      tiles.push(new AxisTile(candidates[2 * c], candidates[2 * c + 1], c, axis, pixel, windows, 6 * c));
    }
  }
  // If one interference is enough, the likeliest candidates come first: those whose boxes have most in common.
  if (ask === 'any' && tiles.length > 1) {
    const volume = ({ candidate }: AxisTile) =>
      [0, 1, 2].reduce((product, axis) => product * sizeAlong(windows, 6 * candidate, axis), 1);
    const volumes = Float64Array.from(tiles, volume);
    const order = Uint32Array.from(tiles.keys()).sort((p, q) => volumes[q] - volumes[p] || p - q);
    return { tiles: Array.from(order, i => tiles[i]), pixel };
  }
  return { tiles, pixel };
}

const sizeAlong = (boxes: Float64Array, at: number, axis: number): number =>
  boxes[at + axis + 3] - boxes[at + axis];

const longestOf = (box: Float64Array): number =>
  Math.max(sizeAlong(box, 0, 0), sizeAlong(box, 0, 1), sizeAlong(box, 0, 2));

/**
 * Splits off as many tiles as have at most `most` pixels together; the rest remains. A tile that has more is cut into
 * bands of rows.
 */
export function takeBatch(
  tiles: readonly AxisTile[],
  mostPixels: number,
  mostTiles: number,
): { batch: readonly AxisTile[]; left: readonly AxisTile[] } {
  let pixels = 0;
  let count = 0;
  for (; count < Math.min(tiles.length, mostTiles); count++) {
    const size = tiles[count].pixelCount;
    if (pixels + size > mostPixels) break;
    pixels += size;
  }
  if (count > 0) return { batch: tiles.slice(0, count), left: tiles.slice(count) };
  const [tile, ...others] = tiles;
  const { firstRow, endRow } = tile;
  const end = Math.min(endRow, firstRow + Math.max(1, Math.floor(mostPixels / tile.columns)));
  const rest = end < endRow ? [tile.band(end, endRow)] : [];
  return { batch: [tile.band(firstRow, end)], left: [...rest, ...others] };
}
