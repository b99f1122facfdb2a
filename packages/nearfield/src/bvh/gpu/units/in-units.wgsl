// Converts stored vertices to integer multiples of a frame's unit (unit-frame.ts).

/**
 * One coordinate: a row of L·Q/2^32 plus the offset, rounded. Both are split into halves of 16 bits, L = Lh·2^16 + Ll.
 * The products of upper halves, at most 2^27, and the upper parts of the mixed ones, whose sums are below 2^31, are
 * added as integers; the rest is below 9.
 */
fn inUnits(linear: vec3i, offset: i32, rest: f32, shift: u32, stored: vec3i) -> i32 {
  let upper = stored >> vec3u(16u);
  let lower = stored & vec3i(0xffff);
  let high = linear >> vec3u(16u);
  let low = linear & vec3i(0xffff);
  let mixed = high * lower + low * upper;
  let whole = high * upper + (mixed >> vec3u(16u));
  let left = vec3f(mixed & vec3i(0xffff)) * 0x1p-16 + vec3f(vec3u(low) * vec3u(lower)) * 0x1p-32;
  let sum = whole.x + whole.y + whole.z;
  let kept = sum >> shift;
  let lost = f32(sum - (kept << shift)) + (left.x + left.y + left.z);
  // shift is at most 31, so the power is a normal number.
  return offset + kept + i32(floor(rest + lost * bitcast<f32>((127u - shift) << 23u) + 0.5));
}
