// Where each line passes through a body, slice by slice of depth. While a body is drawn, a layer sets the bit of the
// first border of slices behind it, or clears it if it is set: the bits before a border, added up, are odd if the
// border lies in the body. This kernel replaces them: bit j says that between 3 slices before a point of slice j and 3
// slices behind it, the line passes through the body for at least one whole slice. A pixel whose line single precision
// cannot follow has no bits.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> layering: LayersQuestion;
@group(0) @binding(2) var<storage, read_write> layersA: array<u32>;
@group(0) @binding(3) var<storage, read_write> layersB: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= raster.pixelCount) { return; }
  var words: array<u32, mostSliceWords>;
  // Maps of A that are reused have been converted.
  if (layering.drawsA == 1u) {
    let at = sliceWordAt(0u, id.x, 0u);
    for (var w = 0u; w < layering.sliceWords; w++) { words[w] = layersA[at + w]; }
    let isUnsure = layersA[mapWords * id.x + unsureWord] != 0u;
    let seen = seenSlices(words, isUnsure);
    for (var w = 0u; w < layering.sliceWords; w++) { layersA[at + w] = seen[w]; }
  }
  let at = sliceWordAt(1u, id.x, 0u);
  for (var w = 0u; w < layering.sliceWords; w++) { words[w] = layersB[at + w]; }
  let isUnsure = layersB[testWords * id.x + unsureWord] != 0u;
  let seen = seenSlices(words, isUnsure);
  for (var w = 0u; w < layering.sliceWords; w++) { layersB[at + w] = seen[w]; }
}

fn seenSlices(toggles: array<u32, mostSliceWords>, isUnsure: bool) -> array<u32, mostSliceWords> {
  var words = toggles;
  var carried = 0u;
  for (var w = 0u; w < mostSliceWords; w++) {
    var bits = select(words[w], 0u, isUnsure || w >= layering.sliceWords);
    for (var step = 1u; step < 32u; step *= 2u) { bits ^= bits << step; }
    bits ^= carried;
    carried = 0u - (bits >> 31u);
    words[w] = bits;
  }
  // Both borders of the slice lie in the body: bit j and bit j + 1.
  for (var w = 0u; w < mostSliceWords; w++) {
    var next = 0u;
    if (w + 1u < mostSliceWords) { next = words[w + 1u]; }
    words[w] &= (words[w] >> 1u) | (next << 31u);
  }
  if (isUnsure) { return words; }
  // Two slices to either side.
  var spread: array<u32, mostSliceWords>;
  for (var w = 0u; w < mostSliceWords; w++) {
    var before = 0u;
    var next = 0u;
    if (w > 0u) { before = words[w - 1u]; }
    if (w + 1u < mostSliceWords) { next = words[w + 1u]; }
    let own = words[w];
    spread[w] = own | (own << 1u) | (before >> 31u) | (own << 2u) | (before >> 30u)
      | (own >> 1u) | (next << 31u) | (own >> 2u) | (next << 30u);
  }
  return spread;
}
