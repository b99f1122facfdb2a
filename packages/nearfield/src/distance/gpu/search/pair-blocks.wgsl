// Finds the pairs of blocks that are near enough to each other to contain the nearest triangles. Every block of the
// walking body goes down the other's tree to its blocks, depth first and without a stack: the number of a node tells
// which one is next. At least 32 threads share the work of a block, each below a node of the fifth level, since a block
// may have hundreds of others that are about equally near. If there are more threads, they begin at deeper levels:
// a thread tests its boxes one after another, and that takes long.

@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
/** The candidate, the block of the walking body, the block of the other: three words per pair. */
@group(0) @binding(4) var<storage, read_write> blockPairs: array<u32>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let candidateCount = min(atomicLoad(&results[candidatesAt]), arrayLength(&workItems));
  let blockCount = atomicLoad(&results[workItemsAt]);
  let threads = groups.x * 64u;
  let partLevel = clamp(firstLeadingBit(max(threads / max(blockCount, 1u), 1u)), leastPartLevel, mostPartLevel);
  for (var item = id.x; item < (blockCount << partLevel); item += threads) {
    let candidate = candidateOfItem(item >> partLevel, candidateCount);
    let block = (item >> partLevel) - workItems[candidate];
    pairBlock(candidate, block, item & ((1u << partLevel) - 1u), partLevel, boundOf(candidate));
  }
}

const leastPartLevel = 5u;
const mostPartLevel = 10u;

fn pairBlock(candidate: u32, block: u32, part: u32, partLevel: u32, bound: f32) {
  let side = frames[candidate].walker;
  let ownDepth = select(frames[candidate].depthA, frames[candidate].depthB, side == 1u);
  let ownOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, side == 1u);
  let nodeOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, side == 0u);
  let count = select(frames[candidate].leafCountA, frames[candidate].leafCountB, side == 0u);
  let depth = select(frames[candidate].depthA, frames[candidate].depthB, side == 0u);
  let deepest = depth - min(depth, blockHeight);
  let own = blockBox(ownOffset, ownDepth, frames[candidate].halvings, block);
  let top = min(partLevel, deepest);
  var node = (1u << top) + part;
  var level = top;
  if (part >= (1u << top) || (part << (depth - top)) >= count) { return; }
  loop {
    let at = 2u * (nodeOffset + node);
    if (!boxesApart(candidate, side, own, boxBetween(nodes[at].xyz, nodes[at + 1u].xyz), bound)) {
      if (level < deepest) {
        node *= 2u;
        level++;
        continue;
      }
      let place = atomicAdd(&results[blockPairsAt], 1u);
      if (place < arrayLength(&blockPairs) / 3u) {
        blockPairs[3u * place] = candidate;
        blockPairs[3u * place + 1u] = block;
        blockPairs[3u * place + 2u] = node - (1u << level);
      }
    }
    let climbed = firstTrailingBit(node + 1u);
    if (climbed >= level - top) { return; }
    node = (node + 1u) >> climbed;
    level -= climbed;
    if (((node - (1u << level)) << (depth - level)) >= count) { return; }
  }
}
