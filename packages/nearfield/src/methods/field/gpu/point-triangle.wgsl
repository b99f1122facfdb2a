// The point of a triangle nearest to the origin, by Voronoi regions (Ericson, Real-Time Collision Detection, 5.1.5), in
// single precision, and which feature it is on: 0 the face, 1 to 3 the edges ab, bc, ca, 4 to 6 the corners.

struct NearPoint {
  /** From the origin. */
  point: vec3f,
  feature: u32,
}

fn nearestOnTriangle(a: vec3f, b: vec3f, c: vec3f) -> NearPoint {
  let u = b - a;
  let v = c - a;
  let d1 = -dot(u, a);
  let d2 = -dot(v, a);
  let d3 = -dot(u, b);
  let d4 = -dot(v, b);
  let d5 = -dot(u, c);
  let d6 = -dot(v, c);
  if (d1 <= 0.0 && d2 <= 0.0) { return NearPoint(a, 4u); }
  if (d3 >= 0.0 && d4 <= d3) { return NearPoint(b, 5u); }
  if (d6 >= 0.0 && d5 <= d6) { return NearPoint(c, 6u); }
  let sideAb = d1 * d4 - d3 * d2;
  if (sideAb <= 0.0 && d1 >= 0.0 && d3 <= 0.0) { return NearPoint(a + share(d1, d1 - d3) * u, 1u); }
  let sideCa = d5 * d2 - d1 * d6;
  if (sideCa <= 0.0 && d2 >= 0.0 && d6 <= 0.0) { return NearPoint(a + share(d2, d2 - d6) * v, 3u); }
  let sideBc = d3 * d6 - d5 * d4;
  let fromB = d4 - d3;
  let fromC = d5 - d6;
  if (sideBc <= 0.0 && fromB >= 0.0 && fromC >= 0.0) {
    return NearPoint(b + share(fromB, fromB + fromC) * (c - b), 2u);
  }
  // Along the normal: better than by weights where the face is near.
  let normal = cross(u, v);
  let square = dot(normal, normal);
  if (square > 0.0) { return NearPoint(normal * (dot(normal, a) / square), 0u); }
  return NearPoint(a, 4u);
}

/** A share of a whole, within [0, 1] whatever rounding did. */
fn share(part: f32, whole: f32) -> f32 {
  return clamp(select(0.0, part / whole, whole > 0.0), 0.0, 1.0);
}
