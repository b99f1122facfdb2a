// Leaf pairs whose boxes meet go to a list that the triangle tests take up. A thread keeps up to eight and
// reserves room for them at once, so that few additions meet at the counter.

@group(0) @binding(6) var<storage, read_write> leafPairs: array<u32>;

/** Past this many the query is given up and run again in parts: the counter must not wrap. */
const tooMany = 0x40000000u;

var<private> kept: array<vec2u, 8>;
var<private> keptCount = 0u;
var<private> keptCandidate = 0u;

fn keepLeaves(candidate: u32, leafA: u32, leafB: u32) -> bool {
  keptCandidate = candidate;
  kept[keptCount] = vec2u(leafA, leafB);
  keptCount++;
  if (keptCount < 8u) { return true; }
  return writeKept() < tooMany;
}

fn finishLeaves() {
  if (keptCount > 0u) { writeKept(); }
}

fn writeKept() -> u32 {
  let place = atomicAdd(&results[leafPairsAt], keptCount);
  let room = arrayLength(&leafPairs) / 3u;
  for (var i = 0u; i < keptCount; i++) {
    if (place + i < room) {
      leafPairs[3u * (place + i)] = keptCandidate;
      leafPairs[3u * (place + i) + 1u] = kept[i].x;
      leafPairs[3u * (place + i) + 2u] = kept[i].y;
    }
  }
  keptCount = 0u;
  return place;
}
