// Whole ticks: 64 bits as (low, high) for a complete time; only the low word if two times within two lives of each
// other are compared, by the sign of their difference (motion/ticks.ts).

fn multiplyWide(a: u32, b: u32) -> vec2u {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let low = a0 * b0;
  let middle = a1 * b0 + (low >> 16u);
  let other = a0 * b1 + (middle & 0xffffu);
  return vec2u((other << 16u) | (low & 0xffffu), a1 * b1 + (middle >> 16u) + (other >> 16u));
}

fn addWide(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn subtractWide(a: vec2u, b: vec2u) -> vec2u {
  return vec2u(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

/** The low word of floor(value / divisor), value below 2^63 and divisor at most 2^30. */
fn divideWide(value: vec2u, divisor: u32) -> u32 {
  // The upper word first, in hardware; then bit by bit, with the rest staying below twice the divisor.
  var rest = value.y % divisor;
  var quotient = 0u;
  for (var bit = 0u; bit < 32u; bit++) {
    rest = (rest << 1u) | ((value.x >> (31u - bit)) & 1u);
    quotient <<= 1u;
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1u;
    }
  }
  return quotient;
}

/** base + floor(range·h / 2^24), h of 24 bits; range = above·2^24 + below. */
fn spreadTicks(base: vec2u, above: u32, below: u32, h: u32) -> vec2u {
  let fraction = multiplyWide(below, h);
  let share = vec2u((fraction.x >> 24u) | (fraction.y << 8u), fraction.y >> 24u);
  return addWide(base, addWide(multiplyWide(above, h), share));
}

fn isBefore(a: u32, b: u32) -> bool { return i32(a - b) < 0; }
