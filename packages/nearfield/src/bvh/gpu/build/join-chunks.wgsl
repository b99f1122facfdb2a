// The box of a shape without a tree, from the boxes of its chunks: one workgroup per shape.

/** Threads per workgroup. */
override threads: u32;

@group(0) @binding(0) var<storage, read_write> nodes: array<vec4f>;
/** Per shape: the node of its first chunk, the number of chunks, and the node that gets its box. */
@group(0) @binding(1) var<storage, read> chunks: array<vec4u>;

@compute @workgroup_size(threads)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  for (var number = group.x; number < arrayLength(&chunks); number += groups.x) {
    let shape = chunks[number];
    var low = vec3f(nothing);
    var high = vec3f(-nothing);
    for (var i = thread; i < shape.y; i += threads) {
      low = min(low, nodes[2u * (shape.x + i)].xyz);
      high = max(high, nodes[2u * (shape.x + i) + 1u].xyz);
    }
    writeCommonBox(thread, low, high, shape.z);
  }
}
