// One thread per triangle that is left of one body (and part of the other's tree) walks the other's tree.

@group(0) @binding(7) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> survivors: array<atomic<u32>>;
@group(0) @binding(9) var<uniform> culling: Culling;

var<workgroup> groupBoxTests: atomic<u32>;
var<private> otherStart = 0u;
var<private> otherIsB = false;
var<private> met = false;

@compute @workgroup_size(64)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  let candidateCount = min(atomicLoad(&results[candidatesAt]), arrayLength(&workItems));
  let itemCount = atomicLoad(&results[workItemsAt]);
  for (var item = id.x; item < itemCount; item += groups.x * 64u) {
    let candidate = candidateOfItem(item, candidateCount);
    let side = frames[candidate].walker;
    let halvings = frames[candidate].halvings;
    let body = candidates[candidate][side];
    let other = candidates[candidate][1u - side];
    let share = item - workItems[candidate];
    let place = share >> halvings;
    let first = atomicLoad(&survivors[body]);
    if (place >= atomicLoad(&survivors[body + 1u]) - first) { continue; }
    let leaf = atomicLoad(&survivors[culling.listAt + first + place]);
    otherStart = atomicLoad(&survivors[culling.instanceStartsAt + other]);
    otherIsB = side == 0u;
    met = false;
    atomicAdd(&groupBoxTests, walkTree(candidate, leaf, share & ((1u << halvings) - 1u)));
    if (met) { atomicOr(&survivors[culling.metAt + candidate / 32u], 1u << (candidate % 32u)); }
  }
  workgroupBarrier();
  if (thread == 0u) { atomicAdd(&results[boxTestsAt], atomicLoad(&groupBoxTests)); }
}

/** Of the tree's leaves those count that are left. */
fn visitLeaves(candidate: u32, leafA: u32, leafB: u32) -> bool {
  let instance = otherStart + select(leafA, leafB, otherIsB);
  if ((atomicLoad(&survivors[culling.aliveAt + instance / 32u]) & (1u << (instance % 32u))) == 0u) { return true; }
  met = true;
  return keepLeaves(candidate, leafA, leafB);
}
