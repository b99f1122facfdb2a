// The distance of a sample from its layer in single precision, with the nearest triangle and its feature, where both are
// certain (certain-nearest.wgsl).
//
// Distances to faces are taken from the plane, or else from a point of the face; either only if it is off by less than
// 2^-17·A + 4ν, with A the largest coordinate of the corners relative to the sample and ν their error.

struct Answer {
  distance: f32,
  /** `nothing` if nothing is near enough, `undecided` if single precision cannot tell. */
  owner: u32,
  feature: u32,
}

fn cornerOf(leaf: u32, k: u32) -> vec4i { return storedCorner(leaf, k); }

fn mayReach(leaf: u32) -> bool { return mayReachInTree(leaf); }

/** Searches the first layer for triangles nearer than `reach`, and skips those farther than `bound`. */
fn certainNearest(place: vec3i, reach: f32, bound: f32) -> Answer {
  if (layers[0].leafCount == 0u) { return Answer(0.0, nothing, 0u); }
  let unsure = Answer(0.0, undecided, 0u);
  keepNearest(place, bound);
  if (keptCount == 0u) { return Answer(0.0, select(undecided, nothing, bound > reach), 0u); }
  let chosen = chooseNearest();
  if (chosen.triangle == undecided) { return unsure; }
  let t = seenLeaf(chosen.leaf);
  let distance = distanceTo(t, chosen.feature);
  let far = sqrt(max(max(dot(t.a, t.a), dot(t.b, t.b)), dot(t.c, t.c)));
  // The distance is neither certainly less than `reach` nor certainly more.
  if (distance < 0.0 || abs(distance - reach) <= 0x1p-16 * far + 4.0 * layers[0].rest.w) { return unsure; }
  if (distance > reach) { return Answer(0.0, nothing, 0u); }
  return Answer(distance, chosen.triangle, chosen.feature);
}

/** The distance to the feature, or a negative number if it is not well known. */
fn distanceTo(t: Seen, feature: u32) -> f32 {
  if (feature >= 4u) {
    return length(select(select(t.c, t.b, feature == 5u), t.a, feature == 4u));
  }
  if (feature == 0u) { return faceDistance(t); }
  let start = select(select(t.c, t.b, feature == 2u), t.a, feature == 1u);
  let edge = select(select(t.ca, t.bc, feature == 2u), t.ab, feature == 1u);
  let end = select(select(t.a, t.c, feature == 2u), t.b, feature == 1u);
  let way = select(start, end, dot(end, end) < dot(start, start));
  return length(cross(way, edge)) / length(edge);
}

/**
 * The distance by the face's plane, or by a point of the face. The first is better near the face, the second far from a
 * small one.
 */
fn faceDistance(t: Seen) -> f32 {
  let far = sqrt(max(max(dot(t.a, t.a), dot(t.b, t.b)), dot(t.c, t.c)));
  let wanted = 0x1p-17 * far + 2.0 * layers[0].rest.w;
  let n = normalOf(t);
  let size = length(n.xyz);
  let corner = nearestCorner(t);
  if (n.w <= 0x1p-18 * size && (2.0 * n.w / size + 0x1p-20) * length(corner) <= wanted) {
    return abs(dot(n.xyz, corner)) / size;
  }
  let found = footInTriangle(t.a, t.b, t.c).point;
  let distance = length(found);
  let along = min(min(dot(found, t.a), dot(found, t.b)), dot(found, t.c));
  return select(-1.0, distance, distance - along / distance + 14.0 * 0x1p-23 * far <= wanted);
}
