// Reads the flags: whether every view, from either side, saw a body or a triangle overlap in a round.

fn sawOverlap(flags: u32, round: u32) -> bool {
  let every = ((1u << culling.views) - 1u) * select(1u, 9u, culling.sides == 2u);
  return ((flags >> (8u * round)) & every) == every;
}

/** The body of an owner: the owner itself, or the only mesh if owners are patches. */
fn bodyOfOwner(owner: u32) -> u32 {
  return select(owner, 0u, culling.patchHeight > 0u);
}

/** The owner of a triangle of a body: the body, or the patch its leaf lies in. */
fn ownerOf(body: u32, leaf: u32) -> u32 {
  return select(body, leaf >> culling.patchHeight, culling.patchHeight > 0u);
}
