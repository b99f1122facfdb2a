// Prepares the shapes that are drawn for all triangles, and tells which triangles lie where their bodies may meet others.
// The shape's module defines `writeShape`.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read> placings: array<Placing>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> bodyStates: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> instances: array<Instance>;
/** Seven vectors per triangle, of which the drawn shape decides the meaning. */
@group(0) @binding(6) var<storage, read_write> drawnShapes: array<vec4f>;

var<workgroup> nearCount: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  let window = imageWindow();
  let keepAll = atomicLoad(&imageState[keepAllAt]) == 1u;
  for (var instance = id.x; instance < culling.instanceCount; instance += groups.x * 256u) {
    let body = bodyOfInstance(instance);
    instances[instance].owner = body;
    var flags = 0u;
    if ((atomicLoad(&bodyStates[bodyStateWords * body + bodyFlagsAt]) & askedFlag) != 0u) {
      let corners = sceneCorners(body, instance - placings[body].firstInstance);
      if (keepAll || isNear(body, corners)) { flags = askedFlag; }
      writeShape(instance, body, corners, window);
    }
    atomicStore(&instances[instance].flags, flags);
    if (flags != 0u) { atomicAdd(&nearCount, 1u); }
  }
  workgroupBarrier();
  if (thread == 0u) { atomicAdd(&imageState[nearTrianglesAt], atomicLoad(&nearCount)); }
}
