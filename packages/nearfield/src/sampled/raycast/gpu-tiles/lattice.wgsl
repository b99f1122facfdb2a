// The corners of pixels lie at (B + i)·2^e + shift, where B is the scene's origin in pixels, rounded towards zero. With
// B below 2^40 and i below 2^28 that is an exact double, and the CPU computes the same one (lattice.ts).

/** A 64-bit two's complement number, the upper word first. */
fn addWhole(a: vec2u, b: i32) -> vec2u {
  let low = a.y + bitcast<u32>(b);
  let carry = select(0u, 1u, low < a.y);
  return vec2u(a.x + select(0u, 0xffffffffu, b < 0) + carry, low);
}

fn negated(a: vec2u) -> vec2u {
  let low = ~a.y + 1u;
  return vec2u(~a.x + select(0u, 1u, low == 0u), low);
}

struct Base {
  /** B, as a two's complement. */
  whole: vec2u,
  /** The fraction of the scene's origin beyond B, in pixels: between −1 and 1. */
  rest: f32,
  fits: bool,
}

fn baseOf(origin: Wide, exponent: i32) -> Base {
  let top = topBit(origin.high, origin.low);
  let power = origin.exponent - exponent;
  if (top < 0) { return Base(vec2u(0u), 0.0, true); }
  if (top + power >= 40) { return Base(vec2u(0u), 0.0, false); }
  let whole = shiftWide(origin.high, origin.low, clamp(power, -64, 64));
  // The bits that are shifted out, moved up to the top.
  var rest = 0.0;
  if (power < 0) {
    if (power > -64) {
      let out = shiftWide(origin.high, origin.low, 64 + power);
      rest = f32(out.x) * 0x1p-32;
    } else {
      rest = f32(shiftWide(origin.high, origin.low, 63 - top).x) * 0x1p-32 * powerOfTwo(top + 1 + power);
    }
  }
  if (origin.negative) { return Base(negated(whole), -rest, true); }
  return Base(whole, rest, true);
}

/**
 * The place of pixel corner i along an axis whose lines are shifted by `parts` 1024ths of a pixel, split like a double.
 */
fn cornerAt(base: Base, i: i32, parts: u32, exponent: i32) -> Wide {
  let sum = addWhole(base.whole, i);
  let scaled = addWhole(shiftWide(sum.x, sum.y, 10), i32(parts));
  let negative = (scaled.x >> 31u) == 1u;
  let size = select(scaled, negated(scaled), negative);
  let top = topBit(size.x, size.y);
  if (top < 0) { return Wide(false, 0u, 0u, -1074); }
  let up = 52 - top;
  let shifted = shiftWide(size.x, size.y, up);
  return Wide(negative, shifted.x, shifted.y, exponent - 10 - up);
}
