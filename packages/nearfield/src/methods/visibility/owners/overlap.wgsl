// Fourth: a fragment that does not lie wholly before all other bodies may overlap one. That is CULLIDE's query, passed in
// one of its two passes: those of lower bodies are drawn before the test in the first, those of higher ones in the second.

@group(0) @binding(5) var<uniform> culling: Culling;

fn visitFragment(fragment: vec4u, body: u32) {
  let isOwner = body == atomicLoad(&pixels[3u * fragment.x + 1u]);
  let others = atomicLoad(&pixels[3u * fragment.x + select(0u, 2u, isOwner)]);
  if (fragment.z < others || others == nobody) { return; }
  let view = 1u << (fragment.x / (culling.resolution * culling.resolution));
  if (byTriangles) {
    if ((atomicLoad(&instances[fragment.w].flags) & view) == 0u) { atomicOr(&instances[fragment.w].flags, view); }
  } else {
    let at = bodyStateWords * body + bodyFlagsAt;
    if ((atomicLoad(&bodyStates[at]) & view) == 0u) { atomicOr(&bodyStates[at], view); }
  }
}
