// Walks down a tree for a region. The module of a kind of region defines
//   fn testNode(middle: vec3f, half: vec3f, at: u32) -> u32   of a node's box, q, whose lower corner is nodes[at]: `apart`, `mayMeet` or
//                                                     `within`,
//   fn testLeaf(leaf: u32) -> u32                     of a triangle: `apart`, `mayMeet` or `within` (then it certainly is met).

const apart = 0u;
const mayMeet = 1u;
const within = 2u;

/** Appends what the region meets. If any triangle will do, the walk ends at the first that is certainly met. */
fn walkRegion(probe: u32) {
  var stack: array<u32, 32>;
  var top = 1u;
  stack[0] = 1u;
  while (top > 0u) {
    top--;
    let node = stack[top];
    let level = firstLeadingBit(node);
    let at = 2u * (tree.nodeOffset + node);
    var state = testNode(0.5 * (nodes[at].xyz + nodes[at + 1u].xyz), 0.5 * (nodes[at + 1u].xyz - nodes[at].xyz), at);
    if (state == apart) { continue; }
    if (isOverfull()) { return; }
    let below = tree.depth - level;
    let first = (node - (1u << level)) << below;
    if (below == 0u && state != within) { state = testLeaf(first); }
    if (state == within) {
      if (tree.first == 1u) {
        listLeaf(probe, first, true);
        return;
      }
      for (var leaf = first; leaf < min(tree.leafCount, first + (1u << below)); leaf++) {
        listLeaf(probe, leaf, true);
        if (isOverfull()) { return; }
      }
    } else if (below == 0u) {
      if (state == mayMeet) { listLeaf(probe, first, false); }
    } else {
      let half = 1u << (below - 1u);
      if (first + half < tree.leafCount) {
        stack[top] = 2u * node + 1u;
        top++;
      }
      stack[top] = 2u * node;
      top++;
    }
  }
}
