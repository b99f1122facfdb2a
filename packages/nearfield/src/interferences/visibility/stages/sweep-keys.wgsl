// Writes a key for every body: where its box begins along x, if images left it; otherwise the greatest key. Also clears
// the regions and the window, which the pairs that the sweep finds then determine (mark-regions.wgsl).

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read> boxes: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> imageState: array<u32>;
@group(0) @binding(3) var<storage, read_write> bodyStates: array<u32>;
/** The body's key and its number. */
@group(0) @binding(4) var<storage, read_write> bodySweep: array<vec2u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let keepAll = imageState[keepAllAt] == 1u;
  if (id.x < 6u) { imageState[windowAt + id.x] = 0u; }
  if (id.x == 6u) { imageState[nearTrianglesAt] = 0u; }
  for (var body = id.x; body < culling.bodyCount; body += groups.x * 64u) {
    let at = bodyStateWords * body;
    let flags = bodyStates[at + bodyFlagsAt];
    let left = (flags & askedFlag) != 0u && (keepAll || sawOverlap(flags, 0u));
    bodySweep[body] = vec2u(select(nobody, orderedBits(boxes[2u * body].x), left), body);
    bodyStates[at + bodyFlagsAt] = flags & ~askedFlag;
    for (var bound = 0u; bound < 6u; bound++) { bodyStates[at + bound] = 0u; }
  }
}
