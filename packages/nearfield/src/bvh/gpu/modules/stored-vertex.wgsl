// A stored vertex, Q = round((x − c)·2^(29 − k)), from the words of a shape's positions: singles, or doubles with the
// low word first. Everything is computed on the bits: nothing is flushed, and a number that is not finite shows by
// its exponent. A coordinate that is not finite, or is twice as far from c as the frame reaches, becomes `tooLarge`.

fn wordOf(build: u32, vertex: u32) -> u32 {
  return treeBuilds[build].wordOffset + vertex * treeBuilds[build].stride;
}

fn storedAt(build: u32, vertex: u32, axis: u32) -> i32 {
  let at = wordOf(build, vertex);
  let originBits = vec2u(treeBuilds[build].originLow[axis], treeBuilds[build].originHigh[axis]);
  let scale = 29 - treeBuilds[build].exponent;
  var value: Wide;
  if (treeBuilds[build].doubles == 1u) {
    let bits = vec2u(positions[at + 2u * axis], positions[at + 2u * axis + 1u]);
    if ((bits.y & 0x7ff00000u) == 0x7ff00000u) { return tooLarge; }
    value = decodeDouble(bits);
  } else {
    let bits = positions[at + axis];
    if ((bits & 0x7f800000u) == 0x7f800000u) { return tooLarge; }
    // Most meshes have singles relative to their own origin.
    if (all(originBits == vec2u(0u))) { return roundedSingle(bits, scale); }
    value = decodeSingle(bits);
  }
  return rounded(subtractDoubles(value, decodeDouble(originBits)), scale);
}

/** The same as `rounded` for the bits of a single, which fit in one word. */
fn roundedSingle(bits: u32, scale: i32) -> i32 {
  let field = (bits >> 23u) & 0xffu;
  let fraction = bits & 0x7fffffu;
  let digits = select(fraction | 0x800000u, fraction, field == 0u);
  if (digits == 0u) { return 0; }
  let power = max(i32(field), 1) - 150 + scale;
  var size = tooLarge;
  if (i32(firstLeadingBit(digits)) + power < 30) {
    let left = power + 1;
    let shifted = select(digits >> u32(min(-left, 31)), digits << u32(min(left, 31)), left >= 0);
    size = i32((shifted + 1u) >> 1u);
  }
  return select(size, -size, (bits >> 31u) == 1u);
}
