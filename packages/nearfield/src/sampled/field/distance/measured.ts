// What measuring points against a body gives (measurer.ts).

/** What is found of points, an entry a point. */
export interface Measured {
  /** Infinity where nothing is near enough. */
  readonly distance: Float32Array;
  /** 2^32 − 1 where nothing is. */
  readonly triangle: Uint32Array;
  /** 0 the face, 1 to 3 the edges from corner 0 to 1, 1 to 2, 2 to 0, 4 to 6 the corners. */
  readonly feature?: Uint8Array | undefined;
  /** From the point to the nearest one, three numbers each. */
  readonly toward?: Float32Array | undefined;
}

/** So many points are measured at a time. */
export const pointsAtOnce = 4096;
