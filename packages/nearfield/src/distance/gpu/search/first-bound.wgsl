// Finds a first bound: one leaf of every block goes down the other tree, always on into the box that looks nearest, and
// measures the leaf it comes to. Threads take about equally many steps, so none waits long for another. A search that turned
// back for other boxes would hardly find a lower bound, since there are as many starts as blocks, but take several times as long.

@group(0) @binding(1) var<storage, read> frames: array<Frame>;
/** Per candidate, the sum of the blocks of all candidates before it. */
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let candidateCount = min(atomicLoad(&results[candidatesAt]), arrayLength(&workItems));
  let blockCount = atomicLoad(&results[workItemsAt]);
  var boxTests = 0u;
  for (var item = id.x; item < blockCount; item += groups.x * 64u) {
    let candidate = candidateOfItem(item, candidateCount);
    if (boundOf(candidate) <= 0.0) { continue; }
    boxTests += descend(candidate, (item - workItems[candidate]) << frames[candidate].halvings);
  }
  if (boxTests > 0u) {
    atomicAdd(&results[boxTestsAt], boxTests);
    atomicAdd(&results[triangleTestsAt], triangleTests);
  }
}

/** Returns the number of boxes tested. */
fn descend(candidate: u32, leaf: u32) -> u32 {
  let ofA = frames[candidate].walker == 0u;
  let depth = select(frames[candidate].depthA, frames[candidate].depthB, ofA);
  let leafCount = select(frames[candidate].leafCountA, frames[candidate].leafCountB, ofA);
  let offset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, ofA);
  let walker = walkerOf(candidate, leaf);
  let bound = boundOf(candidate);
  var node = 1u;
  var level = 0u;
  var boxTests = 0u;
  while (level < depth) {
    // Every step goes down two levels, whose four boxes are loaded together. If the depth is odd, the first goes down one.
    let step = 2u - (depth - level) % 2u;
    let first = node << step;
    level += step;
    let below = depth - level;
    // The last node of that level or the last one below `node`, whichever comes first.
    let last = min((1u << level) + ((leafCount - 1u) >> below), first + (1u << step) - 1u);
    var least = unknownDistance;
    for (var child = 0u; child < 4u; child++) {
      let next = min(first + child, last);
      let at = 2u * (offset + next);
      let low = nodes[at].xyz;
      let high = nodes[at + 1u].xyz;
      let distance = max(gapDistance(walker, low, high), ownDistance(walker, low, high));
      if (child == 0u || distance < least) {
        least = distance;
        node = next;
      }
    }
    boxTests += last - first + 1u;
    if (least > bound) { return boxTests; }
  }
  let reached = node - (1u << depth);
  visitLeaves(candidate, select(reached, leaf, ofA), select(leaf, reached, ofA), bound);
  return boxTests;
}
