// Lists the pairs of leaves whose moving boxes may meet: one thread per leaf walks the other body's tree, depth first
// and without a stack, or in one body's own tree the part after its leaf. What an axis separates at both times, in
// the same order, it separates at all times between (../contact.md).

@group(0) @binding(0) var<uniform> swept: Swept;
@group(0) @binding(1) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> results: array<atomic<u32>>;

/**
 * Boxes hold stored positions; true ones are up to 2^-30·(1 + 2^-20) away, on either side. The rest pays for the
 * subtraction.
 */
const gap = 0x1p-28;

struct SweptBox {
  low0: vec3f,
  high0: vec3f,
  low1: vec3f,
  high1: vec3f,
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  if (group.x == 0u && thread == 0u) { atomicStore(&results[serialAt], swept.serial); }
  for (var first = group.x * 64u; first < swept.walkerCount; first += groups.x * 64u) {
    if (first + thread < swept.walkerCount) { walk(first + thread); }
    betweenWalks(thread);
  }
  finishLeaves(thread);
}

fn walk(leaf: u32) {
  let own = swept.walkerFirst + leaf;
  let box = sweptBox(swept.walkerNodes0 + own, swept.walkerNodes1 + own);
  let firstLeaf = 1u << swept.walkedDepth;
  var node = 1u;
  if (swept.selfTest == 1u) {
    node = nodeAfter(own);
    if (node == 1u) { return; }
  }
  loop {
    let height = swept.walkedDepth - firstLeadingBit(node);
    // Nodes that do not exist are the last ones of their level, and so are all that would follow.
    if ((node << height) - firstLeaf >= swept.walkedCount) { return; }
    let mayMeet = !areApart(box, sweptBox(swept.walkedNodes0 + node, swept.walkedNodes1 + node));
    if (mayMeet && height > 0u) {
      node *= 2u;
      continue;
    }
    if (mayMeet) {
      let found = node - firstLeaf;
      let isSwapped = swept.exchanged == 1u;
      if (!keepLeaves(0u, select(leaf, found, isSwapped), select(found, leaf, isSwapped))) { return; }
    }
    node = nodeAfter(node);
    if (node == 1u) { return; }
  }
}

/** The next node that is not below this one, depth first; 1 if there is none. */
fn nodeAfter(node: u32) -> u32 {
  let next = node + 1u;
  return next >> countTrailingZeros(next);
}

fn sweptBox(node0: u32, node1: u32) -> SweptBox {
  return SweptBox(
    nodes[2u * node0].xyz, nodes[2u * node0 + 1u].xyz, nodes[2u * node1].xyz, nodes[2u * node1 + 1u].xyz,
  );
}

fn areApart(p: SweptBox, q: SweptBox) -> bool {
  let before = (q.low0 - p.high0 > vec3f(gap)) & (q.low1 - p.high1 > vec3f(gap));
  let after = (p.low0 - q.high0 > vec3f(gap)) & (p.low1 - q.high1 > vec3f(gap));
  return any(before | after);
}
