// The figures of a distance map: over all its pixels, or over those of a region. Counts and areas are the same on every
// backend. Lengths, their means and the volume come from distances, which are off by at most the map's error.

/** The distances of a map in figures, in the user's units. */
export interface MapStatistics {
  /** The number of pixels of the map or region. */
  readonly pixels: number;
  /** Pixels whose line meets both bodies. */
  readonly both: number;
  /** Pixels whose line meets a alone. */
  readonly onlyA: number;
  /** Pixels whose line meets b alone. */
  readonly onlyB: number;
  /** Pixels with a distance: fewer than `both` if `within` leaves some out. */
  readonly measured: number;
  /** The least distance; NaN if there is none, as for all that follow. */
  readonly least: number;
  /** The greatest distance. */
  readonly greatest: number;
  /** The mean of all distances. */
  readonly mean: number;
  /** The root of the mean of their squares. */
  readonly rms: number;
  /** The distance that half of all do not exceed. */
  readonly median: number;
  /** The distances that 5, 25, 75 and 95 percent of all do not exceed. */
  readonly quantiles: readonly [number, number, number, number];
  /**
   * The area, perpendicular to the direction, of pixels with a distance of at most `contact` in magnitude: decided exactly,
   * pixel by pixel. `DistanceMap` says how far such an area may be from the true one.
   */
  readonly contactArea: number;
  /** The area of pixels that overlap, likewise. */
  readonly penetrationArea: number;
  /** The sum of common length times a pixel's area; for solids, their common volume. */
  readonly penetrationVolume: number;
  /** Where the common length is longest; undefined if nothing overlaps. */
  readonly deepest:
    | {
        /** Minus that length. */
        readonly distance: number;
        /** The world point on a's surface there. */
        readonly point: readonly [number, number, number];
      }
    | undefined;
}

/** The data of a map from which statistics are computed. */
export interface MapPixels {
  readonly distance: Float32Array;
  readonly coverage: Uint8Array;
  readonly penetrating: Uint8Array;
  readonly pixel: number;
  readonly contact: number;
  /**
   * Tells whether a pixel's distance, before it was rounded, is at most `contact` in magnitude. Without it the rounded
   * distance is compared.
   */
  isContact?(pixel: number): boolean;
  /** World point on a's surface. */
  pointOf(pixel: number): [number, number, number];
}

/** The statistics of the given pixels, or of all. */
export function statisticsOf(map: MapPixels, pixels?: Uint32Array): MapStatistics {
  const { distance, coverage, penetrating, contact } = map;
  const count = pixels?.length ?? distance.length;
  const met = [0, 0, 0, 0];
  const known = new Float64Array(count);
  let [size, sum, squares, touching, overlapping, volume, deepest] = [0, 0, 0, 0, 0, 0, -1];
  for (let i = 0; i < count; i++) {
    const at = pixels === undefined ? i : pixels[i];
    met[coverage[at]]++;
    const own = distance[at];
    if (Number.isNaN(own)) continue;
    known[size++] = own;
    sum += own;
    squares += own * own;
    if (map.isContact?.(at) ?? Math.abs(own) <= contact) touching++;
    if (penetrating[at] === 0) continue;
    overlapping++;
    volume -= own;
    if (deepest < 0 || own < distance[deepest]) deepest = at;
  }
  const sorted = known.subarray(0, size).sort();
  const quantile = (share: number) =>
    size === 0 ? Number.NaN : sorted[Math.min(size - 1, Math.max(0, Math.ceil(share * size) - 1))];
  const area = map.pixel ** 2;
  return {
    pixels: count,
    both: met[3],
    onlyA: met[1],
    onlyB: met[2],
    measured: size,
    least: quantile(0),
    greatest: quantile(1),
    mean: size === 0 ? Number.NaN : sum / size,
    rms: size === 0 ? Number.NaN : Math.sqrt(squares / size),
    median: quantile(0.5),
    quantiles: [quantile(0.05), quantile(0.25), quantile(0.75), quantile(0.95)],
    contactArea: touching * area,
    penetrationArea: overlapping * area,
    penetrationVolume: volume * area,
    deepest: deepest < 0 ? undefined : { distance: distance[deepest], point: map.pointOf(deepest) },
  };
}
