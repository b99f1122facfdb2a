// Which tiles a question looks at: one a candidate and direction, all with pixels of one size, in batches that fit the device.

import type { Box } from '../../../math/box.ts';
import type { Placed } from '../../../scene/engine.ts';
import type { Tile } from '../../raster/raster.ts';
import { axesAlong, boxAlong, viewOf } from '../../raster/view.ts';
import type { RaycastTask } from '../sampling.ts';
import { axisVector, directionsOf, windowsOf } from '../windows.ts';

export interface Tiling {
  readonly tiles: readonly Tile[];
  /** The side of a pixel, world units. */
  readonly pixel: number;
}

/**
 * Corners and edges of what people build often lie where pixels would have their middles, and there single precision cannot
 * decide: middles are moved by a part of a pixel that no one builds by.
 */
const shift = [0.382, 0.236] as const;

export function tilesOf(bodies: readonly Placed[], task: RaycastTask): Tiling {
  const { candidates, resolution, views, ask } = task;
  const windows = windowsOf(bodies, candidates);
  const looks = windows.flatMap((window, candidate) =>
    directionsOf(window, views).map(axis => ({ window, candidate, axis, size: sizeAcross(window, axis) })),
  );
  const longest = looks.reduce((most, { size }) => Math.max(most, size), 0);
  const pixel = longest / Math.max(1, resolution - 1) || 1;
  // Where one interference is enough, the likeliest first: where boxes have most in common.
  if (ask === 'any')
    looks.sort((p, q) => volumeOf(q.window) - volumeOf(p.window) || p.candidate - q.candidate);
  const tiles = looks.map(({ window, candidate, axis }) => {
    const axes = axesAlong(axisVector(axis));
    const view = viewOf(axes, boxAlong(axes, window), { pixel, shift });
    const [a, b] = [candidates[2 * candidate], candidates[2 * candidate + 1]];
    // A pixel behind what both can have in common: the ends of stretches are kept, whatever they are off.
    return { view, a, b, candidate, far: view.far + pixel };
  });
  return { tiles, pixel };
}

function sizeAcross(box: Box, axis: number): number {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  return Math.max(box[u + 3] - box[u], box[v + 3] - box[v]);
}

const volumeOf = (box: Box): number => (box[3] - box[0]) * (box[4] - box[1]) * (box[5] - box[2]);

/** As many tiles as have so many pixels at most, and the rest; a tile that has more is cut into bands of rows. */
export function takeBatch(
  tiles: readonly Tile[],
  mostPixels: number,
  mostTiles: number,
): { batch: readonly Tile[]; left: readonly Tile[] } {
  let pixels = 0;
  let count = 0;
  for (; count < Math.min(tiles.length, mostTiles); count++) {
    const size = pixelsOf(tiles[count]);
    if (pixels + size > mostPixels) break;
    pixels += size;
  }
  if (count > 0) return { batch: tiles.slice(0, count), left: tiles.slice(count) };
  const [tile, ...others] = tiles;
  const { view, rows = { first: 0, end: view.rows } } = tile;
  const end = Math.min(rows.end, rows.first + Math.max(1, Math.floor(mostPixels / view.columns)));
  const rest = end < rows.end ? [{ ...tile, rows: { first: end, end: rows.end } }] : [];
  return { batch: [{ ...tile, rows: { first: rows.first, end } }], left: [...rest, ...others] };
}

export const pixelsOf = ({ view, rows }: Tile): number =>
  view.columns * (rows ? rows.end - rows.first : view.rows);
