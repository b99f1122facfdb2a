// The bits of slices of depth (slices.ts, solid.wgsl). They follow the words of all pixels in the maps of each body.

fn sliceWordAt(side: u32, pixel: u32, word: u32) -> u32 {
  return select(testWords, mapWords, side == 0u) * raster.pixelCount + layering.sliceWords * pixel + word;
}

/** The first border of slices behind a depth; 32 times `sliceWords` or more if there is none. */
fn borderBehind(depth: i32) -> u32 {
  if (depth < layering.sliceStart) { return 0u; }
  return u32(depth - layering.sliceStart) / layering.sliceUnits + 1u;
}
