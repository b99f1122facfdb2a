// What is seen of a method at work, as plain data: what pictures of it are drawn from.

import type { Box } from '../math/box.ts';
import type { View } from '../sampled/raster/view.ts';

/** Nodes of one depth of a tree, the leaves' included. */
export interface TreeLevel {
  readonly count: number;
  /** Six numbers a node: x, y, z of the middle, then half the extents. In the frame of the body's mesh. */
  readonly boxes: Float64Array;
}

/** A tree: the children of node i of a level are 4i to 4i + 3 of the next, as far as there are as many. */
export interface TreeBoxes {
  /** From the root to the leaves; none of a mesh without triangles. */
  readonly levels: readonly TreeLevel[];
  /** Leaf i holds the triangles from 4i to before 4i + 4, as far as there are as many. */
  readonly triangles: Uint32Array;
}

/** Of one view, along an axis from its low end (1) or its high end (−1). */
export interface SeenView {
  readonly axis: 0 | 1 | 2;
  readonly from: 1 | -1;
  /**
   * By pixel, how far away the nearest surface is that takes part, and the nearest of the other body: 0 where the window begins
   * as seen from here, 1 where it ends; infinite where there is none. Columns run along the next axis, rows along the one after.
   */
  readonly nearest: Float32Array;
  readonly second: Float32Array;
  /** Whose the nearest is: 1 the first body's, 2 the second's, 0 nobody's. */
  readonly owner: Uint8Array;
  /** By body, triangles that this view did not see clear of the other body, ascending. */
  readonly overlapping: readonly [Uint32Array, Uint32Array];
}

/** One look at two bodies, from all sides. */
export interface SeenLook {
  /** Pixels along either side of an image. */
  readonly resolution: number;
  /** Along x, y, z from the low ends, then from the high ends; none where the bodies' boxes do not meet. */
  readonly views: readonly SeenView[];
  /** By body, triangles that are left after it, ascending. */
  readonly kept: readonly [Uint32Array, Uint32Array];
}

export interface SeenByViews {
  /** What was looked at: what the bodies' boxes have in common, as the GPU has them. */
  readonly window: Box;
  /** Coarse, at everything. */
  readonly glance: SeenLook;
  /** Finer, at what the glance left. It has two rounds: the second sees only what the first left, and its views are the first's. */
  readonly close: SeenLook;
}

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
