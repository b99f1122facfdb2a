// Finds the triangle of a body nearest to a point, the lowest of those that are exactly equally near, and its feature; or
// finds that single precision cannot tell. A traversal keeps the triangles that may be the nearest. Then features
// decide. The body is the first of `layers`, with the fields of bvh/gpu/units. The module that searches defines
//   fn cornerOf(leaf: u32, k: u32) -> vec4i   a corner in units and its number,
//   fn mayReach(leaf: u32) -> bool            false if a leaf is certainly beyond the bound: cheaper than to measure it.
//
// Errors of corners. Relative to the point they are integers, known to ν units (`rest.w`) on each axis, then rounded
// to single precision. With A their largest coordinate, δ = ν + 2^-23·A. Differences of corners are taken before they
// become single, so an edge is off by 2ν and 2^-23 of itself. Every WGSL operation is off by 2^-23.
//
// Bounds. With g the computed nearest point, a convex combination of the corners, distance ≤ |g| + slack and distance ≥
// min(g·a, g·b, g·c)/|g| − slack, slack = √3·δ + 14·2^-23·√3·A, as in triangle-distance.wgsl. A face's plane gives a
// second lower bound: |n·a|/|n|. With e and f the two shorter sides, n = e × f is off by N = 3.6ν·(|e| + |f| + 3.6ν) +
// 2^-21·|e||f|, so n·a by |a|·N and 2^-21·|n||a|, and |n| by N: the quotient is off by less than (2·N/|n| + 2^-20)·|a|
// if N ≤ 2^-18·|n|. Otherwise the plane is not used.
//
// Features. A sign is certain if the value exceeds its error. With A now the length of the longest vector to a corner
// and E the error of an edge, 3.6·ν + 2^-23·U: dot products of an edge and such a vector are off by √3·δ·U + A·E +
// 2^-21·A·U; cross products of the two likewise; n by 2·U·E + 2^-21·U². The side of an edge is a product of the last
// two.
//
// A triangle's nearest point is unique. Let T have an edge or corner F, but its nearest point certainly on another
// feature. Then T is nearer than every triangle whose nearest point is on F. And triangles with the same nearest edge
// or corner are equally near. Two corners are the same if they have the same number (store-vertices.wgsl). If all
// triangles that are not beaten in this way have one feature, the lowest of them is the answer.

const mostKept = 16u;
const unknownFeature = 7u;

/**
 * The state of the traversal (nearer-first.wgsl): the point, its place in the tree, and an upper bound of the nearest
 * distance.
 */
var<private> walkPlace: vec3i;
var<private> walkSpot: PlaceInTree;
var<private> walkBound: f32;
/** The leaf that gave the bound. */
var<private> walkLeaf: u32;

const nothing = 0xffffffffu;
const undecided = 0xfffffffeu;

/** Keeps the leaves that may be the nearest, of those that may be within the bound; too many if there are more than `mostKept`. */
fn keepNearest(place: vec3i, bound: f32) {
  keptCount = 0u;
  walkPlace = place;
  walkSpot = placeInTree(0u, place);
  walkBound = bound;
  walkNearerFirst(layers[0].depth, layers[0].leafCount);
}

/** An upper bound of the distance of a point from a leaf. */
fn mostDistance(place: vec3i, leaf: u32) -> f32 {
  walkPlace = place;
  let t = seenLeaf(leaf);
  return length(footInTriangle(t.a, t.b, t.c).point) + slackOf(t);
}

/** The squared distance to a node's box; the limit is squared, too. */
fn nodeDistance(node: u32) -> f32 {
  return boxSquared(layers[0].nodeOffset + node, walkSpot.q);
}

fn nearEnough() -> f32 {
  if (keptCount > mostKept) { return -1.0; }
  return limitOf(walkBound * walkBound, layers[0].mostShrink, walkSpot.slack);
}

/** A leaf relative to the point: its corners, its edges ab, bc and ca, and the error of its corners' coordinates. */
struct Seen {
  a: vec3f,
  b: vec3f,
  c: vec3f,
  ab: vec3f,
  bc: vec3f,
  ca: vec3f,
  numbers: vec3u,
  off: f32,
}

fn seenLeaf(leaf: u32) -> Seen {
  let first = cornerOf(leaf, 0u);
  let second = cornerOf(leaf, 1u);
  let third = cornerOf(leaf, 2u);
  let a = first.xyz - walkPlace;
  let b = second.xyz - walkPlace;
  let c = third.xyz - walkPlace;
  let far = max(max(abs(vec3f(a)), abs(vec3f(b))), abs(vec3f(c)));
  let numbers = vec3u(vec3i(first.w, second.w, third.w));
  let off = 1.001 * (layers[0].rest.w + 0x1p-23 * max(max(far.x, far.y), far.z));
  return Seen(vec3f(a), vec3f(b), vec3f(c), vec3f(b - a), vec3f(c - b), vec3f(a - c), numbers, off);
}

