// Finds the leaf of a tree that holds a triangle: the inverse of the order of its leaves. Edges know their triangles,
// and leaves hold the positions.

@group(0) @binding(0) var<storage, read> order: array<u32>;
/**
 * Per shape: its first leaf among all leaves, its first triangle among those of this dispatch; then how many there are.
 */
@group(0) @binding(1) var<storage, read> inverted: array<vec2u>;
/** Per triangle, counted from its shape's first leaf: its leaf, counted the same way. */
@group(0) @binding(2) var<storage, read_write> leafOf: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let last = arrayLength(&inverted) - 1u;
  let count = inverted[last].y;
  for (var i = id.x; i < count; i += groups.x * 256u) {
    var low = 0u;
    var high = last;
    while (high - low > 1u) {
      let middle = (low + high) / 2u;
      if (inverted[middle].y <= i) { low = middle; } else { high = middle; }
    }
    let first = inverted[low].x;
    let leaf = i - inverted[low].y;
    leafOf[first + order[first + leaf]] = leaf;
  }
}
