// The images of two bodies, look by look, as plain data. Pictures of the method are drawn from it.

import type { Box } from '../../math/box.ts';

/** One view, along an axis from its low end (1) or its high end (−1). */
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
  /** Per pixel, the body that is nearest: 1 the first, 2 the second, 0 none. */
  readonly owner: Uint8Array;
  /** Per body, the triangles that this view did not see clear of the other body, ascending. */
  readonly overlapping: readonly [Uint32Array, Uint32Array];
}

/** One look at two bodies, from all sides. */
export interface SeenLook {
  /** Pixels along either side of an image. */
  readonly resolution: number;
  /** Along x, y, z from the low ends, then from the high ends. Empty if the bodies' boxes do not meet. */
  readonly views: readonly SeenView[];
  /** Per body, the triangles that survive this look, ascending. */
  readonly kept: readonly [Uint32Array, Uint32Array];
}

/** The images of two bodies in the visibility method. */
export interface SeenByViews {
  /** The window of the images: the intersection of the bodies' boxes as the GPU computes them. */
  readonly window: Box;
  /** The coarse look at everything. */
  readonly glance: SeenLook;
  /**
   * The finer look at what the glance kept. It has two rounds. The second sees only what the first kept; the views are
   * the first's.
   */
  readonly close: SeenLook;
}
