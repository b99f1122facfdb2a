// Going down a tree depth first, two levels at a time and without a stack: a step waits for the four boxes it looks at, and
// half as many steps wait half as long. Four bits for every second level say which nodes there are still to be entered.

struct Path {
  node: u32,
  /** Levels from the node down to the leaves. */
  height: u32,
  /**
   * Nodes at even heights from 2 on that are to be entered, all beside the path, by the last two bits of their number: the
   * lowest in the lowest bits. A tree has 26 levels at most.
   */
  rest: vec2u,
}

/** Levels that the next step takes: one where their number is odd, to begin with. */
fn stepDown(height: u32) -> u32 {
  return 2u - height % 2u;
}

/** Enters the first of the nodes at a height, from number `first` on, that the bits name, and keeps the others for later. */
fn enter(path: ptr<function, Path>, first: u32, height: u32, named: u32) {
  (*path).node = first + firstTrailingBit(named);
  (*path).height = height;
  let others = (named & (named - 1u)) << (first % 4u);
  let place = 2u * height - 4u;
  if (place < 32u) { (*path).rest.x |= others << place; } else { (*path).rest.y |= others << (place - 32u); }
}

/** Goes to the lowest of what is to be entered. False where nothing is. */
fn enterNext(path: ptr<function, Path>) -> bool {
  let rest = (*path).rest;
  if (all(rest == vec2u(0u))) { return false; }
  let node = lowestOf(*path, rest);
  (*path).node = node.x;
  (*path).height = node.y;
  (*path).rest = withoutLowest(rest);
  return true;
}

/** Number and height of the lowest node that `rest` names beside a path. */
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
