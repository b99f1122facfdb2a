// Maps floats to unsigned integers in the same order, all above 0.

fn orderedBits(value: f32) -> u32 {
  let bits = bitcast<u32>(value);
  return select(bits | 0x80000000u, ~bits, (bits >> 31u) == 1u);
}

fn orderedFloat(ordered: u32) -> f32 {
  return bitcast<f32>(select(~ordered, ordered & 0x7fffffffu, (ordered >> 31u) == 1u));
}
