// Which blocks are drawn, by the sums of mark-blocks.wgsl.

/** The block that is drawn as number `slot`: blocks that are not drawn have the number of the next one. */
fn drawnBlock(slot: u32) -> u32 {
  var low = 0u;
  var high = meshing.blockCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (blockStarts[middle] <= slot) { low = middle; } else { high = middle; }
  }
  return meshing.firstBlock + low;
}
