// Tests the triangles of all leaf pairs, and lists those that meet at time 0 or may meet at any time.

@group(0) @binding(0) var<uniform> swept: Swept;
@group(0) @binding(1) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(2) var<storage, read> order: array<u32>;
@group(0) @binding(3) var<storage, read> leafPairs: array<u32>;
@group(0) @binding(4) var<storage, read_write> results: array<atomic<u32>>;
/** Triangle of a, with `meetsAtStart`, and triangle of b. */
@group(0) @binding(5) var<storage, read_write> found: array<vec2u>;

/** What a coordinate beyond twice the frame is stored as (stored-vertex.wgsl). */
const beyondFrame = 0x40000000;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  // If there are more leaf pairs than capacity, the query will be run again.
  let count = min(atomicLoad(&results[leafPairsAt]), arrayLength(&leafPairs) / 3u);
  for (var i = id.x; i < count; i += groups.x * 64u) {
    let a = leafPairs[3u * i + 1u];
    let b = leafPairs[3u * i + 2u];
    if (swept.selfTest == 1u && shareVertex(3u * (swept.leavesA0 + a), 3u * (swept.leavesB0 + b))) { continue; }
    let verdict = testLeaves(a, b);
    if (verdict != separate) { list(a, b, verdict); }
  }
}

fn shareVertex(a: u32, b: u32) -> bool {
  let p = vec3i(leaves[a].w, leaves[a + 1u].w, leaves[a + 2u].w);
  let q = vec3i(leaves[b].w, leaves[b + 1u].w, leaves[b + 2u].w);
  return any(p == q) || any(p == q.yzx) || any(p == q.zxy);
}

/** `meeting` if the triangles certainly meet at time 0, `separate` if they certainly never do, else `unsure`. */
fn testLeaves(a: u32, b: u32) -> u32 {
  var isBeyond = false;
  for (var k = 0u; k < 3u; k++) {
    corners[k] = leaves[3u * (swept.leavesA0 + a) + k].xyz;
    corners[3u + k] = leaves[3u * (swept.leavesB0 + b) + k].xyz;
    corners[6u + k] = leaves[3u * (swept.leavesA1 + a) + k].xyz;
    corners[9u + k] = leaves[3u * (swept.leavesB1 + b) + k].xyz;
  }
  for (var k = 0u; k < 12u; k++) { isBeyond = isBeyond || any(abs(corners[k]) >= vec3i(beyondFrame)); }
  if (isBeyond) { return unsure; }
  if (areAlwaysApart()) { return separate; }
  let atStart = trianglesMeet(pairAtStart());
  // Triangles that are apart at time 0 meet later only if two of their features touch.
  if (atStart != separate) { return atStart; }
  return select(unsure, separate, noFeaturesTouch());
}

fn list(a: u32, b: u32, verdict: u32) {
  let place = atomicAdd(&results[foundAt], 1u);
  if (place >= arrayLength(&found)) { return; }
  let first = order[swept.leavesA0 + a];
  let second = order[swept.leavesB0 + b];
  let isSwapped = swept.selfTest == 1u && second < first;
  let flag = select(0u, meetsAtStart, verdict == meeting);
  found[place] = vec2u(select(first, second, isSwapped) | flag, select(second, first, isSwapped));
}
