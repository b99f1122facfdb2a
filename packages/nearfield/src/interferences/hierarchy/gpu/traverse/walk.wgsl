// One thread per work item: a leaf of one tree walks the other tree, or a part of it. The module that defines
// `walkOf` says which leaf has an item, if any.

var<workgroup> groupItems: u32;

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
    // Initialized explicitly: without the initializer it may keep its value from the round before (seen with
    // SwiftShader).
    var walk = Walk(0u, 0u, 0u);
    if (item < itemCount) {
      let candidate = candidateOfItem(item, candidateCount);
      walk = walkOf(candidate, item - workItems[candidate]);
    }
    walkTogether(thread, walk);
  }
  finishLeaves(thread);
  finishWalks(thread);
}