fn slackOf(t: Seen) -> f32 {
  let far = sqrt(max(max(dot(t.a, t.a), dot(t.b, t.b)), dot(t.c, t.c)));
  return 1.001 * (1.7321 * t.off + 14.0 * 0x1p-23 * far);
}

/** A corner as the tree has it, converted. */
fn storedCorner(leaf: u32, k: u32) -> vec4i {
  let stored = leaves[3u * (layers[0].leafOffset + leaf) + k];
  return vec4i(vertexInUnits(0u, stored.xyz), stored.w);
}

/**
 * Whether the triangle may lie within the bound along the direction to its middle, in the tree's frame: that needs no
 * conversion. Corners and their products are off by 2^-20 of the lengths involved.
 */
fn mayReachInTree(leaf: u32) -> bool {
  let at = 3u * (layers[0].leafOffset + leaf);
  let a = vec3f(leaves[at].xyz) * 0x1p-29 - walkSpot.q;
  let b = vec3f(leaves[at + 1u].xyz) * 0x1p-29 - walkSpot.q;
  let c = vec3f(leaves[at + 2u].xyz) * 0x1p-29 - walkSpot.q;
  let way = a + b + c;
  let along = min(min(dot(way, a), dot(way, b)), dot(way, c));
  let reach = walkBound * layers[0].mostShrink * (1.0 + 0x1p-18) + walkSpot.slack;
  return along <= (reach + 0x1p-20 * (2.0 + length(walkSpot.q))) * length(way) * (1.0 + 0x1p-20);
}

fn reachLeaf(leaf: u32) {
  if (keptCount > mostKept || !mayReach(leaf)) { return; }
  let t = seenLeaf(leaf);
  let found = footInTriangle(t.a, t.b, t.c);
  let distance = length(found.point);
  let slack = slackOf(t);
  var least = planeDistance(t) - slack;
  if (distance > 0x1p-20) {
    let along = min(min(dot(found.point, t.a), dot(found.point, t.b)), dot(found.point, t.c));
    least = max(least, along / distance - slack);
  }
  if (least > walkBound) { return; }
  let bound = min(walkBound, distance + slack);
  if (bound < walkBound) {
    walkBound = bound;
    walkLeaf = leaf;
    dropBeyond(bound);
  }
  keepLeaf(leaf, least);
}

/** A lower bound of the distance to the triangle's plane, minus the slack; 0 if the plane is not well known. */
fn planeDistance(t: Seen) -> f32 {
  let n = normalOf(t);
  let size = length(n.xyz);
  if (!(n.w <= 0x1p-18 * size)) { return 0.0; }
  let corner = nearestCorner(t);
  return abs(dot(n.xyz, corner)) / size - (2.0 * n.w / size + 0x1p-20) * length(corner);
}

fn nearestCorner(t: Seen) -> vec3f {
  var best = t.a;
  if (dot(t.b, t.b) < dot(best, best)) { best = t.b; }
  if (dot(t.c, t.c) < dot(best, best)) { best = t.c; }
  return best;
}

/** The normal from the two shorter sides, along ab × ac; w bounds the error of its length. */
fn normalOf(t: Seen) -> vec4f {
  let ab = dot(t.ab, t.ab);
  let bc = dot(t.bc, t.bc);
  let ca = dot(t.ca, t.ca);
  var u = t.ab;
  var v = -t.ca;
  if (ab >= bc && ab >= ca) {
    u = t.ca;
    v = -t.bc;
  } else if (ca >= bc && ca >= ab) {
    u = t.bc;
    v = -t.ab;
  }
  let long = sqrt(max(dot(u, u), dot(v, v)));
  let short = sqrt(min(dot(u, u), dot(v, v)));
  let noise = 3.6 * layers[0].rest.w;
  return vec4f(cross(u, v), 1.001 * ((long + short + noise) * noise + 0x1p-21 * long * short));
}

/** The sign of a value that is off by at most `error`; 0 if it is not certain. */
fn certainSign(value: f32, error: f32) -> i32 {
  return select(0, 1, value > error) - select(0, 1, value < -error);
}

