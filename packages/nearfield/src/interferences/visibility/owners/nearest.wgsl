// A pixel's two words: the nearest depth with its owner (the lowest if there are several), and the nearest depth of any
// other owner. One visit per fragment finds both, in any order of threads.
//
// A fragment's key has its depth in the high bits and its owner in the low ones. The key is compared with the first word.
// The lesser key stays there. If the two owners differ, the depth of the greater key is stored in the second word, if it
// is less than what is there. Let k be the owner whose key stays in the first word at the end.
//
// The second word is at most the depth of every fragment of another owner o. In the comparison with the first word, o's
// key meets either a key of another owner, or a key of o. If it is the greater of two owners' keys, its depth is stored.
// If it is the greater of two keys of o, what follows holds for the lesser key, which is nearer. A key of o that gets
// into the first word does not stay, since the last one is k's: it gives way to a key of another owner, and its depth is
// stored, or to a nearer key of o, and so on.
// The second word is no less than the nearest depth of the other owners. A fragment of k is stored only if its key is
// greater than a key of another owner, so that this one is no farther.

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
