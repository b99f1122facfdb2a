// The certified filter in single precision: error bounds beyond which a computed determinant or projection certainly
// has the true sign. filter.md derives them.

/** A unit in the last place of 1. No WGSL addition or multiplication has a larger relative error. */
const unit = 0x1p-23;

/**
 * How far det(u, v, w), computed in any order that WGSL allows, may be from the determinant of the true vectors.
 * `lengths` are the lengths of the computed vectors, and `errors` bound the errors of their components. `terms` are the
 * lengths of the sums they were formed from (|p| + |q| for p − q), since WGSL may multiply sums out.
 */
fn determinantError(lengths: vec3f, errors: vec3f, terms: vec3f) -> f32 {
  let off = 1.7321 * errors;
  let reach = lengths + off;
  let moved = off.x * reach.y * reach.z + off.y * reach.x * reach.z + off.z * reach.x * reach.y;
  return 1.001 * (moved + 20.0 * unit * (terms.x * terms.y * terms.z)) + 0x1p-100;
}

fn largest(v: vec3f) -> f32 { return max(max(abs(v.x), abs(v.y)), abs(v.z)); }

/** The larger length of two vectors, and of three. */
fn longer(v: vec3f, w: vec3f) -> f32 { return sqrt(max(dot(v, v), dot(w, w))); }
fn longest(u: vec3f, v: vec3f, w: vec3f) -> f32 { return sqrt(max(max(dot(u, u), dot(v, v)), dot(w, w))); }

/** −1 or 1, or 0 if the sign is not certain. */
fn certainSign(value: f32, error: f32) -> i32 {
  return select(0, 1, value > error) - select(0, 1, value < -error);
}

fn certainSigns(values: vec3f, error: f32) -> vec3i {
  return select(vec3i(0), vec3i(1), values > vec3f(error)) - select(vec3i(0), vec3i(1), values < vec3f(-error));
}
