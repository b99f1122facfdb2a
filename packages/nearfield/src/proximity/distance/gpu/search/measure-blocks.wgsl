// A workgroup for every two blocks, a thread for every leaf of the walking one; the boxes of the other's leaves are shared.
// First each thread measures the leaf that looks nearest, to lower the bound; then, with `everyLeaf`, every leaf within it.

override everyLeaf: bool;

@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(2) var<storage, read> blocks: array<u32>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;

var<workgroup> lows: array<vec3f, 64>;
var<workgroup> highs: array<vec3f, 64>;
var<workgroup> sharedCount: u32;
var<workgroup> sharedBound: f32;

@compute @workgroup_size(64)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  if (thread == 0u) { sharedCount = min(atomicLoad(&results[leafPairsAt]), arrayLength(&blocks) / 3u); }
  let blockPairs = workgroupUniformLoad(&sharedCount);
  var boxTests = 0u;
  for (var i = group.x; i < blockPairs; i += groups.x) {
    let candidate = blocks[3u * i];
    if (thread == 0u) { sharedBound = boundOf(candidate); }
    let bound = workgroupUniformLoad(&sharedBound);
    let side = frames[candidate].walker;
    let height = frames[candidate].halvings;
    let depth = select(frames[candidate].depthA, frames[candidate].depthB, side == 1u);
    let otherDepth = select(frames[candidate].depthA, frames[candidate].depthB, side == 0u);
    let otherHeight = min(otherDepth, blockHeight);
    let nodeOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, side == 1u);
    let otherOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, side == 0u);
    // The bound has come down since the blocks were paired.
    let own = blockBox(nodeOffset, depth, height, blocks[3u * i + 1u]);
    let other = blockBox(otherOffset, otherDepth, otherHeight, blocks[3u * i + 2u]);
    if (bound <= 0.0 || boxesApart(candidate, side, own, other, bound)) { continue; }

    let leafCount = select(frames[candidate].leafCountA, frames[candidate].leafCountB, side == 1u);
    let otherCount = select(frames[candidate].leafCountA, frames[candidate].leafCountB, side == 0u);
    let first = blocks[3u * i + 2u] << otherHeight;
    let count = min(otherCount - first, 1u << otherHeight);
    let leaf = (blocks[3u * i + 1u] << height) + thread;
    workgroupBarrier();
    if (thread < count) {
      let at = 2u * (otherOffset + (1u << otherDepth) + first + thread);
      lows[thread] = nodes[at].xyz;
      highs[thread] = nodes[at + 1u].xyz;
    }
    workgroupBarrier();
    if (thread < (1u << height) && leaf < leafCount) {
      boxTests += count;
      measure(candidate, side, leaf, first, count, bound);
    }
  }
  if (boxTests > 0u) {
    atomicAdd(&results[boxTestsAt], boxTests);
    atomicAdd(&results[triangleTestsAt], triangleTests);
  }
}

fn measure(candidate: u32, side: u32, leaf: u32, first: u32, count: u32, known: f32) {
  let walker = walkerOf(candidate, leaf);
  var bound = known;
  var nearest = 0u;
  var least = unknownDistance;
  for (var j = 0u; j < count; j++) {
    let gap = max(max(lows[j] - walker.high, walker.low - highs[j]), vec3f(0.0));
    let distance = length(gap) * walker.otherMetric;
    if (everyLeaf) {
      if (distance > bound || ownDistance(walker, lows[j], highs[j]) > bound) { continue; }
      let found = first + j;
      visitLeaves(candidate, select(leaf, found, side == 1u), select(found, leaf, side == 1u), bound);
      bound = boundOf(candidate);
    } else if (distance < least) {
      least = distance;
      nearest = first + j;
    }
  }
  if (!everyLeaf && least <= bound) {
    visitLeaves(candidate, select(leaf, nearest, side == 1u), select(nearest, leaf, side == 1u), bound);
  }
}
