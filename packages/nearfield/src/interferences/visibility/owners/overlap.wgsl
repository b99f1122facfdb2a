// Second pass: a fragment that does not lie wholly in front of all other owners may overlap one. It is the fragment that
// passes CULLIDE's query in one of the two orders: bodies with lower numbers are drawn before the test in the first,
// those with higher numbers in the second. Seen from behind, whatever lies wholly behind all others is in front of
// them, so each axis tells twice as much for one raster. The pass also clears the pixels of the round before, which the
// next round uses.

@group(0) @binding(6) var<storage, read_write> otherPixels: array<u32>;

fn visitFragment(fragment: vec4u, owner: u32) {
  if (fragment.z < nearestOther(fragment.x, owner)) { return; }
  let image = fragment.x / (culling.resolution * culling.resolution);
  let flag = 1u << (8u * round + select(image, image - culling.views + 3u, image >= culling.views));
  if (round > 0u || look == glanceLook) {
    if ((atomicLoad(&instances[fragment.w].flags) & flag) == 0u) { atomicOr(&instances[fragment.w].flags, flag); }
  }
  if (round == 0u) {
    let at = bodyStateWords * owner + bodyFlagsAt;
    if ((atomicLoad(&bodyStates[at]) & flag) == 0u) { atomicOr(&bodyStates[at], flag); }
  }
}

fn beginPass(thread: u32, threads: u32) {
  if (round == 0u || round == lastRound) { return; }
  for (var i = thread; i < pixelWords * culling.pixelCount; i += threads) { otherPixels[i] = nobody; }
}
