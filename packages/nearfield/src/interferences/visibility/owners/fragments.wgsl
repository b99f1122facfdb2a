// A pass over the fragments that take part in a round. An owner is a body, or a patch of one mesh.

/** The round: 0 is on bodies, the others are on triangles. */
override round: u32;

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> bodyStates: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> instances: array<Instance>;
/** Pixel, least depth, greatest depth, triangle. */
@group(0) @binding(4) var<storage, read> fragments: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> pixels: array<atomic<u32>>;

/** The fragment's owner, or nobody if it has been culled. */
fn ownerOfFragment(fragment: vec4u) -> u32 {
  if (fragment.x == nobody) { return nobody; }
  let instance = fragment.w;
  let owner = instances[instance].owner;
  if (round == 0u) { return owner; }
  let flags = atomicLoad(&instances[instance].flags);
  if (round > 1u) { return select(nobody, owner, sawOverlap(flags, round - 1u)); }
  if ((flags & askedFlag) == 0u) { return nobody; }
  let bodyFlags = atomicLoad(&bodyStates[bodyStateWords * bodyOfOwner(owner) + bodyFlagsAt]);
  return select(nobody, owner, sawOverlap(bodyFlags, 0u));
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let threads = groups.x * 256u;
  beginPass(id.x, threads);
  // If there are more fragments than the list can hold, the query will run again.
  let count = min(atomicLoad(&imageState[counterAt(fragmentsAt)]), arrayLength(&fragments));
  for (var i = id.x; i < count; i += threads) {
    let fragment = fragments[i];
    let owner = ownerOfFragment(fragment);
    if (owner == nobody) { continue; }
    visitFragment(fragment, owner);
    if (culling.sides == 1u) { continue; }
    // The same fragment seen from behind, where depths are reversed.
    let depths = u32(culling.depthSteps) - fragment.zy;
    visitFragment(vec4u(fragment.x + culling.pixelCount / 2u, depths, fragment.w), owner);
  }
}
