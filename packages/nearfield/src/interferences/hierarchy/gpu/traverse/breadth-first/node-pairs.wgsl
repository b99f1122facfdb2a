// Writes the list of node pairs for the next step of the breadth-first traversal. A workgroup sums up the pairs of
// its threads and reserves room for all of them with one addition.

var<workgroup> reservedStart: u32;
var<workgroup> sharedLength: u32;

/** The same list length for all threads of the workgroup, so that their loops are uniform. */
fn listLength(thread: u32, length: u32) -> u32 {
  if (thread == 0u) { sharedLength = length; }
  return workgroupUniformLoad(&sharedLength);
}

/** Returns where the workgroup's pairs begin. Call in uniform control flow. */
fn reserveNodePairs(thread: u32, step: u32, count: u32) -> u32 {
  if (thread == 0u && count > 0u) {
    reservedStart = atomicAdd(&stepCounts[step], count);
  }
  return workgroupUniformLoad(&reservedStart);
}

fn writeNodePair(place: u32, candidate: u32, nodeA: u32, nodeB: u32) {
  if (place < arrayLength(&nodePairsOut) / 3u) {
    nodePairsOut[3u * place] = candidate;
    nodePairsOut[3u * place + 1u] = nodeA;
    nodePairsOut[3u * place + 2u] = nodeB;
  }
}
