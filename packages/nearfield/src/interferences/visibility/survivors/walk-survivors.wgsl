// Traversal: one thread per surviving triangle of one body (and per part of the other's tree) walks the other's tree.
// For one mesh against itself (self-pair.wgsl), the second candidate has one thread per leaf, which walks its own
// patch.

@group(0) @binding(7) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> survivors: array<atomic<u32>>;
@group(0) @binding(9) var<uniform> culling: Culling;

var<workgroup> groupItems: u32;
var<private> otherStart = 0u;
var<private> otherIsB = false;
/** Whether this thread walks within a patch of one mesh. */
var<private> withinPatch = false;
var<private> met = false;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  let candidateCount = min(atomicLoad(&results[candidatesAt]), arrayLength(&workItems));
  if (thread == 0u) { groupItems = atomicLoad(&results[workItemsAt]); }
  let itemCount = workgroupUniformLoad(&groupItems);
  for (var first = group.x * 64u; first < itemCount; first += groups.x * 64u) {
    let item = first + thread;
    // The initial value is written out: without it, `walk` may keep its value of the previous iteration (seen with
    // SwiftShader).
    var walk = Walk(0u, 0u, 0u);
    if (item < itemCount) {
      let candidate = candidateOfItem(item, candidateCount);
      let share = item - workItems[candidate];
      let parts = 1u << frames[candidate].halvings;
      if (isWithinPatch(candidate)) {
        walk = Walk(candidate, share, parts + (share >> culling.patchHeight));
      } else {
        let body = candidates[candidate][frames[candidate].walker];
        let place = share / parts;
        if (place < atomicLoad(&survivors[body])) {
          let start = atomicLoad(&survivors[culling.startsAt + body]);
          let leaf = atomicLoad(&survivors[culling.listAt + start + place]);
          walk = Walk(candidate, leaf, parts + share % parts);
        }
      }
    }
    walkTogether(thread, walk);
  }
  finishLeaves(thread);
  finishWalks(thread);
}

fn isWithinPatch(candidate: u32) -> bool {
  return query.selfTest == 1u && candidate == 1u;
}

fn beginVisits(candidate: u32) {
  let side = frames[candidate].walker;
  met = false;
  withinPatch = isWithinPatch(candidate);
  if (!withinPatch) {
    otherStart = atomicLoad(&survivors[culling.startsAt + candidates[candidate][1u - side]]);
    otherIsB = side == 0u;
  }
}

fn endVisits(candidate: u32) {
  if (met) { atomicOr(&survivors[culling.metAt + candidate / 32u], 1u << (candidate % 32u)); }
}

/**
 * Counts only leaves that survive; in one mesh, those of other patches, or those of the leaf's own patch if the walk is
 * within it.
 */
fn visitLeaves(candidate: u32, leafA: u32, leafB: u32) -> bool {
  if (!withinPatch) {
    let instance = otherStart + select(leafA, leafB, otherIsB);
    if ((atomicLoad(&survivors[culling.aliveAt + instance / 32u]) & (1u << (instance % 32u))) == 0u) { return true; }
    if (query.selfTest == 1u && (leafA >> culling.patchHeight) == (leafB >> culling.patchHeight)) { return true; }
  }
  met = true;
  return keepLeaves(candidate, leafA, leafB);
}
