// The certified filter in single precision: bounds within which a computed determinant or projection has the
// true sign. filter.md derives them.

/** A unit in the last place of 1: no WGSL addition or multiplication is off by more, relatively. */
const unit = 0x1p-23;

/**
 * How far det(u, v, w), computed in any order WGSL allows, may be from that of the true vectors, where the
 * components of u, v, w are at most sizeU, … in size as computed and errorU, … off.
 */
fn determinantError(sizes: vec3f, errors: vec3f) -> f32 {
  let s = sizes + errors;
  let moved = 6.0 * (errors.x * s.y * s.z + errors.y * s.x * s.z + errors.z * s.x * s.y);
  return 1.0001 * (moved + 128.0 * unit * (s.x * s.y * s.z)) + 0x1p-100;
}

fn largest(v: vec3f) -> f32 { return max(max(abs(v.x), abs(v.y)), abs(v.z)); }
fn largestOf(v: vec3i) -> i32 { let a = abs(v); return max(max(a.x, a.y), a.z); }

/** −1, 1, or 0 where the sign is not certain. */
fn certainSign(value: f32, error: f32) -> i32 {
  return select(0, 1, value > error) - select(0, 1, value < -error);
}

fn certainSigns(values: vec3f, error: f32) -> vec3i {
  return select(vec3i(0), vec3i(1), values > vec3f(error)) - select(vec3i(0), vec3i(1), values < vec3f(-error));
}
