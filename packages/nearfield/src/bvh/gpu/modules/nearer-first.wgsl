// Goes down a tree for what is nearest (gpu-layouts.ts has its form): the nearer child first, the other kept on a stack,
// what is farther than the limit left out. Who walks defines, over variables of its own,
//   fn nodeDistance(node: u32) -> f32   no more than how far away all is that the node holds, 0 or more,
//   fn reachLeaf(leaf: u32)             what is done with a leaf,
//   fn nearEnough() -> f32              the limit as it is now; below 0 it ends the walk.

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
    // Back to the last that is still near enough.
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
