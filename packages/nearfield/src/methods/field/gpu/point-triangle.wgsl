// The point of a triangle nearest to the origin, in single precision, and which feature it is on: 0 the face, 1 to 3 the edges
// ab, bc, ca, 4 to 6 the corners. The nearest of the feet on the three edges and the face's: on slivers the signs that tell
// Voronoi regions apart are lost, and an edge's foot is still no farther off than the sliver is wide.

struct NearPoint {
  /** From the origin. */
  point: vec3f,
  feature: u32,
}

/** To 2^-18 of the way to the farthest corner, or as far as a sliver is wide. */
fn nearestOnTriangle(a: vec3f, b: vec3f, c: vec3f) -> NearPoint {
  let found = footInTriangle(a, b, c);
  if (found.feature != 0u) { return found; }
  // Along the normal: better than by weights where the face is near. But of a sliver the normal is not well known.
  let u = b - a;
  let v = c - a;
  let n = cross(u, v);
  let square = dot(n, n);
  if (square < 0x1p-4 * dot(u, u) * dot(v, v)) { return found; }
  return NearPoint(n * (dot(n, a) / square), 0u);
}

/** The same as a convex combination of the corners: never nearer than the triangle is, but for rounding. */
fn footInTriangle(a: vec3f, b: vec3f, c: vec3f) -> NearPoint {
  var best = footOnEdge(a, b - a, 1u, 4u, 5u);
  best = nearerPoint(best, footOnEdge(b, c - b, 2u, 5u, 6u));
  best = nearerPoint(best, footOnEdge(c, a - c, 3u, 6u, 4u));
  let u = b - a;
  let v = c - a;
  let n = cross(u, v);
  let square = dot(n, n);
  let s = dot(cross(v, a), n);
  let t = dot(cross(a, u), n);
  if (!(square > 0.0) || s <= 0.0 || t <= 0.0 || s + t >= square) { return best; }
  return nearerPoint(best, NearPoint(a + (s / square) * u + (t / square) * v, 0u));
}

fn footOnEdge(start: vec3f, edge: vec3f, number: u32, first: u32, last: u32) -> NearPoint {
  let along = share(-dot(start, edge), dot(edge, edge));
  if (along == 0.0) { return NearPoint(start, first); }
  if (along == 1.0) { return NearPoint(start + edge, last); }
  return NearPoint(start + along * edge, number);
}

fn nearerPoint(best: NearPoint, other: NearPoint) -> NearPoint {
  if (dot(other.point, other.point) < dot(best.point, best.point)) { return other; }
  return best;
}

/** A share of a whole, within [0, 1] whatever rounding did. */
fn share(part: f32, whole: f32) -> f32 {
  return clamp(select(0.0, part / whole, whole > 0.0), 0.0, 1.0);
}
