// The first list of the breadth-first traversal: for every candidate all pairs of nodes of the level where the
// trees are entered; level 0 is the two roots, a lower one where temporal coherence says that pays (section 5).

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read_write> results: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> nodePairsOut: array<u32>;
@group(0) @binding(5) var<storage, read_write> levels: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let candidateCount = listLength(thread, min(atomicLoad(&results[candidatesAt]), arrayLength(&workItems)));
  let perSide = 1u << query.entrance;
  let total = candidateCount << (2u * query.entrance);
  for (var first = group.x * 256u; first < total; first += groups.x * 256u) {
    let place = first + thread;
    var candidate = 0u;
    var nodeA = 0u;
    var nodeB = 0u;
    var present = place < total;
    if (present) {
      candidate = place >> (2u * query.entrance);
      // Sums of work items that do not grow: the candidate's root boxes are apart.
      let end = select(atomicLoad(&results[workItemsAt]), workItems[min(candidate + 1u, candidateCount - 1u)],
        candidate + 1u < candidateCount);
      nodeA = entryNode(place & (perSide - 1u), frames[candidate].depthA, frames[candidate].depthB,
        frames[candidate].leafCountA);
      nodeB = entryNode((place >> query.entrance) & (perSide - 1u), frames[candidate].depthB,
        frames[candidate].depthA, frames[candidate].leafCountB);
      present = end > workItems[candidate] && nodeA > 0u && nodeB > 0u;
      present = present && (query.selfTest == 0u || nodeA <= nodeB);
    }
    let scanned = scanWorkgroup(thread, select(0u, 1u, present));
    let start = reserveNodePairs(thread, query.entrance, scanned.total);
    if (present) { writeNodePair(start + scanned.before, candidate, nodeA, nodeB); }
  }
}

/**
 * Node `index` of the entrance level, or 0 where there is none. The shallower tree is padded at the top, and a
 * pair of trees that ends above the entrance is entered at its leaves.
 */
fn entryNode(index: u32, depth: u32, otherDepth: u32, leafCount: u32) -> u32 {
  let pairDepth = max(depth, otherDepth);
  let level = max(min(query.entrance, pairDepth), pairDepth - depth) - (pairDepth - depth);
  if (index >= (1u << level) || (index << (depth - level)) >= leafCount) { return 0u; }
  return (1u << level) + index;
}
