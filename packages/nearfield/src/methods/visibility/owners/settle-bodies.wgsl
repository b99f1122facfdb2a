// After a round on whole bodies: one that some view has seen clear of all others is left out.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> bodyStates: array<u32>;

var<workgroup> droppedCount: atomic<u32>;

@compute @workgroup_size(64)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  let every = (1u << culling.views) - 1u;
  let keepAll = atomicLoad(&imageState[keepAllAt]) == 1u;
  for (var body = id.x; body < culling.bodyCount; body += groups.x * 64u) {
    let at = bodyStateWords * body + bodyFlagsAt;
    let flags = bodyStates[at];
    let kept = (flags & aliveFlag) != 0u && (keepAll || (flags & every) == every);
    bodyStates[at] = select(0u, aliveFlag, kept);
    if (!kept && flags != 0u) { atomicAdd(&droppedCount, 1u); }
  }
  workgroupBarrier();
  if (thread == 0u) { atomicSub(&imageState[keptBodiesAt], atomicLoad(&droppedCount)); }
}
