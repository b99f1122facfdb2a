// Traverses a tree depth first, two levels per step and without a stack. Every step waits once for the boxes it reads, so
// half as many steps wait half as long. Four bits per every second level name the nodes that are still to be entered.

struct Path {
  node: u32,
  /** The number of levels from the node down to the leaves. */
  height: u32,
  /**
   * The nodes still to be entered, all beside the path and at even heights from 2 on. Each height has four bits, the
   * lowest height the lowest four. The last two bits of a node's number say which of the four is its bit. A tree has at
   * most 26 levels.
   */
  rest: vec2u,
}

/** The number of levels that the next step takes: one at first if the height is odd, then two. */
fn stepDown(height: u32) -> u32 {
  return 2u - height % 2u;
}

/**
 * The bits name nodes at `height`, from number `first` on. Enters the first of these and keeps the others for later.
 */
fn enter(path: ptr<function, Path>, first: u32, height: u32, named: u32) {
  (*path).node = first + firstTrailingBit(named);
  (*path).height = height;
  let others = (named & (named - 1u)) << (first % 4u);
  let place = 2u * height - 4u;
  if (place < 32u) { (*path).rest.x |= others << place; } else { (*path).rest.y |= others << (place - 32u); }
}

/** Goes to the lowest node that is still to be entered. Returns false if there is none. */
fn enterNext(path: ptr<function, Path>) -> bool {
  let rest = (*path).rest;
  if (all(rest == vec2u(0u))) { return false; }
  let node = lowestOf(*path, rest);
  (*path).node = node.x;
  (*path).height = node.y;
  (*path).rest = withoutLowest(rest);
  return true;
}

/** The number and height of the lowest node that `rest` names beside a path. */
fn lowestOf(path: Path, rest: vec2u) -> vec2u {
  let inFirst = rest.x != 0u;
  let bit = firstTrailingBit(select(rest.y, rest.x, inFirst));
  let height = 2u + 2u * (bit / 4u) + select(16u, 0u, inFirst);
  return vec2u(((path.node >> (height - path.height)) & ~3u) | (bit % 4u), height);
}

fn withoutLowest(rest: vec2u) -> vec2u {
  if (rest.x != 0u) { return vec2u(rest.x & (rest.x - 1u), rest.y); }
  return vec2u(0u, rest.y & (rest.y - 1u));
}
