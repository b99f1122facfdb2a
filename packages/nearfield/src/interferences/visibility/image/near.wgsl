// Finds a triangle's body, and tells whether the triangle lies where its body may meet others.

fn bodyOfInstance(instance: u32) -> u32 {
  var low = 0u;
  var high = culling.bodyCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (placings[middle].firstInstance <= instance) { low = middle; } else { high = middle; }
  }
  return low;
}

/** Whether a triangle's box meets the region in which its body may meet others. */
fn isNear(body: u32, corners: array<vec3f, 3>) -> bool {
  let low = min(min(corners[0], corners[1]), corners[2]) - placings[body].error.xyz;
  let high = max(max(corners[0], corners[1]), corners[2]) + placings[body].error.xyz;
  for (var axis = 0u; axis < 3u; axis++) {
    let least = -orderedFloat(atomicLoad(&bodyStates[bodyStateWords * body + axis]));
    let most = orderedFloat(atomicLoad(&bodyStates[bodyStateWords * body + 3u + axis]));
    if (low[axis] > most || high[axis] < least) { return false; }
  }
  return true;
}
