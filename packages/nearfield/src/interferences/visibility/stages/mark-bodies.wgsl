// Before any pair is known, every body takes part with all of its box, and the image's window is the box around all of
// them.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read> boxes: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> bodyStates: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var body = id.x; body < culling.bodyCount; body += groups.x * 64u) {
    let low = boxes[2u * body].xyz;
    let high = boxes[2u * body + 1u].xyz;
    // A body without triangles has an empty box.
    if (any(low > high)) { continue; }
    // Single precision cannot place this body (place-body.wgsl).
    if (high.x >= 0x1p61) { atomicStore(&imageState[keepAllAt], 1u); }
    bodyStates[bodyStateWords * body + bodyFlagsAt] = askedFlag;
    for (var axis = 0u; axis < 3u; axis++) {
      let least = orderedBits(-low[axis]);
      let most = orderedBits(high[axis]);
      bodyStates[bodyStateWords * body + axis] = least;
      bodyStates[bodyStateWords * body + 3u + axis] = most;
      atomicMax(&imageState[windowAt + axis], least);
      atomicMax(&imageState[windowAt + 3u + axis], most);
    }
  }
}
