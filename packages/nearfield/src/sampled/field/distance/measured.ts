// The result of measuring points against a body (measurer.ts).

/** One entry per point. */
export interface Measured {
  /** Infinity if nothing is near enough. */
  readonly distance: Float32Array;
  /** 2^32 − 1 if nothing is near enough. */
  readonly triangle: Uint32Array;
  /** 0 is the face; 1 to 3 the edges from corner 0 to 1, 1 to 2, 2 to 0; 4 to 6 the corners. */
  readonly feature?: Uint8Array | undefined;
  /** The vector from the point to the nearest one, three numbers per point. */
  readonly toward?: Float32Array | undefined;
}

/** How many points are measured at a time. */
export const pointsAtOnce = 4096;
