// One thread per leaf of one tree (and part of the other) walks the other tree.

var<workgroup> groupBoxTests: atomic<u32>;

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
    if (isSettled(candidate)) { continue; }
    let share = item - workItems[candidate];
    let halvings = frames[candidate].halvings;
    atomicAdd(&groupBoxTests, walkTree(candidate, share >> halvings, share & ((1u << halvings) - 1u)));
  }
  workgroupBarrier();
  if (thread == 0u) { atomicAdd(&results[boxTestsAt], atomicLoad(&groupBoxTests)); }
}
