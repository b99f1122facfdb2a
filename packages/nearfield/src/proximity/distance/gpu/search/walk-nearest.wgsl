// One thread walks the other body's tree from a leaf of the walking one: the nearer child first, the other kept on a
// stack, what is farther than the bound left out. What a leaf pair is good for is said by the module that defines `visitLeaves`.
//
// The triangle's box and a node's, in either local frame, enlarged by the frame's slack: gaps between them are no more than
// the true ones (filter.md), and the root of the sum of their squares times the frame's metric (slack.w, which is
// 2^-19 short of what it may be, for the roundings here) is no more than the distance.

struct Walker {
  /** The triangle's box in the other's frame, with slack. */
  low: vec3f,
  high: vec3f,
  /** Rows from the other's frame into the triangle's own. */
  x: vec4f,
  y: vec4f,
  z: vec4f,
  /** Half of its box there, with slack. */
  half: vec3f,
  metric: f32,
  otherMetric: f32,
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
  let mx = frames[candidate].into[3u * other];
  let my = frames[candidate].into[3u * other + 1u];
  let mz = frames[candidate].into[3u * other + 2u];
  let mappedP = vec3f(dot(mx.xyz, p) + mx.w, dot(my.xyz, p) + my.w, dot(mz.xyz, p) + mz.w);
  let mappedQ = vec3f(dot(mx.xyz, q) + mx.w, dot(my.xyz, q) + my.w, dot(mz.xyz, q) + mz.w);
  let mappedR = vec3f(dot(mx.xyz, r) + mx.w, dot(my.xyz, r) + my.w, dot(mz.xyz, r) + mz.w);
  let otherSlack = frames[candidate].slack[other];
  let ownSlack = frames[candidate].slack[side];
  var walker: Walker;
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

/** No more than the distance of the triangle from what the node holds. */
fn nodeDistance(walker: Walker, node: u32, bound: f32) -> f32 {
  let low = nodes[2u * node].xyz;
  let high = nodes[2u * node + 1u].xyz;
  let gap = max(max(low - walker.high, walker.low - high), vec3f(0.0));
  let distance = length(gap) * walker.otherMetric;
  if (distance > bound) { return distance; }
  return max(distance, ownDistance(walker, low, high));
}

/** The same by gaps in the triangle's own frame. */
fn ownDistance(walker: Walker, low: vec3f, high: vec3f) -> f32 {
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
  return length(ownGap) * walker.metric;
}

/** Goes on until nothing nearer is left, or about `budget` boxes have been tested. Returns how many were. */
fn walkNearest(candidate: u32, leaf: u32, budget: u32) -> u32 {
  let side = frames[candidate].walker;
  let nodeOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, side == 0u);
  let leafCount = select(frames[candidate].leafCountA, frames[candidate].leafCountB, side == 0u);
  let depth = select(frames[candidate].depthA, frames[candidate].depthB, side == 0u);
  let walker = walkerOf(candidate, leaf);
  let reach = bitcast<f32>(frames[candidate].linear[0].w);
  var bound = boundWithin(candidate, reach);
  var stack: array<vec2u, 32>;
  var top = 0u;
  var node = 1u;
  var tests = 0u;
  loop {
    let level = firstLeadingBit(node);
    if (level == depth) {
      let found = node - (1u << depth);
      visitLeaves(candidate, select(leaf, found, side == 1u), select(found, leaf, side == 1u), bound);
    } else {
      let child = 2u * node;
      let below = depth - level - 1u;
      let count = (leafCount + (1u << below) - 1u) >> below;
      let left = nodeDistance(walker, nodeOffset + child, bound);
      var right = unknownDistance;
      if (child + 1u - (2u << level) < count) { right = nodeDistance(walker, nodeOffset + child + 1u, bound); }
      tests += 2u;
      let swapped = right < left;
      let near = select(left, right, swapped);
      let far = select(right, left, swapped);
      if (near <= bound) {
        if (far <= bound) {
          stack[top] = vec2u(child + select(1u, 0u, swapped), bitcast<u32>(far));
          top++;
        }
        node = child + select(0u, 1u, swapped);
        continue;
      }
    }
    // Back to the last that is still near enough.
    bound = boundWithin(candidate, reach);
    var more = false;
    while (top > 0u) {
      top--;
      if (bitcast<f32>(stack[top].y) <= bound) {
        node = stack[top].x;
        more = true;
        break;
      }
    }
    // 0: triangles meet or may, and nothing more is asked of the pair.
    if (!more || bound <= 0.0 || tests >= budget) { break; }
  }
  return tests;
}

fn leafPair(candidate: u32, leafA: u32, leafB: u32) -> TrianglePair {
  let a = 3u * (frames[candidate].leafOffsetA + leafA);
  let b = 3u * (frames[candidate].leafOffsetB + leafB);
  return relativeTriangles(candidate,
    array<vec4i, 3>(leaves[a], leaves[a + 1u], leaves[a + 2u]),
    array<vec4i, 3>(leaves[b], leaves[b + 1u], leaves[b + 2u]));
}
