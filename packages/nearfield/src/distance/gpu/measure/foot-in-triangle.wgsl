// The point of a triangle nearest to the origin, in single precision, and its feature: 0 the face, 1 to 3 the edges ab,
// bc, ca, 4 to 6 the corners. It is the nearest of the feet on the three edges and on the face. On slivers the signs
// that separate Voronoi regions are lost, but an edge's foot is still no farther off than the sliver is wide.

struct NearPoint {
  /** From the origin. */
  point: vec3f,
  feature: u32,
}

/**
 * Off by at most 2^-18 of the distance to the farthest corner if no angle is within 2^-4 of a straight one; else by at
 * most the triangle's width.
 */
fn nearestOnTriangle(a: vec3f, b: vec3f, c: vec3f) -> NearPoint {
  let found = footInTriangle(a, b, c);
  if (found.feature != 0u) { return found; }
  // Along the normal, which is better than weights if the face is near. But with an angle near a straight one the
  // normal is not well known.
  let side = shorterSides(a, b, c);
  let n = cross(side.u, side.v);
  let square = dot(n, n);
  if (square < 0x1p-8 * dot(side.u, side.u) * dot(side.v, side.v)) { return found; }
  return NearPoint(n * (dot(n, side.start) / square), 0u);
}

/** The same as a convex combination of the corners: never nearer than the triangle is, except for rounding. */
fn footInTriangle(a: vec3f, b: vec3f, c: vec3f) -> NearPoint {
  var best = footOnEdge(a, b - a, 1u, 4u, 5u);
  best = nearerPoint(best, footOnEdge(b, c - b, 2u, 5u, 6u));
  best = nearerPoint(best, footOnEdge(c, a - c, 3u, 6u, 4u));
  let side = shorterSides(a, b, c);
  let n = cross(side.u, side.v);
  let square = dot(n, n);
  let s = dot(cross(side.v, side.start), n);
  let t = dot(cross(side.start, side.u), n);
  if (!(square > 0.0) || s <= 0.0 || t <= 0.0 || s + t >= square) { return best; }
  return nearerPoint(best, NearPoint(side.start + (s / square) * side.u + (t / square) * side.v, 0u));
}

/** The two shorter sides and the corner they start from. Among all pairs of sides, this one cancels least. */
struct Sides {
  start: vec3f,
  u: vec3f,
  v: vec3f,
}

fn shorterSides(a: vec3f, b: vec3f, c: vec3f) -> Sides {
  let ab = dot(b - a, b - a);
  let bc = dot(c - b, c - b);
  let ca = dot(a - c, a - c);
  if (ab >= bc && ab >= ca) { return Sides(c, a - c, b - c); }
  if (ca >= bc && ca >= ab) { return Sides(b, c - b, a - b); }
  return Sides(a, b - a, c - a);
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

/** A quotient clamped to [0, 1], whatever the rounding. */
fn share(part: f32, whole: f32) -> f32 {
  return clamp(select(0.0, part / whole, whole > 0.0), 0.0, 1.0);
}
