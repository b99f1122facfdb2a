// The lines of tiles that were laid out on the GPU, for the CPU to cast at exactly the same places (lattice.wgsl).

import { View } from '../../raster/view.ts';
import { axesOf } from '../lists/axis-tile.ts';
import { latticeParts, latticeShift } from './layouts.ts';

/** A view of one pixel, given by its column, its row and the start of its depth, in pixels from the scene's origin. */
export function viewAt(
  sceneOrigin: ArrayLike<number>,
  pixel: number,
  axis: number,
  place: ArrayLike<number>,
): View {
  const origin: [number, number, number] = [0, 0, 0];
  for (let row = 0; row < 3; row++) {
    const k = (axis + 1 + row) % 3;
    const base = Math.trunc(sceneOrigin[k] / pixel);
    origin[k] = (base + place[row] + latticeShift[row] / latticeParts) * pixel;
  }
  return new View(axesOf[axis], origin, pixel, 1, 1, 0, pixel);
}
