// Lower and upper bounds on the distance of two triangles, in single precision. The candidates for the nearest points
// are edge with edge (Ericson, Real-Time Collision Detection, 5.1.9) and corner with the interior of a face; one of
// them is right if the triangles do not meet. The bounds do not depend on how well that was computed, as in
// triangle-pair.as.ts in double:
//
// Everything is relative to a's first corner; size = the longest edge of a from it + |offset| + the longest of b.
// Corners are off by √3·(errorA + errorB + errorOffset) in all (pair-test.wgsl). With g the computed difference of
// two convex combinations of corners, with weights in [0, 1],
//   distance ≤ |g| + slack,  distance ≥ (min_j g·b_j − max_i g·a_i)/|g| − slack,
// slack = √3·(errorA + errorB + errorOffset) + 14u·size. Upper bound: forming the points and g costs at most 5u of
// the lengths involved, and u for weights whose sum exceeds 1; |g| is off by 1.5u, and by 4.5u for the root: 12u in
// all. Lower bound: corners and dot products are off by 4u, their difference by u, |g| as before, the quotient by
// 2.5u: 13.5u in all. Roots and quotients are taken to be as inaccurate as WGSL allows.

/**
 * Bounds of the distance. If the lower bound exceeds `limit`, the upper one is not computed. If the triangles meet,
 * the lower bound is not above 0, and the upper bound is the distance of their features.
 */
fn triangleDistance(pair: TrianglePair, limit: f32) -> Bounds {
  let size = longer(pair.a1, pair.a2) + length(pair.offset) + longer(pair.b1, pair.b2);
  let slack = 1.001 * (1.7321 * (pair.errorA + pair.errorB + pair.errorOffset) + 14.0 * unit * size) + 0x1p-100;
  let middles = pair.offset + (pair.b1 + pair.b2 - pair.a1 - pair.a2) * 0.33333;
  let least = alongAxis(middles, dot(middles, middles), pair) - slack;
  if (least > limit) { return Bounds(least, unknownDistance); }

  // The corners, and the edges from one to the next.
  var a = array<vec3f, 3>(vec3f(0.0), pair.a1, pair.a2);
  var b = array<vec3f, 3>(pair.offset, pair.offset + pair.b1, pair.offset + pair.b2);
  var u = array<vec3f, 3>(pair.a1, pair.a2 - pair.a1, -pair.a2);
  var v = array<vec3f, 3>(pair.b1, pair.b2 - pair.b1, -pair.b2);
  var best = noGap;
  for (var i = 0u; i < 3u; i++) {
    for (var j = 0u; j < 3u; j++) { best = nearer(best, segments(a[i], u[i], b[j], v[j])); }
    best = nearer(best, toFace(b[i], pair.a1, pair.a2));
    let back = toFace(a[i] - pair.offset, pair.b1, pair.b2);
    best = nearer(best, Gap(-back.g, back.squared, back.shares));
  }
  return Bounds(max(least, alongAxis(best.g, best.squared, pair) - slack), sqrt(best.squared) + slack);
}

/** The distance along a direction from where a ends to where b begins. */
fn alongAxis(w: vec3f, squared: f32, pair: TrianglePair) -> f32 {
  if (squared < 0x1p-80) { return 0.0; }
  let b0 = dot(w, pair.offset);
  let b1 = dot(w, pair.offset + pair.b1);
  let b2 = dot(w, pair.offset + pair.b2);
  let most = max(max(dot(w, pair.a1), dot(w, pair.a2)), 0.0);
  return (min(min(b0, b1), b2) - most) / sqrt(squared);
}
