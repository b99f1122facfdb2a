// The fragments that take part in a round, and the three numbers of a pixel: the nearest depth, the body that has it (the
// lowest of several), and the nearest depth of any other body.

/** False while whole bodies are asked about, true for their triangles. */
override byTriangles: bool;

@group(0) @binding(0) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> bodyStates: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> instances: array<Instance>;
/** Pixel, least depth, greatest depth, triangle. */
@group(0) @binding(3) var<storage, read> fragments: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> pixels: array<atomic<u32>>;

const nobody = 0xffffffffu;

fn fragmentCount() -> u32 {
  // With more fragments than room the query will be run again.
  return min(atomicLoad(&imageState[fragmentsAt]), arrayLength(&fragments));
}

/** The fragment's body, or nobody where it has been left out. */
fn bodyOfFragment(fragment: vec4u) -> u32 {
  let instance = fragment.w;
  let body = instances[instance].body;
  if ((atomicLoad(&bodyStates[bodyStateWords * body + bodyFlagsAt]) & aliveFlag) == 0u) { return nobody; }
  if (byTriangles && (atomicLoad(&instances[instance].flags) & aliveFlag) == 0u) { return nobody; }
  return body;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = fragmentCount();
  for (var i = id.x; i < count; i += groups.x * 256u) {
    let fragment = fragments[i];
    let body = bodyOfFragment(fragment);
    if (body != nobody) { visitFragment(fragment, body); }
  }
}
