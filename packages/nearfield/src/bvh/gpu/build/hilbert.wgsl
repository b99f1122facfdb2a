// The Hilbert curve through a cube of cells: Skilling, "Programming the Hilbert curve", 2004.

/** Number of a cell along the curve, for up to ten bits per axis. */
fn hilbertKey(cell: vec3u, bits: u32) -> u32 {
  var x = cell;
  for (var q = 1u << (bits - 1u); q > 1u; q >>= 1u) {
    for (var axis = 0u; axis < 3u; axis++) {
      if ((x[axis] & q) != 0u) {
        x.x ^= q - 1u;
      } else {
        let swapped = (x.x ^ x[axis]) & (q - 1u);
        x.x ^= swapped;
        x[axis] ^= swapped;
      }
    }
  }
  x.y ^= x.x;
  x.z ^= x.y;
  var flip = 0u;
  for (var q = 1u << (bits - 1u); q > 1u; q >>= 1u) {
    if ((x.z & q) != 0u) { flip ^= q - 1u; }
  }
  x ^= vec3u(flip);
  return (spread(x.x) << 2u) | (spread(x.y) << 1u) | spread(x.z);
}

/** Spreads ten bits, with two zeros between neighbours. */
fn spread(value: u32) -> u32 {
  var x = value & 0x3ffu;
  x = (x | (x << 16u)) & 0x030000ffu;
  x = (x | (x << 8u)) & 0x0300f00fu;
  x = (x | (x << 4u)) & 0x030c30c3u;
  return (x | (x << 2u)) & 0x09249249u;
}
