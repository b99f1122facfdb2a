// A workgroup collects its certain pairs and reserves room for them with one addition, because additions to one
// counter wait for each other.

const mostCertain = 192u;

/** Three words per pair. */
var<workgroup> keptCertain: array<u32, 3u * mostCertain>;
/** The number of collected pairs. It may exceed the capacity: pairs beyond it are listed at once. */
var<workgroup> certainLength: atomic<u32>;
var<workgroup> certainCount: u32;
var<workgroup> certainPlace: u32;

fn listCertain(candidate: u32, triangleA: u32, triangleB: u32) {
  let at = atomicAdd(&certainLength, 1u);
  if (at >= mostCertain) {
    listOne(candidate, triangleA, triangleB);
    return;
  }
  keptCertain[3u * at] = candidate;
  keptCertain[3u * at + 1u] = triangleA;
  keptCertain[3u * at + 2u] = triangleB;
}

/** Lists the collected pairs. Call in uniform control flow, once. */
fn finishCertain(thread: u32) {
  workgroupBarrier();
  if (thread == 0u) {
    certainCount = min(atomicLoad(&certainLength), mostCertain);
    if (certainCount > 0u) { certainPlace = atomicAdd(&results[certainAt], certainCount); }
  }
  let count = workgroupUniformLoad(&certainCount);
  let first = certainPlace;
  let room = arrayLength(&certainPairs) / 3u;
  let end = 3u * min(count, room - min(room, first));
  for (var word = thread; word < end; word += 64u) { certainPairs[3u * first + word] = keptCertain[word]; }
}
