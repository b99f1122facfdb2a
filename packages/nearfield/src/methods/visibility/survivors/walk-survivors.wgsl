// One thread per triangle that is left of one body (and part of the other's tree) walks the other's tree. Of one mesh
// against itself (self-pair.wgsl) the second candidate has a thread for every leaf, which walks its own patch.

@group(0) @binding(7) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> survivors: array<atomic<u32>>;
@group(0) @binding(9) var<uniform> culling: Culling;

var<workgroup> groupBoxTests: atomic<u32>;
var<private> otherStart = 0u;
var<private> otherIsB = false;
/** Of one mesh: whether the walk is within a patch. */
var<private> withinPatch = false;
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
    let share = item - workItems[candidate];
    met = false;
    withinPatch = query.selfTest == 1u && candidate == 1u;
    if (withinPatch) {
      atomicAdd(&groupBoxTests, walkTree(candidate, share, share >> culling.patchHeight));
    } else {
      let body = candidates[candidate][side];
      let other = candidates[candidate][1u - side];
      let place = share >> halvings;
      if (place >= atomicLoad(&survivors[body])) { continue; }
      let first = atomicLoad(&survivors[culling.startsAt + body]);
      let leaf = atomicLoad(&survivors[culling.listAt + first + place]);
      otherStart = atomicLoad(&survivors[culling.startsAt + other]);
      otherIsB = side == 0u;
      atomicAdd(&groupBoxTests, walkTree(candidate, leaf, share & ((1u << halvings) - 1u)));
    }
    if (met) { atomicOr(&survivors[culling.metAt + candidate / 32u], 1u << (candidate % 32u)); }
  }
  workgroupBarrier();
  if (thread == 0u) { atomicAdd(&results[boxTestsAt], atomicLoad(&groupBoxTests)); }
}

/** Of the tree's leaves those count that are left; of one mesh's those of other patches, or of the leaf's own. */
fn visitLeaves(candidate: u32, leafA: u32, leafB: u32) -> bool {
  if (!withinPatch) {
    let instance = otherStart + select(leafA, leafB, otherIsB);
    if ((atomicLoad(&survivors[culling.aliveAt + instance / 32u]) & (1u << (instance % 32u))) == 0u) { return true; }
    if (query.selfTest == 1u && (leafA >> culling.patchHeight) == (leafB >> culling.patchHeight)) { return true; }
  }
  met = true;
  return keepLeaves(candidate, leafA, leafB);
}
