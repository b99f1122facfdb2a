// The triangles that are left, body by body, as leaves of their trees. In any order within a body.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read_write> bodyStates: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> instances: array<Instance>;
@group(0) @binding(3) var<storage, read_write> survivors: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var instance = id.x; instance < culling.instanceCount; instance += groups.x * 256u) {
    if ((survivors[culling.aliveAt + instance / 32u] & (1u << (instance % 32u))) == 0u) { continue; }
    let body = instances[instance].body;
    let place = survivors[body] + atomicAdd(&bodyStates[bodyStateWords * body + cursorAt], 1u);
    survivors[culling.listAt + place] = instance - survivors[culling.instanceStartsAt + body];
  }
}
