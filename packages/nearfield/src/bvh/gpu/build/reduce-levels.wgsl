// Computes the boxes of a tree's inner nodes, up to nine levels per dispatch. A workgroup takes 512 neighbouring nodes
// of one level and reduces them to one. Barriers order the levels within a workgroup, and dispatches those of different
// workgroups. Atomics are not used: they would order nothing here.

@group(0) @binding(0) var<storage, read_write> nodes: array<vec4f>;
/** Per chunk: node offset of the tree, level, nodes on that level, number of the chunk. */
@group(0) @binding(1) var<storage, read> chunks: array<vec4u>;

var<workgroup> lows: array<vec3f, 256>;
var<workgroup> highs: array<vec3f, 256>;

const nothing = 0x1p100;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  for (var number = group.x; number < arrayLength(&chunks); number += groups.x) {
    let chunk = chunks[number];
    var level = chunk.y;
    var count = chunk.z;
    let child = chunk.w * 512u + 2u * thread;
    var low = vec3f(nothing);
    var high = vec3f(-nothing);
    if (child < count) {
      let at = 2u * (chunk.x + (1u << level) + child);
      low = nodes[at].xyz;
      high = nodes[at + 1u].xyz;
      if (child + 1u < count) {
        low = min(low, nodes[at + 2u].xyz);
        high = max(high, nodes[at + 3u].xyz);
      }
    }
    var index = chunk.w * 256u + thread;
    for (var remaining = 256u; remaining > 0u; remaining /= 2u) {
      // Here (low, high) is node `index` of the level above, for the lower `remaining` threads.
      if (level > 0u) {
        level--;
        count = (count + 1u) / 2u;
        if (thread < remaining && index < count) {
          let at = 2u * (chunk.x + (1u << level) + index);
          nodes[at] = vec4f(low, 0.0);
          nodes[at + 1u] = vec4f(high, 0.0);
        }
        index = chunk.w * (remaining / 2u) + thread;
      }
      lows[thread] = low;
      highs[thread] = high;
      workgroupBarrier();
      if (thread < remaining / 2u) {
        low = min(lows[2u * thread], lows[2u * thread + 1u]);
        high = max(highs[2u * thread], highs[2u * thread + 1u]);
      }
      workgroupBarrier();
    }
  }
}
