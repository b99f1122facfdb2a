// Finds bodies that certainly contain no part of the other, for pairs of which no triangles are known to meet. Rays
// start at corners of one body and go along the axes of the other's frame, in both directions, each from a corner
// that lies far out in that direction. A solid is bounded, so every ray from a point in it meets its surface: one ray
// that misses all leaf boxes proves its corner outside. If the body is in one piece and the surfaces do not meet,
// then all of the body is outside (interferences/answer/found.ts). If no ray misses them all, nothing is known.

@group(0) @binding(0) var<storage, read> frames: array<Frame>;
@group(0) @binding(1) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> results: array<atomic<u32>>;

/** Six rays per body. */
const rays = 12u;
/** The reach of a box that does not exist. */
const nowhere = -0x1p100;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  // If there are more candidates than capacity, the query will be run again.
  let count = min(atomicLoad(&results[candidatesAt]), arrayLength(&frames));
  for (var item = id.x; item < rays * count; item += groups.x * 64u) {
    let candidate = item / rays;
    let ray = item % rays;
    let side = ray / 6u;
    let word = atomicLoad(&results[resultHead + candidate]);
    // Skip the candidate if it is apart, if something was found, or if another ray has proved it.
    if ((word != 0u && (word & ~bothOutside) != outsideWord) || isProven(candidate, side)) { continue; }
    if (comesThrough(candidate, side, (ray % 6u) / 2u, ray % 2u == 1u)) {
      atomicOr(&results[resultHead + candidate], outsideWord | (firstOutside << side));
    }
  }
}

/**
 * Whether a ray from a corner of one side along an axis of the other's frame misses all leaf boxes. Let n be the rows
 * of the other's inverse. The frame's slack bounds the error of n·(a vertex) for both sides, as in walk-tree.wgsl. On
 * a line at right angles to two of the rows, n·x is constant for these two; for the third row it is, on one half of
 * the line, not less than at the corner. So if a triangle meets that half, its box, widened by the slack, contains
 * the two constant values and reaches at least as far along the third.
 */
fn comesThrough(candidate: u32, side: u32, axis: u32, forward: bool) -> bool {
  let other = 1u - side;
  let nodeOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, other == 1u);
  let count = select(frames[candidate].leafCountA, frames[candidate].leafCountB, other == 1u);
  let depth = select(frames[candidate].depthA, frames[candidate].depthB, other == 1u);
  let p = cornerFarOut(candidate, side, frames[candidate].into[3u * other + axis].xyz * select(-1.0, 1.0, forward));
  let mx = frames[candidate].into[3u * other];
  let my = frames[candidate].into[3u * other + 1u];
  let mz = frames[candidate].into[3u * other + 2u];
  let start = vec3f(dot(mx.xyz, p) + mx.w, dot(my.xyz, p) + my.w, dot(mz.xyz, p) + mz.w);
  let slack = frames[candidate].slack[other].xyz;
  var low = start - slack;
  var high = start + slack;
  if (forward) { high[axis] = 0x1p100; } else { low[axis] = -0x1p100; }
  if (!meets(2u * (nodeOffset + 1u), low, high)) { return true; }
  var path = Path(1u, depth, vec2u(0u));
  for (var steps = 1u; ; steps++) {
    // The tree's root is its only leaf.
    if (path.height == 0u) { return false; }
    let down = stepDown(path.height);
    let below = path.height - down;
    let first = path.node << down;
    let there = existing(first, down, below, depth, count);
    let at = 2u * (nodeOffset + first);
    var entered = u32(meets(at, low, high));
    entered |= u32(meets(at + 2u, low, high)) << 1u;
    entered |= u32(meets(at + 4u, low, high)) << 2u;
    entered |= u32(meets(at + 6u, low, high)) << 3u;
    entered &= (1u << there) - 1u;
    if (entered != 0u) {
      if (below == 0u) { return false; }
      enter(&path, first, below, entered);
    } else if (!enterNext(&path)) { return true; }
    // Stop if another ray of the same body has proved it.
    if (steps % 8u == 0u && isProven(candidate, side)) { return false; }
  }
}

/** How many of the two or four nodes from number `first` on, one or two levels down, exist. */
fn existing(first: u32, down: u32, height: u32, depth: u32, count: u32) -> u32 {
  let onLevel = (count + (1u << height) - 1u) >> height;
  return min(1u << down, onLevel - (first - (1u << (depth - height))));
}

/**
 * A corner of one side that lies about as far as any along a direction of its own frame. Among every four nodes, the
 * one whose box reaches farthest is taken. If the corner lies beyond the whole other body, the ray misses it at once.
 */
fn cornerFarOut(candidate: u32, side: u32, direction: vec3f) -> vec3f {
  let nodeOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, side == 1u);
  let leafOffset = select(frames[candidate].leafOffsetA, frames[candidate].leafOffsetB, side == 1u);
  let count = select(frames[candidate].leafCountA, frames[candidate].leafCountB, side == 1u);
  let depth = select(frames[candidate].depthA, frames[candidate].depthB, side == 1u);
  var path = Path(1u, depth, vec2u(0u));
  while (path.height > 0u) {
    let down = stepDown(path.height);
    let below = path.height - down;
    let first = path.node << down;
    let there = existing(first, down, below, depth, count);
    let at = 2u * (nodeOffset + first);
    let reach0 = reachOf(nodes[at].xyz, nodes[at + 1u].xyz, direction);
    let reach1 = select(nowhere, reachOf(nodes[at + 2u].xyz, nodes[at + 3u].xyz, direction), there > 1u);
    let reach2 = select(nowhere, reachOf(nodes[at + 4u].xyz, nodes[at + 5u].xyz, direction), there > 2u);
    let reach3 = select(nowhere, reachOf(nodes[at + 6u].xyz, nodes[at + 7u].xyz, direction), there > 3u);
    let farther = max(reach2, reach3) > max(reach0, reach1);
    path.node = first + select(u32(reach1 > reach0), 2u + u32(reach3 > reach2), farther);
    path.height = below;
  }
  let node = path.node;
  let first = 3u * (leafOffset + node - (1u << depth));
  let p = vec3f(leaves[first].xyz);
  let q = vec3f(leaves[first + 1u].xyz);
  let r = vec3f(leaves[first + 2u].xyz);
  var far = select(p, q, dot(direction, q) > dot(direction, p));
  far = select(far, r, dot(direction, r) > dot(direction, far));
  return far * 0x1p-29;
}

/** Twice how far a box reaches along a direction. */
fn reachOf(low: vec3f, high: vec3f, direction: vec3f) -> f32 {
  return dot(direction, low + high) + dot(abs(direction), high - low);
}

/** Whether a node's box, at index `at` of `nodes`, meets the given box. */
fn meets(at: u32, low: vec3f, high: vec3f) -> bool {
  // Both corners are read at once, whatever either comparison says.
  return all((low <= nodes[at + 1u].xyz) & (nodes[at].xyz <= high));
}

fn isProven(candidate: u32, side: u32) -> bool {
  let word = atomicLoad(&results[resultHead + candidate]);
  return (word & ~bothOutside) == outsideWord && (word & (firstOutside << side)) != 0u;
}
