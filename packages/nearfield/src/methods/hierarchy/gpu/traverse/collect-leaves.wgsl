// Leaf pairs whose boxes meet go to a list that the triangle tests take up. A workgroup keeps those of its threads and
// reserves room for them at once, so that few additions meet at the counter.

@group(0) @binding(6) var<storage, read_write> leafPairs: array<u32>;

/** Past this many the query is given up and run again in parts: the counter must not wrap. */
const tooMany = 0x40000000u;
const mostKept = 768u;
/** Four of each thread. */
const mostAtOnce = 256u;

/** Three words a pair. */
var<workgroup> kept: array<u32, 3u * mostKept>;
var<workgroup> keptLength: atomic<u32>;
var<workgroup> keptCount: u32;
/** Where those kept last were listed. */
var<workgroup> keptPlace: u32;

/** Whether there may be too little room for four more of every thread: they must not be kept before there is. */
fn isCrowded() -> bool {
  return atomicLoad(&keptLength) > mostKept - mostAtOnce;
}

fn keepLeaves(candidate: u32, leafA: u32, leafB: u32) -> bool {
  if (keptPlace >= tooMany) { return false; }
  let at = atomicAdd(&keptLength, 1u);
  kept[3u * at] = candidate;
  kept[3u * at + 1u] = leafA;
  kept[3u * at + 2u] = leafB;
  return true;
}

/** Call in uniform control flow. */
fn betweenWalks(thread: u32) {
  workgroupBarrier();
  if (thread == 0u) { keptCount = atomicLoad(&keptLength); }
  if (workgroupUniformLoad(&keptCount) > mostKept / 2u) { finishLeaves(thread); }
}

/** Lists what was kept. Call in uniform control flow. */
fn finishLeaves(thread: u32) {
  workgroupBarrier();
  if (thread == 0u) {
    keptCount = atomicLoad(&keptLength);
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
