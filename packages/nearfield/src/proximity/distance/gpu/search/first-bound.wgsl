// A first bound: one leaf of every block looks for its nearest, down the tree and a little beside.

override budget: u32;

@group(0) @binding(1) var<storage, read> frames: array<Frame>;
/** Sums of the blocks of all candidates before. */
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let candidateCount = min(atomicLoad(&results[candidatesAt]), arrayLength(&workItems));
  let blockCount = atomicLoad(&results[workItemsAt]);
  var boxTests = 0u;
  for (var item = id.x; item < blockCount; item += groups.x * 64u) {
    let candidate = candidateOfItem(item, candidateCount);
    if (boundOf(candidate) <= 0.0) { continue; }
    boxTests += walkNearest(candidate, (item - workItems[candidate]) << frames[candidate].halvings, budget);
  }
  if (boxTests > 0u) {
    atomicAdd(&results[boxTestsAt], boxTests);
    atomicAdd(&results[triangleTestsAt], triangleTests);
  }
}
