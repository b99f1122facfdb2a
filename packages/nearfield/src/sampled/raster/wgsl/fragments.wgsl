// Stores fragments into slots reserved beforehand, each at the head of its pixel's list. Their order is arbitrary;
// lists are sorted when they are read (lists.wgsl).

/** Puts a sample into its pixel's list. Beyond the capacity nothing is written: everything runs again. */
fn storeFragment(slot: u32, side: u32, leaf: u32, pixel: u32, sample: Sample) {
  if (slot >= raster.fragmentRoom) { return; }
  let away = u32(sample.away) ^ sides[side].mirrored;
  let next = atomicExchange(&heads[pixel], slot + 1u);
  fragments[slot] = vec4u(next, bitcast<u32>(sample.depth), (leaf << 2u) | ((side & 1u) << 1u) | away, side);
}

/** Marks a pixel whose line single precision cannot follow, and lists it the first time. */
fn markUnsure(pixel: u32) {
  let bit = 1u << (pixel & 31u);
  if ((atomicOr(&heads[raster.pixelCount + (pixel >> 5u)], bit) & bit) != 0u) { return; }
  let at = atomicAdd(&rasterState[unsureAt], 1u);
  if (at < raster.unsureRoom) { atomicStore(&rasterState[stateWords + at], pixel); }
}

/**
 * Tells whether the line through a pixel's middle has a fragment of the triangle. Marks the pixel if that is not
 * certain.
 */
fn isCovered(tile: u32, pixel: u32, seen: Seen, at: Weights) -> bool {
  let kind = kindOf(seen, at);
  if (kind == passesBy) { return false; }
  if (kind == passes) {
    let sample = sampleAt(seen, at);
    if (sample.depth > tiles[tile].far) { return false; }
    if (sample.error <= raster.mostError * f32(1u << tiles[tile].cellBits)) { return true; }
  }
  markUnsure(pixel);
  return false;
}
