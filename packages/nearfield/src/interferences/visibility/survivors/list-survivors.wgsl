// Lists what survives: the bodies; and the triangles, body by body, as leaves of their trees in any order, with one bit
// per triangle. A body's list can hold all its triangles, so nothing has to be counted first.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> bodyStates: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> instances: array<Instance>;
@group(0) @binding(4) var<storage, read_write> survivors: array<atomic<u32>>;

var<workgroup> bodyCount: atomic<u32>;
var<workgroup> triangleCount: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  let keepAll = atomicLoad(&imageState[keepAllAt]) == 1u;
  let report = culling.metAt - imageStateWords;
  if (id.x < imageStateWords && id.x != keptBodiesAt && id.x != keptTrianglesAt) {
    atomicStore(&survivors[report + id.x], atomicLoad(&imageState[id.x]));
  }
  for (var body = id.x; body < culling.bodyCount; body += groups.x * 256u) {
    if (isBodyLeft(body, keepAll)) {
      atomicOr(&bodyStates[bodyStateWords * body + bodyFlagsAt], leftFlag);
      atomicAdd(&bodyCount, 1u);
    }
  }
  for (var instance = id.x; instance < culling.instanceCount; instance += groups.x * 256u) {
    let flags = atomicLoad(&instances[instance].flags);
    // Views only see triangles of bodies that survive.
    if (!(sawOverlap(flags, lastRound) || (keepAll && (flags & askedFlag) != 0u))) { continue; }
    atomicAdd(&triangleCount, 1u);
    atomicOr(&survivors[culling.aliveAt + instance / 32u], 1u << (instance % 32u));
    let body = bodyOfOwner(instances[instance].owner);
    let first = atomicLoad(&survivors[culling.startsAt + body]);
    let place = first + atomicAdd(&survivors[body], 1u);
    atomicStore(&survivors[culling.listAt + place], instance - first);
  }
  workgroupBarrier();
  if (thread == 0u) {
    atomicAdd(&survivors[report + keptBodiesAt], atomicLoad(&bodyCount));
    atomicAdd(&survivors[report + keptTrianglesAt], atomicLoad(&triangleCount));
  }
}

fn isBodyLeft(body: u32, keepAll: bool) -> bool {
  let flags = atomicLoad(&bodyStates[bodyStateWords * body + bodyFlagsAt]);
  return (flags & askedFlag) != 0u && (keepAll || sawOverlap(flags, 0u));
}
