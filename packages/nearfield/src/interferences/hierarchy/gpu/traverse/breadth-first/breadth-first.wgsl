// One step of the simultaneous breadth-first traversal of many pairs of trees (Greß and Zachmann, sections 4.2 to
// 4.4). Every listed pair of nodes is tested, and the children of those that overlap are listed for the next step.
// Overlap counts are summed over the workgroup, and each thread writes where its sum says. Trees of unequal depth are
// padded at the top: the shallower one waits at its root. Pairs of trees may have been entered at different levels: a
// step takes each of them one level down, wherever it is.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<uniform> step: Step;
@group(0) @binding(2) var<storage, read> frames: array<Frame>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(4) var<storage, read> nodePairsIn: array<u32>;
@group(0) @binding(5) var<storage, read_write> nodePairsOut: array<u32>;
@group(0) @binding(6) var<storage, read_write> stepCounts: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> leafPairs: array<u32>;
@group(0) @binding(8) var<storage, read_write> results: array<atomic<u32>>;
/** By candidate: the level it was entered at, and how many of the node pairs there overlapped. */
@group(0) @binding(9) var<storage, read_write> entered: array<atomic<u32>>;

var<workgroup> leafStart: u32;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let listed = min(atomicLoad(&stepCounts[step.number]), arrayLength(&nodePairsIn) / 3u);
  let count = listLength(thread, listed);
  for (var first = group.x * 256u; first < count; first += groups.x * 256u) {
    let place = first + thread;
    var candidate = 0u;
    var found = NodeChildren(0u, 0u, 0u, 0u, 0u, 0u);
    if (place < count) {
      candidate = nodePairsIn[3u * place];
      found = testNodes(candidate, nodePairsIn[3u * place + 1u], nodePairsIn[3u * place + 2u]);
    }
    let childPairs = found.countA * found.countB - found.mirrored;
    if (step.number == 0u && found.isLeaf + childPairs > 0u) { atomicAdd(&entered[2u * candidate + 1u], 1u); }
    // Leaf pairs and children are summed together: at most 1 and 4 per thread.
    let scanned = scanWorkgroup(thread, found.isLeaf | (childPairs << 9u));
    let start = reserveNodePairs(thread, step.number + 1u, scanned.total >> 9u);
    if (thread == 0u) {
      let leafTotal = scanned.total & 0x1ffu;
      if (leafTotal > 0u) { leafStart = atomicAdd(&results[leafPairsAt], leafTotal); }
    }
    workgroupBarrier();
    if (found.isLeaf == 1u) {
      let at = leafStart + (scanned.before & 0x1ffu);
      if (at < arrayLength(&leafPairs) / 3u) {
        leafPairs[3u * at] = candidate;
        leafPairs[3u * at + 1u] = found.firstA;
        leafPairs[3u * at + 2u] = found.firstB;
      }
    }
    var next = start + (scanned.before >> 9u);
    for (var i = 0u; i < found.countA; i++) {
      for (var j = 0u; j < found.countB; j++) {
        // For a node paired with itself, (right, left) repeats (left, right).
        if (found.mirrored == 1u && i == 1u && j == 0u) { continue; }
        writeNodePair(next, candidate, found.firstA + i, found.firstB + j);
        next++;
      }
    }
    workgroupBarrier();
  }
}

struct NodeChildren {
  /** Nodes of the next level from `first` on, or the leaves themselves if `isLeaf` is 1. */
  firstA: u32,
  countA: u32,
  firstB: u32,
  countB: u32,
  isLeaf: u32,
  mirrored: u32,
}

fn testNodes(candidate: u32, nodeA: u32, nodeB: u32) -> NodeChildren {
  var found = NodeChildren(0u, 0u, 0u, 0u, 0u, 0u);
  let offsetA = 2u * (frames[candidate].nodeOffsetA + nodeA);
  let offsetB = 2u * (frames[candidate].nodeOffsetB + nodeB);
  let boxA = boxBetween(nodes[offsetA].xyz, nodes[offsetA + 1u].xyz);
  let boxB = boxBetween(nodes[offsetB].xyz, nodes[offsetB + 1u].xyz);
  if (facesSeparate(boxA, boxB, frames[candidate].into[0], frames[candidate].into[1], frames[candidate].into[2],
    frames[candidate].slack[0].xyz)) { return found; }
  if (facesSeparate(boxB, boxA, frames[candidate].into[3], frames[candidate].into[4], frames[candidate].into[5],
    frames[candidate].slack[1].xyz)) { return found; }

  let levelA = firstLeadingBit(nodeA);
  let levelB = firstLeadingBit(nodeB);
  let heightA = frames[candidate].depthA - levelA;
  let heightB = frames[candidate].depthB - levelB;
  if (heightA == 0u && heightB == 0u) {
    found.firstA = nodeA - (1u << levelA);
    found.firstB = nodeB - (1u << levelB);
    found.isLeaf = select(1u, 0u, query.selfTest == 1u && nodeA == nodeB);
    return found;
  }
  found.firstA = nodeA;
  found.countA = 1u;
  found.firstB = nodeB;
  found.countB = 1u;
  if (heightA >= heightB) {
    found.firstA = 2u * nodeA;
    found.countA = childCount(nodeA, levelA, heightA, frames[candidate].leafCountA);
  }
  if (heightB >= heightA) {
    found.firstB = 2u * nodeB;
    found.countB = childCount(nodeB, levelB, heightB, frames[candidate].leafCountB);
  }
  found.mirrored = select(0u, 1u, query.selfTest == 1u && nodeA == nodeB && found.countA == 2u);
  return found;
}

/** 2, or 1 if the right child would begin past the last leaf. */
fn childCount(node: u32, level: u32, height: u32, leafCount: u32) -> u32 {
  let right = 2u * (node - (1u << level)) + 1u;
  return select(1u, 2u, (right << (height - 1u)) < leafCount);
}
