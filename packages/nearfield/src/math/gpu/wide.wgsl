// Doubles for WGSL, which has none. A pose's numbers arrive as bits and are decoded into 64-bit integers. So
// differences of distant positions lose nothing before they become single precision.

/** (−1)^negative · (high·2^32 + low) · 2^exponent */
struct Wide {
  negative: bool,
  high: u32,
  low: u32,
  exponent: i32,
}

/** Exact for every finite double, denormals included. `bits` has the low word first. */
fn decodeDouble(bits: vec2u) -> Wide {
  let field = (bits.y >> 20u) & 0x7ffu;
  let fraction = bits.y & 0xfffffu;
  let negative = (bits.y >> 31u) == 1u;
  if (field == 0u) { return Wide(negative, fraction, bits.x, -1074); }
  return Wide(negative, fraction | 0x100000u, bits.x, i32(field) - 1075);
}

/** The same for a single-precision number: exact, with its highest bit where a double of that size has it. */
fn decodeSingle(bits: u32) -> Wide {
  let field = (bits >> 23u) & 0xffu;
  let fraction = bits & 0x7fffffu;
  let negative = (bits >> 31u) == 1u;
  if (field == 0u && fraction == 0u) { return Wide(negative, 0u, 0u, -1074); }
  let digits = select(fraction | 0x800000u, fraction, field == 0u);
  let exponent = max(i32(field), 1) - 150;
  let up = 52 - i32(firstLeadingBit(digits));
  let shifted = shiftWide(0u, digits, up);
  return Wide(negative, shifted.x, shifted.y, exponent - up);
}

/** Number of the highest bit set, −1 for zero. */
fn topBit(high: u32, low: u32) -> i32 {
  if (high != 0u) { return 32 + i32(firstLeadingBit(high)); }
  return select(i32(firstLeadingBit(low)), -1, low == 0u);
}

/** The least e with |value| < 2^e. For zero it is far below that of any nonzero double. */
fn wideExponent(value: Wide) -> i32 {
  let top = topBit(value.high, value.low);
  return select(value.exponent + top + 1, -100000, top < 0);
}

/** (high, low) shifted by any number of bits, to the left if positive. Bits that are shifted out are lost. */
fn shiftWide(high: u32, low: u32, left: i32) -> vec2u {
  if (left == 0) { return vec2u(high, low); }
  if (left > 0) {
    let by = u32(left);
    if (by >= 64u) { return vec2u(0u); }
    if (by >= 32u) { return vec2u(low << (by - 32u), 0u); }
    return vec2u((high << by) | (low >> (32u - by)), low << by);
  }
  let by = u32(-left);
  if (by >= 64u) { return vec2u(0u); }
  if (by >= 32u) { return vec2u(0u, high >> (by - 32u)); }
  return vec2u(high >> by, (low >> by) | (high << (32u - by)));
}

/**
 * a − b, for decoded doubles. Both are brought to the larger one's scale, with ten more bits than a double has. The
 * bits that the smaller loses are below 2^−62 of the larger.
 */
fn subtractDoubles(a: Wide, b: Wide) -> Wide {
  let zeroA = topBit(a.high, a.low) < 0;
  let zeroB = topBit(b.high, b.low) < 0;
  let exponentA = select(a.exponent, -100000, zeroA);
  let exponentB = select(b.exponent, -100000, zeroB);
  let exponent = max(exponentA, exponentB) - 10;
  let partA = shiftWide(a.high, a.low, clamp(exponentA - exponent, -64, 10));
  let partB = shiftWide(b.high, b.low, clamp(exponentB - exponent, -64, 10));
  if (a.negative != b.negative) {
    let low = partA.y + partB.y;
    return Wide(a.negative, partA.x + partB.x + select(0u, 1u, low < partA.y), low, exponent);
  }
  let aLess = partA.x < partB.x || (partA.x == partB.x && partA.y < partB.y);
  let larger = select(partA, partB, aLess);
  let smaller = select(partB, partA, aLess);
  let high = larger.x - smaller.x - select(0u, 1u, larger.y < smaller.y);
  return Wide(a.negative != aLess, high, larger.y - smaller.y, exponent);
}

/** 2^n, clamped to [2^−126, 2^127]. */
fn powerOfTwo(n: i32) -> f32 {
  return bitcast<f32>(u32(clamp(n, -126, 127) + 127) << 23u);
}

/** value·2^scale with a relative error of 2^−22; ±2^100 if it is larger. Below 2^−120 it may be any number as small. */
fn wideToFloat(value: Wide, scale: i32) -> f32 {
  let top = topBit(value.high, value.low);
  if (top < 0) { return 0.0; }
  // The highest 32 bits, the top one set.
  let bits = shiftWide(value.high, value.low, 63 - top).x;
  let power = value.exponent + scale + top - 31;
  var size = 0x1p100;
  if (power < 69) { size = f32(bits) * 0x1p-31 * powerOfTwo(power + 31); }
  return select(size, -size, value.negative);
}

/** More than an integer from a double may be: 2^30. */
const tooLarge = 0x40000000;

/** value·2^scale to the nearest integer, halves away from zero; ±tooLarge if it is that large. */
fn rounded(value: Wide, scale: i32) -> i32 {
  let top = topBit(value.high, value.low);
  let power = value.exponent + scale;
  if (top < 0) { return 0; }
  var size = tooLarge;
  if (top + power < 30) {
    // Keep one bit more than needed, then add half: at most 31 bits.
    let bits = shiftWide(value.high, value.low, clamp(power + 1, -64, 64)).y;
    size = i32((bits + 1u) >> 1u);
  }
  return select(size, -size, value.negative);
}
