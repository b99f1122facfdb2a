// Walks down a tree (layouts.ts has its form) for what is nearest: the nearer child first, with the other kept on a
// stack. Nodes farther than the limit are skipped. The walking module defines, over its own variables,
//   fn nodeDistance(node: u32) -> f32   a lower bound, 0 or more, on the distance of everything in the node,
//   fn reachLeaf(leaf: u32)             the action for a leaf,
//   fn nearEnough() -> f32              the current limit; below 0 it ends the walk.

const noChild = 0x1p100;

fn walkNearerFirst(depth: u32, leafCount: u32) {
  var limit = nearEnough();
  var stack: array<vec2u, 32>;
  var top = 0u;
  var node = 1u;
  loop {
    let level = firstLeadingBit(node);
    if (level == depth) {
      reachLeaf(node - (1u << depth));
    } else {
      let child = 2u * node;
      let below = depth - level - 1u;
      let count = (leafCount + (1u << below) - 1u) >> below;
      let left = nodeDistance(child);
      var right = noChild;
      if (child + 1u - (2u << level) < count) { right = nodeDistance(child + 1u); }
      let swapped = right < left;
      let near = select(left, right, swapped);
      let far = select(right, left, swapped);
      if (near <= limit) {
        if (far <= limit) {
          stack[top] = vec2u(child + select(1u, 0u, swapped), bitcast<u32>(far));
          top++;
        }
        node = child + select(0u, 1u, swapped);
        continue;
      }
    }
    // Go back to the last node that is still near enough.
    limit = nearEnough();
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
