// Do two closed triangles share a point? The answer is certainly not, certainly, or unsure (Guigue and Devillers, "Fast
// and robust triangle-triangle overlap test using orientation predicates", 2003; bounds in filter.md). For degenerate
// and coplanar triangles the answer is never "certainly", but may be "certainly not".

const separate = 0u;
const meeting = 1u;
const unsure = 2u;

/** Two triangles relative to the first vertex of the first one, with bounds on the errors. */
struct TrianglePair {
  /** Edges from a's first vertex to its others, from b's to its others, and from a's first vertex to b's. */
  a1: vec3f,
  a2: vec3f,
  b1: vec3f,
  b2: vec3f,
  offset: vec3f,
  /** Largest error of a component of a's edges, of b's edges, of the offset. */
  errorA: f32,
  errorB: f32,
  errorOffset: f32,
}

fn trianglesMeet(pair: TrianglePair) -> u32 {
  let a1 = pair.a1;
  let a2 = pair.a2;
  let b0 = pair.offset;
  let b1 = b0 + pair.b1;
  let b2 = b0 + pair.b2;
  let lengthA = longer(a1, a2);
  let lengthB = longer(pair.b1, pair.b2);
  let lengthOffset = length(b0);
  // Lengths of b's vertices relative to a's first vertex, and of a's vertices relative to b's first.
  let termsB = lengthOffset + lengthB;
  let termsA = lengthOffset + lengthA;
  let errorToB = pair.errorOffset + pair.errorB + unit * termsB;
  let errorToA = pair.errorOffset + pair.errorA + unit * termsA;

  // Does a world axis separate them?
  let gap = 1.001 * (pair.errorA + errorToB + 4.0 * unit * (lengthA + termsB));
  let lowA = min(min(a1, a2), vec3f(0.0));
  let highA = max(max(a1, a2), vec3f(0.0));
  let lowB = min(min(b1, b2), b0);
  let highB = max(max(b1, b2), b0);
  if (any(lowB - highA > vec3f(gap)) || any(lowA - highB > vec3f(gap))) { return separate; }

  // Is all of one triangle strictly on one side of the other's plane?
  let normalA = cross(a1, a2);
  let sidesOfB = vec3f(dot(normalA, b0), dot(normalA, b1), dot(normalA, b2));
  let errorSidesOfB = determinantError(
    vec3f(lengthA, lengthA, longest(b0, b1, b2)), vec3f(pair.errorA, pair.errorA, errorToB), vec3f(lengthA, lengthA, termsB),
  );
  let signsB = certainSigns(sidesOfB, errorSidesOfB);
  if (all(signsB == vec3i(1)) || all(signsB == vec3i(-1))) { return separate; }
  let normalB = cross(pair.b1, pair.b2);
  let sidesOfA = vec3f(dot(normalB, -b0), dot(normalB, a1 - b0), dot(normalB, a2 - b0));
  let errorSidesOfA = determinantError(
    vec3f(lengthB, lengthB, longest(b0, a1 - b0, a2 - b0)), vec3f(pair.errorB, pair.errorB, errorToA),
    vec3f(lengthB, lengthB, termsA),
  );
  let signsA = certainSigns(sidesOfA, errorSidesOfA);
  if (all(signsA == vec3i(1)) || all(signsA == vec3i(-1))) { return separate; }

  if (all(signsA != vec3i(0)) && all(signsB != vec3i(0))) {
    let verdict = intervalsMeet(pair, signsA, signsB, lengthA, termsB, errorToB);
    if (verdict != unsure) { return verdict; }
  }
  let slack = 1.001 * (pair.errorA + errorToB + 16.0 * unit * (lengthA + termsB));
  if (separatedByAxis(pair, normalA, normalB, slack, lengthA + termsB)) { return separate; }
  return unsure;
}

/**
 * Both triangles cross the other's plane, so each cuts the planes' common line in an interval. Put the lone vertices p
 * first, on the positive side of the other's plane (if they are not, swap the other's last two vertices). Then the
 * intervals overlap iff two determinants are not positive.
 */
