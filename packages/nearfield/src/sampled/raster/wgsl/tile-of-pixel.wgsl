// The tile of a pixel. Pixels are numbered consecutively over all tiles.

/** The tile that a pixel belongs to. */
fn tileOfPixel(pixel: u32) -> u32 {
  var low = 0u;
  var high = raster.tileCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (tiles[middle].firstPixel <= pixel) { low = middle; } else { high = middle; }
  }
  return low;
}
