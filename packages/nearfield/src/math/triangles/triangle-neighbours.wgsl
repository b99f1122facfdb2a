// Do two triangles of one mesh with common vertices share more than those? They have one common position p, or two, p
// and q. All vectors start at p, which is the same point for both triangles, so no offset enters. As for triangles
// without common vertices, `unsure` is always a valid answer (bounds in filter.md).

/** Triangles (p, a1, a2) and (p, b1, b2), as vectors from p with components off by at most `error`. */
fn meetBeyondVertex(a1: vec3f, a2: vec3f, b1: vec3f, b2: vec3f, error: f32) -> u32 {
  let lengthA = longer(a1, a2);
  let lengthB = longer(b1, b2);
  let normalA = cross(a1, a2);
  let lengthsB = vec3f(lengthA, lengthA, lengthB);
  let errorB = determinantError(lengthsB, vec3f(error), lengthsB);
  let sideB1 = certainSign(dot(normalA, b1), errorB);
  let sideB2 = certainSign(dot(normalA, b2), errorB);
  // If the far edge is strictly on one side of the other's plane, the triangles share only p.
  if (sideB1 * sideB2 > 0) { return separate; }
  let normalB = cross(b1, b2);
  let lengthsA = vec3f(lengthB, lengthB, lengthA);
  let errorA = determinantError(lengthsA, vec3f(error), lengthsA);
  let sideA1 = certainSign(dot(normalB, a1), errorA);
  let sideA2 = certainSign(dot(normalB, a2), errorA);
  if (sideA1 * sideA2 > 0) { return separate; }
  if (sideB1 * sideB2 < 0 && sideA1 * sideA2 < 0) {
    // Each triangle meets the planes' common line in a segment from p. With N = a1 × a2 and M = b1 × b2,
    // N × M = b1·(N·b2) − b2·(N·b1) = a2·(M·a1) − a1·(M·a2): the segment of b runs along −sign(N·b1)·(N × M),
    // that of a along sign(M·a1)·(N × M). They run the same way iff the two signs differ.
    return select(separate, meeting, sideB1 != sideA1);
  }
  // Nearly coplanar: look for a plane through p that strictly separates the triangles. Any normal will do.
  let between = unitSum(a1, a2) - unitSum(b1, b2);
  if (splits(between, a1, a2, b1, b2, error)) { return separate; }
  let normal = normalA / max(largest(normalA), 0x1p-60);
  for (var i = 0u; i < 2u; i++) {
    if (splits(cross(normal, select(a1, a2, i == 1u)) + 0x1p-6 * between, a1, a2, b1, b2, error)) { return separate; }
  }
  return unsure;
}

/** Triangles (p, q, a) and (p, q, b), as vectors from p. */
fn meetBeyondEdge(q: vec3f, a: vec3f, b: vec3f, error: f32) -> u32 {
  let lengthQ = length(q);
  let lengthA = length(a);
  let lengthB = length(b);
  let normal = cross(q, a);
  // If b is off the plane of p, q, a, the planes meet only in the line pq, and each triangle has just the edge on that
  // line.
  let lengths = vec3f(lengthQ, lengthA, lengthB);
  if (certainSign(dot(normal, b), determinantError(lengths, vec3f(error), lengths)) != 0) { return separate; }
  // Take the plane through p and q along some direction n, and test whether a and b are strictly on different sides.
  // The direction counts as exact, as computed; p and q lie on the plane by definition.
  let direction = normal / max(largest(normal), 0x1p-60);
  let across = cross(q, direction);
  let acrossLengths = vec3f(lengthQ, 1.7321, max(lengthA, lengthB));
  let bound = determinantError(acrossLengths, vec3f(error, 0.0, error), acrossLengths);
  if (certainSign(dot(across, a), bound) * certainSign(dot(across, b), bound) < 0) { return separate; }
  return unsure;
}

/** Whether a1, a2 and b1, b2 are certainly on different sides of the plane through p with this normal. */
fn splits(normal: vec3f, a1: vec3f, a2: vec3f, b1: vec3f, b2: vec3f, error: f32) -> bool {
  let size = max(max(largest(a1), largest(a2)), max(largest(b1), largest(b2)));
  let bound = 1.001 * (abs(normal.x) + abs(normal.y) + abs(normal.z)) * (error + 16.0 * unit * size) + 0x1p-100;
  let a = min(dot(normal, a1), dot(normal, a2));
  let b = max(dot(normal, b1), dot(normal, b2));
  return a > bound && b < -bound;
}

/** Sum of two normalised vectors. A vector too short to be normalised is only scaled. */
fn unitSum(v: vec3f, w: vec3f) -> vec3f {
  return v / max(length(v), 0x1p-60) + w / max(length(w), 0x1p-60);
}
