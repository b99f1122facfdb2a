// Measures every two paired blocks with one workgroup: one thread per leaf of the walking block. The threads share
// the boxes of those leaves of the other block that are near enough to the whole walking block. Without `everyLeaf`,
// each thread measures the leaf that looks nearest, to lower the bound; with it, every leaf within the bound.

override everyLeaf: bool;

@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(2) var<storage, read> blockPairs: array<u32>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;

var<workgroup> lows: array<vec3f, 64>;
var<workgroup> highs: array<vec3f, 64>;
/** The leaves that these boxes belong to, and their number. */
var<workgroup> numbers: array<u32, 64>;
var<workgroup> nearCount: atomic<u32>;
var<workgroup> sharedCount: u32;
var<workgroup> sharedBound: f32;

@compute @workgroup_size(64)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  if (thread == 0u) { sharedCount = min(atomicLoad(&results[blockPairsAt]), arrayLength(&blockPairs) / 3u); }
  let pairCount = workgroupUniformLoad(&sharedCount);
  var boxTests = 0u;
  for (var i = group.x; i < pairCount; i += groups.x) {
    let candidate = blockPairs[3u * i];
    if (thread == 0u) {
      sharedBound = boundOf(candidate);
      atomicStore(&nearCount, 0u);
    }
    let bound = workgroupUniformLoad(&sharedBound);
    let side = frames[candidate].walker;
    let height = frames[candidate].halvings;
    let depth = select(frames[candidate].depthA, frames[candidate].depthB, side == 1u);
    let otherDepth = select(frames[candidate].depthA, frames[candidate].depthB, side == 0u);
    let otherHeight = min(otherDepth, blockHeight);
    let nodeOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, side == 1u);
    let otherOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, side == 0u);
    // The bound may have come down since the blocks were paired.
    let own = blockBox(nodeOffset, depth, height, blockPairs[3u * i + 1u]);
    let other = blockBox(otherOffset, otherDepth, otherHeight, blockPairs[3u * i + 2u]);
    if (bound <= 0.0 || boxesApart(candidate, side, own, other, bound)) { continue; }

    let leafCount = select(frames[candidate].leafCountA, frames[candidate].leafCountB, side == 1u);
    let otherCount = select(frames[candidate].leafCountA, frames[candidate].leafCountB, side == 0u);
    let first = blockPairs[3u * i + 2u] << otherHeight;
    let count = min(otherCount - first, 1u << otherHeight);
    let leaf = (blockPairs[3u * i + 1u] << height) + thread;
    let otherNode = otherOffset + (1u << (otherDepth - otherHeight)) + blockPairs[3u * i + 2u];
    if (thread < count) {
      let at = 2u * (otherOffset + (1u << otherDepth) + first + thread);
      let box = boxBetween(nodes[at].xyz, nodes[at + 1u].xyz);
      boxTests++;
      if (!boxesApart(candidate, side, own, box, bound)) {
        let place = atomicAdd(&nearCount, 1u);
        lows[place] = nodes[at].xyz;
        highs[place] = nodes[at + 1u].xyz;
        numbers[place] = first + thread;
      }
    }
    workgroupBarrier();
    if (thread < (1u << height) && leaf < leafCount) {
      boxTests += measure(candidate, side, leaf, otherNode, bound);
    }
    workgroupBarrier();
  }
  if (boxTests > 0u) {
    atomicAdd(&results[boxTestsAt], boxTests);
    atomicAdd(&results[triangleTestsAt], triangleTests);
  }
}

/** Returns the number of boxes tested. */
fn measure(candidate: u32, side: u32, leaf: u32, block: u32, known: f32) -> u32 {
  let walker = walkerOf(candidate, leaf);
  let low = nodes[2u * block].xyz;
  let high = nodes[2u * block + 1u].xyz;
  if (gapDistance(walker, low, high) > known || ownDistance(walker, low, high) > known) { return 1u; }
  var bound = known;
  var nearest = 0u;
  var least = unknownDistance;
  let count = atomicLoad(&nearCount);
  for (var j = 0u; j < count; j++) {
    let distance = gapDistance(walker, lows[j], highs[j]);
    if (everyLeaf) {
      if (distance > bound || ownDistance(walker, lows[j], highs[j]) > bound) { continue; }
      visit(candidate, side, leaf, numbers[j], bound);
      bound = boundOf(candidate);
    } else if (distance < least) {
      least = distance;
      nearest = numbers[j];
    }
  }
  if (!everyLeaf && least <= bound) { visit(candidate, side, leaf, nearest, bound); }
  return 1u + count;
}

fn visit(candidate: u32, side: u32, leaf: u32, other: u32, bound: f32) {
  visitLeaves(candidate, select(leaf, other, side == 1u), select(other, leaf, side == 1u), bound);
}
