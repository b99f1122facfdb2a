// How many triangles each body has left, and a bit for each of them.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read_write> bodyStates: array<u32>;
@group(0) @binding(2) var<storage, read_write> instances: array<Instance>;
@group(0) @binding(3) var<storage, read_write> survivors: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> imageState: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  // One sum more than bodies: where the last one's list ends.
  if (id.x == 0u) { imageState[bodySumsAt] = culling.bodyCount + 1u; }
  for (var instance = id.x; instance < culling.instanceCount; instance += groups.x * 256u) {
    if ((atomicLoad(&instances[instance].flags) & aliveFlag) == 0u) { continue; }
    let body = instances[instance].body;
    if ((bodyStates[bodyStateWords * body + bodyFlagsAt] & aliveFlag) == 0u) { continue; }
    atomicAdd(&survivors[body], 1u);
    atomicOr(&survivors[culling.aliveAt + instance / 32u], 1u << (instance % 32u));
  }
}
