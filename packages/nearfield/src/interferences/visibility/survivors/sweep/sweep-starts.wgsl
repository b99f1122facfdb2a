// Writes where each body's triangles begin among those that are sorted for a sweep.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read> swept: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> bodyStates: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var place = id.x; place < culling.instanceCount; place += groups.x * 256u) {
    let key = swept[place].x;
    if (key == nobody) { return; }
    let body = bodyOfKey(key);
    if (place == 0u || bodyOfKey(swept[place - 1u].x) != body) { bodyStates[bodyStateWords * body + sweepStartAt] = place; }
  }
}
