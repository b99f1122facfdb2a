// Blocks of samples are drawn apart from each other, each in a tile of the picture: only those that hold what is asked
// about. A tile is as wide as its block and has the block's slices one below the other; `halo` samples around the block
// are drawn with it, for differences. Each body has tiles of its own, beside each other.

/** Samples along each side of a tile. */
fn tileSide() -> u32 {
  return blockSide + 2u * meshing.halo;
}

/** The tile's first pixel. */
fn tileOrigin(tile: u32) -> vec2u {
  let side = tileSide();
  return vec2u(tile % meshing.tilesAcross, tile / meshing.tilesAcross) * vec2u(side, side * side);
}

/** The pixel of a sample of a tile, counted from its first. */
fn tilePixel(tile: u32, sample: vec3u) -> vec2u {
  return tileOrigin(tile) + vec2u(sample.x, sample.z * tileSide() + sample.y);
}
