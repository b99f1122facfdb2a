// The boxes of a tree's inner nodes, up to ten levels a dispatch, from where the leaves' own dispatch ended.

@group(0) @binding(0) var<storage, read_write> nodes: array<vec4f>;
/** A chunk each: node offset of the tree, level, nodes on that level, number of the chunk. */
@group(0) @binding(1) var<storage, read> chunks: array<vec4u>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  for (var number = group.x; number < arrayLength(&chunks); number += groups.x) {
    let chunk = chunks[number];
    let first = chunk.w * perChunk + 4u * thread;
    let at = chunk.x + (1u << chunk.y) + first;
    let left = around(nodeBox(at, first < chunk.z), nodeBox(at + 1u, first + 1u < chunk.z));
    let right = around(nodeBox(at + 2u, first + 2u < chunk.z), nodeBox(at + 3u, first + 3u < chunk.z));
    reduceChunk(thread, chunk.x, chunk.y, chunk.z, chunk.w, left, right);
  }
}

fn nodeBox(number: u32, exists: bool) -> NodeBox {
  if (!exists) { return noBox(); }
  return NodeBox(nodes[2u * number].xyz, nodes[2u * number + 1u].xyz);
}
