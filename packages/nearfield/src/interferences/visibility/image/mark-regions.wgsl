// Finds where bodies may meet at all. A body's region is the box around the intersections of its box with those of its
// candidates. The image's window is the box around all regions. Bounds grow by atomic maxima of integers that are
// ordered as floats are.

@group(0) @binding(0) var<storage, read> boxes: array<vec4f>;
@group(0) @binding(1) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(2) var<storage, read> results: array<u32>;
@group(0) @binding(3) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> bodyStates: array<atomic<u32>>;
@group(0) @binding(5) var<uniform> culling: Culling;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = min(results[candidatesAt], arrayLength(&candidates));
  for (var pair = id.x; pair < count; pair += groups.x * 64u) {
    let a = candidates[pair].x;
    let b = candidates[pair].y;
    let low = max(boxes[2u * a].xyz, boxes[2u * b].xyz);
    let high = min(boxes[2u * a + 1u].xyz, boxes[2u * b + 1u].xyz);
    // These bodies have boxes that single precision cannot place (place-body.wgsl).
    if (boxes[2u * a + 1u].x >= 0x1p61 || boxes[2u * b + 1u].x >= 0x1p61) {
      atomicStore(&imageState[keepAllAt], 1u);
    }
    // Candidates given by the caller may have boxes that do not meet. Such a pair has no common point.
    if (any(low > high)) { continue; }
    begin(a);
    begin(b);
    for (var axis = 0u; axis < 3u; axis++) {
      let least = orderedBits(-low[axis]);
      let most = orderedBits(high[axis]);
      atomicMax(&bodyStates[bodyStateWords * a + axis], least);
      atomicMax(&bodyStates[bodyStateWords * b + axis], least);
      atomicMax(&imageState[windowAt + axis], least);
      atomicMax(&bodyStates[bodyStateWords * a + 3u + axis], most);
      atomicMax(&bodyStates[bodyStateWords * b + 3u + axis], most);
      atomicMax(&imageState[windowAt + 3u + axis], most);
    }
  }
}

fn begin(body: u32) {
  // One mesh against itself has no round on whole bodies, so its body counts as having passed it.
  let passed = select(0u, 63u, culling.patchHeight > 0u);
  let before = atomicOr(&bodyStates[bodyStateWords * body + bodyFlagsAt], askedFlag | passed);
  if ((before & askedFlag) == 0u) { atomicAdd(&imageState[askedBodiesAt], 1u); }
}