fn intervalsMeet(
  pair: TrianglePair, signsA: vec3i, signsB: vec3i, lengthA: f32, termsB: f32, errorToB: f32,
) -> u32 {
  let b0 = pair.offset;
  let loneA = loneVertex(signsA);
  let loneB = loneVertex(signsB);
  let a = rotated(vec3f(0.0), pair.a1, pair.a2, loneA);
  let b = rotated(b0, b0 + pair.b1, b0 + pair.b2, loneB);
  let swapA = signsB[loneB] < 0;
  let swapB = signsA[loneA] < 0;
  let pa = a[0];
  let qa = select(a[1], a[2], swapA);
  let ra = select(a[2], a[1], swapA);
  let pb = b[0];
  let qb = select(b[1], b[2], swapB);
  let rb = select(b[2], b[1], swapB);
  let first = dot(cross(pb - qa, pa - qa), qb - qa);
  let second = dot(cross(pb - pa, ra - pa), rb - pa);
  let terms = termsB + lengthA;
  let errorAcross = errorToB + pair.errorA + unit * terms;
  let errorEdge = 2.0 * (pair.errorA + unit * lengthA);
  let across = max(longer(pb - qa, qb - qa), longer(pb - pa, rb - pa));
  let error = determinantError(
    vec3f(across, longer(pa - qa, ra - pa), across), vec3f(errorAcross, errorEdge, errorAcross),
    vec3f(terms, 2.0 * lengthA, terms),
  );
  if (first > error || second > error) { return separate; }
  if (first < -error && second < -error) { return meeting; }
  return unsure;
}

/** Which of three signs differs from the other two. The signs are nonzero and not all equal. */
fn loneVertex(signs: vec3i) -> u32 {
  if (signs.x == signs.y) { return 2u; }
  return select(0u, 1u, signs.x == signs.z);
}

/** The three points in the same cyclic order, starting with number `first`. */
fn rotated(p: vec3f, q: vec3f, r: vec3f, first: u32) -> array<vec3f, 3> {
  if (first == 1u) { return array<vec3f, 3>(q, r, p); }
  if (first == 2u) { return array<vec3f, 3>(r, p, q); }
  return array<vec3f, 3>(p, q, r);
}

/**
 * Whether some axis certainly separates the triangles. The axes are each edge of one crossed with each edge of the
 * other, and in either plane the normals of its edges (for nearly coplanar triangles). Any vector is a valid axis, as
 * computed. Two errors remain. The projections are rounded. And a compiler may compute the axis e × f again for each
 * use, fused or not: between two uses its components differ by 4u·|e|₁|f|₁ in all, or twice that if e is itself the
 * cross product of edges p and q, with |p|₁|q|₁ for |e|₁. Coordinates up to `reach` multiply it, in both projections
 * compared: 16u·|e|₁|f|₁·reach, and as much again for its own rounding.
 */
fn separatedByAxis(
  pair: TrianglePair, normalA: vec3f, normalB: vec3f, slack: f32, reach: f32,
) -> bool {
  let edgesA = array<vec3f, 3>(pair.a1, pair.a2, pair.a2 - pair.a1);
  let edgesB = array<vec3f, 3>(pair.b1, pair.b2, pair.b2 - pair.b1);
  for (var i = 0u; i < 15u; i++) {
    var e = edgesA[(i / 3u) % 3u];
    var f = edgesB[i % 3u];
    var sizeE = size1(e);
    if (i >= 12u) { e = normalB; sizeE = size1(pair.b1) * size1(pair.b2); }
    else if (i >= 9u) { e = normalA; f = edgesA[i - 9u]; sizeE = size1(pair.a1) * size1(pair.a2); }
    let axis = cross(e, f);
    let a1 = dot(axis, pair.a1);
    let a2 = dot(axis, pair.a2);
    let b0 = dot(axis, pair.offset);
    let b1 = dot(axis, pair.offset + pair.b1);
    let b2 = dot(axis, pair.offset + pair.b2);
    let moved = 32.0 * unit * sizeE * size1(f) * reach;
    let bound = 1.001 * (slack * size1(axis) + moved) + 0x1p-100;
    if (min(min(b1, b2), b0) - max(max(a1, a2), 0.0) > bound) { return true; }
    if (min(min(a1, a2), 0.0) - max(max(b1, b2), b0) > bound) { return true; }
  }
  return false;
}

fn size1(v: vec3f) -> f32 {
  return abs(v.x) + abs(v.y) + abs(v.z);
}
