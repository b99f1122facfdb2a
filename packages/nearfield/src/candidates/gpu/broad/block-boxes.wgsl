// Computes the box around each block of 256 sorted bodies.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> boxes: array<vec4f>;
@group(0) @binding(2) var<storage, read> bodyOrder: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> blockBoxes: array<vec4f>;

var<workgroup> lows: array<vec3f, 256>;
var<workgroup> highs: array<vec3f, 256>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let blocks = (query.bodyCount + 255u) / 256u;
  for (var block = group.x; block < blocks; block += groups.x) {
    let place = min(block * 256u + thread, query.bodyCount - 1u);
    lows[thread] = boxes[2u * bodyOrder[place].y].xyz;
    highs[thread] = boxes[2u * bodyOrder[place].y + 1u].xyz;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
      if (thread < half) {
        lows[thread] = min(lows[thread], lows[thread + half]);
        highs[thread] = max(highs[thread], highs[thread + half]);
      }
      workgroupBarrier();
    }
    if (thread == 0u) {
      blockBoxes[2u * block] = vec4f(lows[0], 0.0);
      blockBoxes[2u * block + 1u] = vec4f(highs[0], 0.0);
    }
    workgroupBarrier();
  }
}
