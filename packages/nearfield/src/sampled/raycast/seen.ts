// The results of the drawing passes as plain data, from which the method can be illustrated.

import type { View } from '../raster/view.ts';

/** The results of the drawing passes per pixel, rows from below. */
export interface EdgePicture {
  /** The pixels, and the direction of their rays. */
  readonly view: View;
  /** The body of the nearest edge: its index plus 1; 0 if there is no edge. */
  readonly body: Uint8Array;
  /** How far along the view the edge lies, in world units. It is moved outward by `offset`. */
  readonly depth: Float32Array;
  /** How far edges were moved outward, in world units. */
  readonly offset: number;
  /** The number of faces entered minus faces left before the edge, of all bodies. */
  readonly all: Int8Array;
  /** The same of all bodies but the edge's own. */
  readonly others: Int8Array;
}
