// Marks the bodies, or triangles, whose query passed in this view.

override byTriangles: bool;

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<uniform> drawing: Drawing;
@group(0) @binding(2) var<storage, read> passed: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> flagged: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = select(culling.bodyCount, culling.instanceCount, byTriangles);
  for (var i = id.x; i < count; i += groups.x * 256u) {
    if (all(passed[i] == vec2u(0u))) { continue; }
    let at = select(bodyStateWords * i + bodyFlagsAt, 2u * i + 1u, byTriangles);
    flagged[at] |= passedFlag();
  }
}
