// What a distance map adds up to: of all of its pixels, or of those of a region. Counts and areas are the same on every backend;
// lengths, their means and the volume are made of distances, which are off by the map's error.

export interface MapStatistics {
  /** Pixels of the map, or of the region; those whose line meets both bodies; only a; only b. */
  readonly pixels: number;
  readonly both: number;
  readonly onlyA: number;
  readonly onlyB: number;
  /** Pixels with a distance: less than `both` where `within` leaves some out. */
  readonly measured: number;
  /** Of the distances there are; NaN where there are none. */
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  /** The root of the mean of their squares. */
  readonly rms: number;
  readonly median: number;
  /** Distances that 5, 25, 75 and 95 in a hundred are not above. */
  readonly quantiles: readonly [number, number, number, number];
  /**
   * Areas across the direction: pixels with a distance of at most `contact` either way, and those that overlap. Both are
   * decided exactly, pixel by pixel; `DistanceMap` says how far such an area may be from the true one.
   */
  readonly contactArea: number;
  readonly penetrationArea: number;
  /** Common length times a pixel's area, added up: of solids, the volume they have in common. */
  readonly penetrationVolume: number;
  /** The longest common length, minus, and the world point on a's surface there; undefined where nothing overlaps. */
  readonly deepest:
    | { readonly distance: number; readonly point: readonly [number, number, number] }
    | undefined;
}

/** What statistics are taken of. */
export interface MapPixels {
  readonly distance: Float32Array;
  readonly coverage: Uint8Array;
  readonly penetrating: Uint8Array;
  readonly pixel: number;
  readonly contact: number;
  /** Whether a pixel's distance, before it was rounded, is at most `contact` either way; else the rounded one is compared. */
  isContact?(pixel: number): boolean;
  /** World point on a's surface. */
  pointOf(pixel: number): [number, number, number];
}

/** Of the pixels given, or all. */
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
