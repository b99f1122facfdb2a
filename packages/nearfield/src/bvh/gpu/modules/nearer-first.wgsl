// Walks down a tree (layouts.ts has its form) for what is nearest: two levels at a time, the nearest of up to four nodes
// first, with the others kept on a stack. Nodes farther than the limit are skipped. The walking module defines, over its
// own variables,
//   fn nodeDistance(node: u32) -> f32   a lower bound, 0 or more, on the distance of everything in the node,
//   fn reachLeaf(leaf: u32)             the action for a leaf,
//   fn nearEnough() -> f32              the current limit; below 0 it ends the walk.
//
// A GPU runs threads in groups. To let each thread go on to its next leaf before any of them measures one took an H200
// twice as long: threads wait for each other less often, but longer.

const noChild = 0x1p100;

/** A node's lower bound, with the number of the child in its last two bits. Without these it is a little less: still a lower bound. */
fn childKey(first: u32, child: u32, count: u32) -> u32 {
  var distance = noChild;
  if (child < count) { distance = nodeDistance(first + child); }
  return (bitcast<u32>(distance) & 0xfffffffcu) | child;
}

fn walkNearerFirst(depth: u32, leafCount: u32) {
  var limit = nearEnough();
  // Three entries per two levels.
  var stack: array<vec2u, 48>;
  var top = 0u;
  var node = 1u;
  loop {
    let level = firstLeadingBit(node);
    if (level == depth) {
      reachLeaf(node - (1u << depth));
      limit = nearEnough();
    } else {
      // An odd level is left at the top, so that all others are taken in twos.
      let step = 1u + (depth - level + 1u) % 2u;
      let first = node << step;
      let below = depth - level - step;
      // How many nodes of that level are not before the first.
      let count = ((leafCount + (1u << below) - 1u) >> below) + (1u << (level + step)) - first;
      let width = min(count, 1u << step);
      let a = childKey(first, 0u, width);
      let b = childKey(first, 1u, width);
      let c = childKey(first, 2u, width);
      let d = childKey(first, 3u, width);
      let ab = min(a, b);
      let ba = max(a, b);
      let cd = min(c, d);
      let dc = max(c, d);
      let middle = max(ab, cd);
      let other = min(ba, dc);
      let keys = vec4u(min(ab, cd), min(middle, other), max(middle, other), max(ba, dc));
      for (var k = 3u; k > 0u; k--) {
        if (bitcast<f32>(keys[k]) <= limit) {
          stack[top] = vec2u(first + (keys[k] & 3u), keys[k]);
          top++;
        }
      }
      if (bitcast<f32>(keys.x) <= limit) {
        node = first + (keys.x & 3u);
        continue;
      }
    }
    // Go back to the last node that is still near enough.
    var more = false;
    while (top > 0u) {
      top--;
      if (bitcast<f32>(stack[top].y) <= limit) {
        node = stack[top].x;
        more = true;
        break;
      }
    }
    if (!more) { return; }
  }
}
