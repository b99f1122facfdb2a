// Processes a sample. For A it keeps the greatest and least depths and the number of layers. For B it keeps the same,
// and how many of its layers pass the tests against A's (Myszkowski et al., tests (2) and (3)). The paper draws both
// bodies once per test, since a depth buffer holds one depth per pixel; here one drawing serves both.
//
// Depths are off by no more than their bounds. If a layer of B is nearer to A's last or first than the two bounds
// together, their order is not certain: the pixel is marked, and layers are put in order or the line is cast. In all
// other pixels the tests say what exact depths would.

/** The body that is drawn: 0 for A, 1 for B. */
override drawn: u32 = 0u;

fn biased(depth: i32) -> u32 { return bitcast<u32>(depth) ^ 0x80000000u; }
fn unbiased(word: u32) -> i32 { return bitcast<i32>(word ^ 0x80000000u); }

fn takeUnsure(pixel: u32) {
  if (drawn == 0u) { atomicStore(&layersA[mapWords * pixel + unsureWord], 1u); }
  else { atomicStore(&layersB[testWords * pixel + unsureWord], 1u); }
}

/** Notes where the line enters or leaves the body, for spikes. */
fn markSlice(pixel: u32, depth: i32) {
  let border = borderBehind(depth);
  if (border >= 32u * layering.sliceWords) { return; }
  let at = sliceWordAt(drawn, pixel, border / 32u);
  let bit = 1u << (border % 32u);
  if (drawn == 0u) { atomicXor(&layersA[at], bit); } else { atomicXor(&layersB[at], bit); }
}

fn take(pixel: u32, sample: Sample) {
  if (layering.sliceWords > 0u) { markSlice(pixel, sample.depth); }
  let depth = biased(sample.depth);
  let error = bitcast<u32>(sample.error);
  if (drawn == 0u) {
    let at = mapWords * pixel;
    atomicMax(&layersA[at + lastWord], depth);
    atomicMax(&layersA[at + firstWord], ~depth);
    atomicAdd(&layersA[at + countWord], 1u);
    atomicMax(&layersA[at + errorWord], error);
    return;
  }
  let at = testWords * pixel;
  atomicMax(&layersB[at + lastWord], depth);
  atomicMax(&layersB[at + firstWord], ~depth);
  atomicAdd(&layersB[at + countWord], 1u);
  atomicMax(&layersB[at + errorWord], error);
  let other = mapWords * pixel;
  if (atomicLoad(&layersA[other + countWord]) == 0u) { return; }
  let last = unbiased(atomicLoad(&layersA[other + lastWord]));
  let first = unbiased(~atomicLoad(&layersA[other + firstWord]));
  let off = sample.error + bitcast<f32>(atomicLoad(&layersA[other + errorWord]));
  // Differences are whole and exact (sampled/raster/tiles.ts); 1 and a thousandth cover their conversion.
  let toLast = f32(abs(sample.depth - last));
  let toFirst = f32(abs(sample.depth - first));
  if (min(toLast, toFirst) <= 1.001 * off + 1.0) { atomicStore(&layersB[at + nearWord], 1u); }
  let leaves = sample.away != (sides[1].mirrored == 1u);
  let step = select(1u, 0xffffffffu, leaves);
  if (sample.depth <= last) {
    atomicAdd(&layersB[at + passes2Word], 1u);
    atomicAdd(&layersB[at + winding2Word], step);
  }
  if (sample.depth < first) {
    atomicAdd(&layersB[at + passes3Word], 1u);
    atomicAdd(&layersB[at + winding3Word], step);
  }
}

/** Draws one pixel of a triangle. Returns the largest error of the depth kept, in units; 0 if none was kept. */
fn drawPixel(place: vec2i, seen: Seen) -> f32 {
  let weights = weightsAt(seen, middleOf(0u, place));
  let kind = kindOf(seen, weights);
  if (kind == passesBy) { return 0.0; }
  let pixel = pixelAt(0u, place);
  if (kind == passes) {
    let sample = sampleAt(seen, weights);
    if (sample.error <= raster.mostError * f32(1u << tiles[0].cellBits)) {
      take(pixel, sample);
      return sample.error;
    }
  }
  takeUnsure(pixel);
  return 0.0;
}
