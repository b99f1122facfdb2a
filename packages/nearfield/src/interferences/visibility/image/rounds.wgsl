// What flags say: whether every view saw a body, or a triangle, overlap in a round, from either side.

fn sawOverlap(flags: u32, round: u32) -> bool {
  let every = ((1u << culling.views) - 1u) * select(1u, 9u, culling.sides == 2u);
  return ((flags >> (8u * round)) & every) == every;
}

/** The body of an owner: itself, or of a patch the one mesh there is. */
fn bodyOfOwner(owner: u32) -> u32 {
  return select(owner, 0u, culling.patchHeight > 0u);
}

/** The owner of a triangle of a body: the body, or the patch its leaf lies in. */
fn ownerOf(body: u32, leaf: u32) -> u32 {
  return select(body, leaf >> culling.patchHeight, culling.patchHeight > 0u);
}
