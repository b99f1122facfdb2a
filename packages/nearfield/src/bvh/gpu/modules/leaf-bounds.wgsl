// The box of a leaf, from its three vertices as stored.

struct LeafBounds {
  low: vec3f,
  high: vec3f,
}

fn leafBounds(a: vec3i, b: vec3i, c: vec3i) -> LeafBounds {
  // Conversion may round either way by a unit of the 24th bit. 2^−22 of the value covers it.
  let low = vec3f(min(min(a, b), c));
  let high = vec3f(max(max(a, b), c));
  return LeafBounds((low - abs(low) * 0x1p-22) * 0x1p-29, (high + abs(high) * 0x1p-22) * 0x1p-29);
}
