// Two triangles whose corners move linearly, as stored positions at both times: does a direction separate them at all
// times, and how do they lie at time 0? Bounds: culling.md.

/** The corners of a and of b at time 0, then at time 1. Their differences are exact. */
var<private> corners: array<vec3i, 12>;

/** How far a difference of two stored coordinates is from the true one: 2·2^-30·(1 + 2^-20). */
const storedError = 0x1.01p-29;

/** From one corner to another at a time, 0 or 1. Off by `storedError` and a rounding per component. */
fn toward(p: u32, q: u32, time: u32) -> vec3f {
  return vec3f(corners[6u * time + q] - corners[6u * time + p]) * 0x1p-29;
}

/** The largest error of a component of a vector up to this long. */
fn componentError(length: f32) -> f32 {
  return 1.001 * unit * length + storedError;
}

/** Both triangles at time 0. */
fn pairAtStart() -> TrianglePair {
  var pair: TrianglePair;
  pair.a1 = toward(0u, 1u, 0u);
  pair.a2 = toward(0u, 2u, 0u);
  pair.b1 = toward(3u, 4u, 0u);
  pair.b2 = toward(3u, 5u, 0u);
  pair.offset = toward(0u, 3u, 0u);
  pair.errorA = componentError(longer(pair.a1, pair.a2));
  pair.errorB = componentError(longer(pair.b1, pair.b2));
  pair.errorOffset = componentError(length(pair.offset));
  return pair;
}

/**
 * Whether the normal of a triangle at time 0, or a direction across an edge within its plane, certainly separates the
 * two at both times, in the same order. Directions along the axes have been tried with the boxes.
 */
fn areAlwaysApart() -> bool {
  var reach = 0.0;
  for (var k = 1u; k < 6u; k++) { reach = max(reach, max(largest(toward(0u, k, 0u)), largest(toward(0u, k, 1u)))); }
  for (var first = 0u; first < 6u; first += 3u) {
    let u = toward(first, first + 1u, 0u);
    let v = toward(first, first + 2u, 0u);
    let w = toward(first + 1u, first + 2u, 0u);
    let normal = cross(u, v);
    let terms = size1(u) * size1(v);
    if (separatesAlways(normal, terms, reach)) { return true; }
    if (separatesAlways(cross(normal, u), terms * size1(u), reach)) { return true; }
    if (separatesAlways(cross(normal, v), terms * size1(v), reach)) { return true; }
    if (separatesAlways(cross(normal, w), terms * size1(w), reach)) { return true; }
  }
  return false;
}

/**
 * `terms` bounds the products that the axis is a sum of. No coordinate relative to a's first corner exceeds `reach`.
 */
fn separatesAlways(axis: vec3f, terms: f32, reach: f32) -> bool {
  let bound = 1.001 * (size1(axis) * (18.0 * unit * reach + 2.0 * storedError) + 32.0 * unit * terms * reach) + 0x1p-100;
  var isAhead = true;
  var isBehind = true;
  for (var time = 0u; time < 2u; time++) {
    let a1 = dot(axis, toward(0u, 1u, time));
    let a2 = dot(axis, toward(0u, 2u, time));
    let b0 = dot(axis, toward(0u, 3u, time));
    let b1 = dot(axis, toward(0u, 4u, time));
    let b2 = dot(axis, toward(0u, 5u, time));
    isAhead = isAhead && min(min(b1, b2), b0) - max(max(a1, a2), 0.0) > bound;
    isBehind = isBehind && min(min(a1, a2), 0.0) - max(max(b1, b2), b0) > bound;
  }
  return isAhead || isBehind;
}
