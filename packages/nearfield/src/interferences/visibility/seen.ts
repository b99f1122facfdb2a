// What images of two bodies show, look by look, as plain data: what pictures of the method are drawn from.

import type { Box } from '../../math/box.ts';

/** Of one view, along an axis from its low end (1) or its high end (−1). */
export interface SeenView {
  /** The axis along which it looks: 0 is x, 1 is y, 2 is z. */
  readonly axis: 0 | 1 | 2;
  /** 1 if it looks from the low end of the axis, −1 if from the high end. */
  readonly from: 1 | -1;
  /**
   * Per pixel, how far away the nearest surface is that takes part: 0 where the window begins as seen from here, 1 where
   * it ends; infinite if there is none. Columns run along the next axis, rows along the one after.
   */
  readonly nearest: Float32Array;
  /** Per pixel, how far away the nearest surface of the other body is, likewise. */
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

/** What the visibility method sees of two bodies. */
export interface SeenByViews {
  /** What was looked at: what the bodies' boxes have in common, as the GPU has them. */
  readonly window: Box;
  /** Coarse, at everything. */
  readonly glance: SeenLook;
  /** Finer, at what the glance left. It has two rounds: the second sees only what the first left, and its views are the first's. */
  readonly close: SeenLook;
}
