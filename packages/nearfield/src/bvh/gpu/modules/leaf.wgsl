// Stores a leaf: the three vertices of a triangle, and its box. The kernel that stores leaves declares vertices, corners,
// leaves and nodes.

/** Stores a leaf and its box on the tree's lowest level. */
fn gatherLeaf(corner: u32, firstVertex: u32, leaf: u32, node: u32) {
  let box = storeLeaf(corner, firstVertex, leaf);
  nodes[2u * node] = vec4f(box.low, 0.0);
  nodes[2u * node + 1u] = vec4f(box.high, 0.0);
}

/** Stores a leaf. Returns its box. */
fn storeLeaf(corner: u32, firstVertex: u32, leaf: u32) -> LeafBounds {
  let a = vertices[firstVertex + corners[corner]];
  let b = vertices[firstVertex + corners[corner + 1u]];
  let c = vertices[firstVertex + corners[corner + 2u]];
  leaves[3u * leaf] = a;
  leaves[3u * leaf + 1u] = b;
  leaves[3u * leaf + 2u] = c;
  return leafBounds(a.xyz, b.xyz, c.xyz);
}
