// What the drawing passes see, as plain data: what pictures of the method are drawn from.

import type { View } from '../raster/view.ts';

/** What the drawing passes left in every pixel, rows from below. */
export interface EdgePicture {
  readonly view: View;
  /** Whose edge is nearest: its body's place, and 1; 0 where there is no edge. */
  readonly body: Uint8Array;
  /** How far along the view it lies, world units; moved outward by `offset` from where it is. */
  readonly depth: Float32Array;
  readonly offset: number;
  /** Faces entered less faces left before the edge: of all bodies, and of all but its own. */
  readonly all: Int8Array;
  readonly others: Int8Array;
}
