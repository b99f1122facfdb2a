// A pixel's two words: the nearest depth with its owner (the lowest if there are several), and the nearest depth of any
// other owner. One visit per fragment finds both, in any order of threads.
//
// Every fragment's key, its depth above its owner, is compared with the first word, and the farther of the two keys goes
// on to the second word if the owners differ. The first word only falls. Let k be the owner it ends with.
// The second word is not too far: a fragment of another owner either loses to a key of another owner than its own, or
// loses its place to one, and goes on; or it loses to its own owner's nearer key, of which the same is true in turn.
// That ends, since the last key to hold the place is k's. It is not too near: a fragment of k goes on only when it
// loses to a key j of another owner. That key, or a nearer one of j's, later gives way to another owner's and goes on
// itself, at a depth no greater.

fn insert(pixel: u32, depth: u32, owner: u32) {
  let key = (depth << culling.ownerBits) | owner;
  var other = atomicLoad(&pixels[pixelWords * pixel]);
  // The first word never rises, so a key that is greater now would not change it later.
  if (key < other) { other = atomicMin(&pixels[pixelWords * pixel], key); }
  if (other == nobody || (other & ((1u << culling.ownerBits) - 1u)) == owner) { return; }
  let farther = max(key, other) >> culling.ownerBits;
  // Nothing waits for this one, so there is no use in looking first whether it is needed.
  atomicMin(&pixels[pixelWords * pixel + 1u], farther);
}

/** The nearest depth of all other owners. Beyond every depth if there is none. */
fn nearestOther(pixel: u32, owner: u32) -> u32 {
  let nearest = atomicLoad(&pixels[pixelWords * pixel]);
  if ((nearest & ((1u << culling.ownerBits) - 1u)) == owner) {
    return atomicLoad(&pixels[pixelWords * pixel + 1u]);
  }
  return nearest >> culling.ownerBits;
}
