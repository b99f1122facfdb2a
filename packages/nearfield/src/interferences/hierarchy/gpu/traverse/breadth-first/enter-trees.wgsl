// Writes the first list of the breadth-first traversal: for every candidate, all pairs of nodes of the level at which
// its trees are entered. That is the level of the roots, or a lower one remembered from last time (entrances.wgsl).
// The entries of 256 candidates are summed up and shared among several workgroups, since one pair may have a million
// entries, and thousands of pairs one each.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> results: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> nodePairsOut: array<u32>;
@group(0) @binding(6) var<storage, read_write> stepCounts: array<atomic<u32>>;

/** By candidate of a block of 256: the level it is entered at, and the number of entries before its own. */
var<workgroup> blockLevels: array<u32, 256>;
var<workgroup> blockStarts: array<u32, 256>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let count = listLength(thread, min(atomicLoad(&results[candidatesAt]), arrayLength(&workItems)));
  let blocks = (count + 255u) / 256u;
  let slices = max(1u, groups.x / max(1u, blocks));
  for (var number = group.x; number < blocks * slices; number += groups.x) {
    let first = (number % blocks) * 256u;
    let slice = number / blocks;
    let candidate = first + thread;
    var level = notEntered;
    var entries = 0u;
    if (candidate < count) {
      // If the sums of work items do not grow at a candidate, its root boxes are apart.
      let end = select(atomicLoad(&results[workItemsAt]), workItems[min(candidate + 1u, count - 1u)],
        candidate + 1u < count);
      if (end > workItems[candidate]) {
        level = entranceOf(candidate, count);
        entries = entriesAt(candidate, level);
      }
      if (slice == 0u) {
        atomicStore(&entered[2u * candidate], level);
        atomicStore(&entered[2u * candidate + 1u], 0u);
      }
    }
    let scanned = scanWorkgroup(thread, entries);
    blockLevels[thread] = level;
    blockStarts[thread] = scanned.before;
    workgroupBarrier();
    // This slice's share of the block's entries. There are at most 2^20 in all, so nothing wraps around.
    let share = (scanned.total + slices - 1u) / slices;
    let begin = min(slice * share, scanned.total);
    let total = min(share, scanned.total - begin);
    let start = reserveNodePairs(thread, 0u, total);
    for (var i = thread; i < total; i += 256u) {
      let entry = begin + i;
      let within = candidateOfEntry(entry);
      let nodes = entryNodes(first + within, blockLevels[within], entry - blockStarts[within]);
      writeNodePair(start + i, first + within, nodes.x, nodes.y);
    }
    workgroupBarrier();
  }
}

/**
 * The last candidate of the block whose entries begin at or before this one. Candidates without entries are skipped.
 */
fn candidateOfEntry(entry: u32) -> u32 {
  var low = 0u;
  var high = 256u;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (blockStarts[middle] <= entry) { low = middle; } else { high = middle; }
  }
  return low;
}

/**
 * Entry `index` of a candidate: each node of a's level with each of b's. For a tree against itself, each two nodes
 * once.
 */
fn entryNodes(candidate: u32, level: u32, index: u32) -> vec2u {
  let levelA = ownLevel(level, frames[candidate].depthA, frames[candidate].depthB);
  let levelB = ownLevel(level, frames[candidate].depthB, frames[candidate].depthA);
  if (query.selfTest == 1u) {
    // Row by row of a triangle, with columns up to the row. The root is a guess that the loops correct.
    var row = u32((sqrt(8.0 * f32(index) + 1.0) - 1.0) * 0.5);
    while (row * (row + 1u) / 2u > index) { row--; }
    while ((row + 1u) * (row + 2u) / 2u <= index) { row++; }
    return vec2u((1u << levelA) + index - row * (row + 1u) / 2u, (1u << levelB) + row);
  }
  let countA = nodesAt(levelA, frames[candidate].depthA, frames[candidate].leafCountA);
  return vec2u((1u << levelA) + index % countA, (1u << levelB) + index / countA);
}
