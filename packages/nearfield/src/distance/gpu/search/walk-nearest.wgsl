// Distances between a leaf of the walking body and the boxes and leaves of the other's tree. The module that defines
// `visitLeaves` decides what to do with a leaf pair.
//
// The boxes of the triangle and of a node are compared in either local frame, enlarged by the frame's slack: the gaps
// between them are at most the true ones (filter.md). The root of the sum of their squares, times the frame's metric,
// is at most the distance. The metric (slack.w) is 2^-19 smaller than it may be, to allow for the roundings here.
// Gaps are multiplied by the metric before they are squared: in the frame of a thin body they are up to 2^75 times as
// long, and single precision cannot hold their squares.

struct Walker {
  /** The triangle's box in the other's frame, with slack. */
  low: vec3f,
  high: vec3f,
  /** Rows from the other's frame into the triangle's own. */
  x: vec4f,
  y: vec4f,
  z: vec4f,
  /** Half the size of its box there, with slack. */
  half: vec3f,
  metric: f32,
  otherMetric: f32,
  /**
   * Whether the bodies are far apart. Then x is the other body's row, and x.w is added to the values that it gives boxes
   * (far-distance.wgsl).
   */
  far: bool,
}

fn walkerOf(candidate: u32, leaf: u32) -> Walker {
  let side = frames[candidate].walker;
  let other = 1u - side;
  let leafOffset = select(frames[candidate].leafOffsetA, frames[candidate].leafOffsetB, side == 1u);
  let corner = 3u * (leafOffset + leaf);
  let p = vec3f(leaves[corner].xyz) * 0x1p-29;
  let q = vec3f(leaves[corner + 1u].xyz) * 0x1p-29;
  let r = vec3f(leaves[corner + 2u].xyz) * 0x1p-29;
  let ownLow = min(min(p, q), r);
  let ownHigh = max(max(p, q), r);
  var walker: Walker;
  if (frames[candidate].far == 1u) {
    walker.far = true;
    let own = leastAlong(frames[candidate].into[side].xyz, boxBetween(ownLow, ownHigh));
    walker.x = vec4f(frames[candidate].into[other].xyz, frames[candidate].into[0].w + own);
    return walker;
  }
  let mx = frames[candidate].into[3u * other];
  let my = frames[candidate].into[3u * other + 1u];
  let mz = frames[candidate].into[3u * other + 2u];
  let mappedP = vec3f(dot(mx.xyz, p) + mx.w, dot(my.xyz, p) + my.w, dot(mz.xyz, p) + mz.w);
  let mappedQ = vec3f(dot(mx.xyz, q) + mx.w, dot(my.xyz, q) + my.w, dot(mz.xyz, q) + mz.w);
  let mappedR = vec3f(dot(mx.xyz, r) + mx.w, dot(my.xyz, r) + my.w, dot(mz.xyz, r) + mz.w);
  let otherSlack = frames[candidate].slack[other];
  let ownSlack = frames[candidate].slack[side];
  walker.low = min(min(mappedP, mappedQ), mappedR) - otherSlack.xyz;
  walker.high = max(max(mappedP, mappedQ), mappedR) + otherSlack.xyz;
  walker.otherMetric = otherSlack.w;
  walker.x = frames[candidate].into[3u * side];
  walker.y = frames[candidate].into[3u * side + 1u];
  walker.z = frames[candidate].into[3u * side + 2u];
  let middle = 0.5 * (ownLow + ownHigh);
  walker.x.w -= middle.x;
  walker.y.w -= middle.y;
  walker.z.w -= middle.z;
  walker.half = 0.5 * (ownHigh - ownLow) + ownSlack.xyz;
  walker.metric = ownSlack.w;
  return walker;
}

/** A lower bound on the distance of the triangle from a box of the other tree, by gaps in the box's frame. */
fn gapDistance(walker: Walker, low: vec3f, high: vec3f) -> f32 {
  if (walker.far) { return walker.x.w + leastAlong(walker.x.xyz, boxBetween(low, high)); }
  return length(max(max(low - walker.high, walker.low - high), vec3f(0.0)) * walker.otherMetric);
}

/** The same, by gaps in the triangle's own frame. */
fn ownDistance(walker: Walker, low: vec3f, high: vec3f) -> f32 {
  if (walker.far) { return 0.0; }
  let middle = 0.5 * (low + high);
  let half = 0.5 * (high - low);
  let place = vec3f(
    dot(walker.x.xyz, middle) + walker.x.w,
    dot(walker.y.xyz, middle) + walker.y.w,
    dot(walker.z.xyz, middle) + walker.z.w,
  );
  let reach = vec3f(
    dot(abs(walker.x.xyz), half), dot(abs(walker.y.xyz), half), dot(abs(walker.z.xyz), half)) + walker.half;
  let ownGap = max(abs(place) - reach, vec3f(0.0));
  return length(ownGap * walker.metric);
}

fn leafDistance(candidate: u32, leafA: u32, leafB: u32, bound: f32) -> Bounds {
  if (frames[candidate].far == 1u) { return farTriangles(candidate, leafA, leafB); }
  return triangleDistance(leafPair(candidate, leafA, leafB), bound);
}

fn leafPair(candidate: u32, leafA: u32, leafB: u32) -> TrianglePair {
  let a = 3u * (frames[candidate].leafOffsetA + leafA);
  let b = 3u * (frames[candidate].leafOffsetB + leafB);
  return relativeTriangles(candidate,
    array<vec4i, 3>(leaves[a], leaves[a + 1u], leaves[a + 2u]),
    array<vec4i, 3>(leaves[b], leaves[b + 1u], leaves[b + 2u]));
}
