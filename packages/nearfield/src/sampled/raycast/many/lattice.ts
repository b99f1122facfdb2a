// The lines of tiles that were laid on the GPU, as the CPU casts them: the same places, exactly (lattice.wgsl).

import { View } from '../../raster/view.ts';
import { axesOf } from '../lists/axis-tile.ts';
import { latticeParts, latticeShift } from './layouts.ts';

/** A view of the one pixel at a place, in pixels from the scene's origin: column, row, and where depth begins. */
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
