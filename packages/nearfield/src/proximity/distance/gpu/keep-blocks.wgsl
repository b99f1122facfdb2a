// Which blocks of the walking body come near enough to the other to hold a nearest triangle? Every block's box goes down
// the other's tree, depth first and without a stack (walk.wgsl), until a node of some sixteen leaves is near enough.

@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> blocks: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;

/** Levels of the other tree that are not looked at, and boxes after which a block is kept for want of an answer. */
const skippedLevels = 4u;
const mostTests = 256u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let candidateCount = min(atomicLoad(&results[candidatesAt]), arrayLength(&workItems));
  let blockCount = atomicLoad(&results[workItemsAt]);
  for (var item = id.x; item < blockCount; item += groups.x * 64u) {
    let candidate = candidateOfItem(item, candidateCount);
    let bound = boundOf(candidate);
    let block = item - workItems[candidate];
    if (bound <= 0.0 || !isNear(candidate, block, bound)) { continue; }
    let place = atomicAdd(&results[leafPairsAt], 1u);
    if (place < arrayLength(&blocks)) { blocks[place] = vec2u(candidate, block); }
  }
}

fn isNear(candidate: u32, block: u32, bound: f32) -> bool {
  let side = frames[candidate].walker;
  let other = 1u - side;
  let ownDepth = select(frames[candidate].depthA, frames[candidate].depthB, side == 1u);
  let ownOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, side == 1u);
  let nodeOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, other == 1u);
  let count = select(frames[candidate].leafCountA, frames[candidate].leafCountB, other == 1u);
  let depth = select(frames[candidate].depthA, frames[candidate].depthB, other == 1u);
  let deepest = max(depth, skippedLevels) - skippedLevels;
  let own = 2u * (ownOffset + (1u << (ownDepth - frames[candidate].halvings)) + block);
  let ownBox = boxBetween(nodes[own].xyz, nodes[own + 1u].xyz);
  var node = 1u;
  var level = 0u;
  for (var tests = 0u; tests < mostTests; tests++) {
    let at = 2u * (nodeOffset + node);
    let box = boxBetween(nodes[at].xyz, nodes[at + 1u].xyz);
    var distance = boxDistance(candidate, side, ownBox, box);
    if (distance <= bound) { distance = boxDistance(candidate, other, box, ownBox); }
    if (distance <= bound) {
      if (level >= deepest) { return true; }
      node *= 2u;
      level++;
      continue;
    }
    let climbed = firstTrailingBit(node + 1u);
    if (climbed >= level) { return false; }
    node = (node + 1u) >> climbed;
    level -= climbed;
    if (((node - (1u << level)) << (depth - level)) >= count) { return false; }
  }
  return true;
}

/** No more than the distance of two boxes, by gaps in the frame of `side`, whose box is `own` (walk-nearest.wgsl). */
fn boxDistance(candidate: u32, side: u32, own: Box, other: Box) -> f32 {
  let x = frames[candidate].into[3u * side];
  let y = frames[candidate].into[3u * side + 1u];
  let z = frames[candidate].into[3u * side + 2u];
  let slack = frames[candidate].slack[side];
  let place = vec3f(dot(x.xyz, other.middle), dot(y.xyz, other.middle), dot(z.xyz, other.middle))
    + (vec3f(x.w, y.w, z.w) - own.middle);
  let reach = vec3f(dot(abs(x.xyz), other.half), dot(abs(y.xyz), other.half), dot(abs(z.xyz), other.half));
  return length(max(abs(place) - (own.half + reach + slack.xyz), vec3f(0.0))) * slack.w;
}