/** The feature that is certainly the nearest; `unknownFeature` if signs are not certain. */
fn certainFeature(t: Seen) -> u32 {
  let far = sqrt(max(max(dot(t.a, t.a), dot(t.b, t.b)), dot(t.c, t.c)));
  let long = sqrt(max(max(dot(t.ab, t.ab), dot(t.bc, t.bc)), dot(t.ca, t.ca)));
  let edge = 3.6 * layers[0].rest.w + 0x1p-23 * long;
  let error = 1.001 * (1.7321 * t.off * long + far * edge + 0x1p-21 * far * long);
  // The position relative to each corner along the edge that starts there, and along the edge that ends there,
  // reversed.
  let aAb = certainSign(-dot(t.a, t.ab), error);
  let aAc = certainSign(dot(t.a, t.ca), error);
  let bBc = certainSign(-dot(t.b, t.bc), error);
  let bBa = certainSign(dot(t.b, t.ab), error);
  let cCa = certainSign(-dot(t.c, t.ca), error);
  let cCb = certainSign(dot(t.c, t.bc), error);
  if (aAb < 0 && aAc < 0) { return 4u; }
  if (bBc < 0 && bBa < 0) { return 5u; }
  if (cCa < 0 && cCb < 0) { return 6u; }
  let n = normalOf(t);
  let area = length(n.xyz);
  let sideAb = inward(n, area, cross(t.a, t.ab), error);
  let sideBc = inward(n, area, cross(t.b, t.bc), error);
  let sideCa = inward(n, area, cross(t.c, t.ca), error);
  if (sideAb < 0 && aAb > 0 && bBa > 0) { return 1u; }
  if (sideBc < 0 && bBc > 0 && cCb > 0) { return 2u; }
  if (sideCa < 0 && cCa > 0 && aAc > 0) { return 3u; }
  if (sideAb > 0 && sideBc > 0 && sideCa > 0) { return 0u; }
  return unknownFeature;
}

fn inward(n: vec4f, area: f32, across: vec3f, error: f32) -> i32 {
  let size = length(across);
  let off = 1.001 * (area * error + size * n.w + n.w * error + 0x1p-21 * area * size);
  return certainSign(dot(n.xyz, across), off);
}

/** The numbers of a feature's corners, the lower first. A corner has its number twice, a face none. */
fn featureNumbers(t: Seen, feature: u32) -> vec2u {
  var first = 0u;
  var last = 0u;
  switch (feature) {
    case 1u: { first = t.numbers.x; last = t.numbers.y; }
    case 2u: { first = t.numbers.y; last = t.numbers.z; }
    case 3u: { first = t.numbers.z; last = t.numbers.x; }
    case 4u: { first = t.numbers.x; last = first; }
    case 5u: { first = t.numbers.y; last = first; }
    case 6u: { first = t.numbers.z; last = first; }
    default: { first = 0xffffffffu; last = 0xfffffffeu; }
  }
  return vec2u(min(first, last), max(first, last));
}

var<private> keptNumbers: array<vec2u, 16>;
var<private> keptCorners: array<vec3u, 16>;

fn has(corners: vec3u, number: u32) -> bool {
  return any(corners == vec3u(number));
}

/** The nearest of the kept leaves: its leaf, triangle and feature. The triangle is `undecided` if that is not certain. */
struct Chosen {
  leaf: u32,
  triangle: u32,
  feature: u32,
}

fn chooseNearest() -> Chosen {
  let unsure = Chosen(0u, undecided, 0u);
  if (keptCount > mostKept) { return unsure; }
  for (var k = 0u; k < keptCount; k++) {
    let t = seenLeaf(keptLeaves[k]);
    let feature = certainFeature(t);
    if (feature == unknownFeature) { return unsure; }
    keptNumbers[k] = featureNumbers(t, feature);
    keptCorners[k] = t.numbers;
  }
  var chosen = keptCount;
  var lowest = nothing;
  for (var k = 0u; k < keptCount; k++) {
    let own = keptNumbers[k];
    let isFace = own.y == 0xffffffffu;
    var beaten = false;
    for (var j = 0u; j < keptCount && !isFace; j++) {
      let shares = has(keptCorners[j], own.x) && has(keptCorners[j], own.y);
      beaten = beaten || (shares && any(keptNumbers[j] != own));
    }
    if (beaten) { continue; }
    if (chosen < keptCount && (isFace || any(keptNumbers[chosen] != own))) { return unsure; }
    let triangle = order[layers[0].leafOffset + keptLeaves[k]];
    if (chosen == keptCount || triangle < lowest) {
      chosen = k;
      lowest = triangle;
    }
  }
  if (chosen == keptCount) { return unsure; }
  let leaf = keptLeaves[chosen];
  // Computed twice, it may be certain once and not the second time.
  let feature = certainFeature(seenLeaf(leaf));
  if (feature == unknownFeature) { return unsure; }
  return Chosen(leaf, lowest, feature);
}
