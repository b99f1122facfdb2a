// After a round on triangles: one that some view has seen clear of all other bodies is left out.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> instances: array<Instance>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (atomicLoad(&imageState[keepAllAt]) == 1u) { return; }
  let every = (1u << culling.views) - 1u;
  for (var instance = id.x; instance < culling.instanceCount; instance += groups.x * 256u) {
    let flags = atomicLoad(&instances[instance].flags);
    if (flags == 0u) { continue; }
    let kept = (flags & aliveFlag) != 0u && (flags & every) == every;
    atomicStore(&instances[instance].flags, select(0u, aliveFlag, kept));
  }
}
