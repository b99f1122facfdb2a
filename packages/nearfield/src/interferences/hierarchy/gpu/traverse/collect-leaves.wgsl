// Lists the leaf pairs whose boxes meet, for the triangle tests. A workgroup collects those of its threads and
// reserves room for them with one addition, so that few additions meet at the counter.

@group(0) @binding(6) var<storage, read_write> leafPairs: array<u32>;

/** Past this many, the query is given up and run again in parts, so that the counter does not wrap around. */
override tooMany = 0x40000000u;
const mostKept = 128u;

/** Three words per pair. */
var<workgroup> kept: array<u32, 3u * mostKept>;
/** The number of collected pairs. It may exceed the capacity: pairs beyond it are listed at once. */
var<workgroup> keptLength: atomic<u32>;
var<workgroup> keptCount: u32;
/** The place in the list where the last collected pairs went. */
var<workgroup> keptPlace: u32;

fn keepLeaves(candidate: u32, leafA: u32, leafB: u32) -> bool {
  if (keptPlace >= tooMany) { return false; }
  let at = atomicAdd(&keptLength, 1u);
  if (at < mostKept) {
    kept[3u * at] = candidate;
    kept[3u * at + 1u] = leafA;
    kept[3u * at + 2u] = leafB;
    return true;
  }
  let place = atomicAdd(&results[leafPairsAt], 1u);
  if (place < arrayLength(&leafPairs) / 3u) {
    leafPairs[3u * place] = candidate;
    leafPairs[3u * place + 1u] = leafA;
    leafPairs[3u * place + 2u] = leafB;
  }
  return place < tooMany;
}

/**
 * Whether the walks of a candidate may stop. Here every pair is wanted, so they stop only if the query is given up.
 */
fn isSettled(candidate: u32) -> bool {
  return keptPlace >= tooMany;
}

/** Lists the collected pairs if they are many. Call in uniform control flow. */
fn betweenWalks(thread: u32) {
  workgroupBarrier();
  if (thread == 0u) { keptCount = atomicLoad(&keptLength); }
  if (workgroupUniformLoad(&keptCount) > mostKept / 2u) { finishLeaves(thread); }
}

/** Lists the collected pairs. Call in uniform control flow. */
fn finishLeaves(thread: u32) {
  workgroupBarrier();
  if (thread == 0u) {
    keptCount = min(atomicLoad(&keptLength), mostKept);
    if (keptCount > 0u) { keptPlace = atomicAdd(&results[leafPairsAt], keptCount); }
    atomicStore(&keptLength, 0u);
  }
  let count = workgroupUniformLoad(&keptCount);
  let first = keptPlace;
  let room = arrayLength(&leafPairs) / 3u;
  let end = 3u * min(count, room - min(room, first));
  for (var word = thread; word < end; word += 64u) { leafPairs[3u * first + word] = kept[word]; }
  workgroupBarrier();
}
