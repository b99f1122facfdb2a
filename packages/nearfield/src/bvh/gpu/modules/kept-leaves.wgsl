// A short list of the leaves that may hold what is nearest, each with a lower bound on its triangle's distance. The
// walking module defines
//   const mostKept   the room of the list; if there are more, `keptCount` exceeds it and the list is unusable.

var<private> keptLeaves: array<u32, mostKept>;
var<private> keptLeast: array<f32, mostKept>;
var<private> keptCount: u32;

/** Drops leaves that are farther away than the bound. */
fn dropBeyond(bound: f32) {
  var kept = 0u;
  for (var k = 0u; k < keptCount; k++) {
    if (keptLeast[k] <= bound) {
      keptLeast[kept] = keptLeast[k];
      keptLeaves[kept] = keptLeaves[k];
      kept++;
    }
  }
  keptCount = kept;
}

fn keepLeaf(leaf: u32, least: f32) {
  if (keptCount < mostKept) {
    keptLeast[keptCount] = least;
    keptLeaves[keptCount] = leaf;
  }
  keptCount++;
}
