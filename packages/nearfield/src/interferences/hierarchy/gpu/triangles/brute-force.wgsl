// Tests every triangle of one body against every triangle of the other, in one dispatch (Greß and Zachmann, section
// 3). A thread takes one triangle of a and a run of b's.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(4) var<storage, read> order: array<u32>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> certainPairs: array<u32>;
@group(0) @binding(7) var<storage, read_write> unsurePairs: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let candidateCount = min(atomicLoad(&results[candidatesAt]), arrayLength(&workItems));
  let itemCount = atomicLoad(&results[workItemsAt]);
  var tests = 0u;
  for (var item = id.x; item < itemCount; item += groups.x * 64u) {
    let candidate = candidateOfItem(item, candidateCount);
    let place = item - workItems[candidate];
    let countA = frames[candidate].leafCountA;
    let leafA = place % countA;
    let first = (place / countA) * bruteForceRun;
    let end = min(first + bruteForceRun, frames[candidate].leafCountB);
    for (var leafB = first; leafB < end; leafB++) {
      if (query.selfTest == 1u && leafB <= leafA) { continue; }
      if (isDone(candidate)) { break; }
      tests++;
      record(candidate, leafA, leafB, testLeaves(candidate, leafA, leafB));
    }
  }
  if (detail == detailAny && tests > 0u) { atomicAdd(&results[triangleTestsAt], tests); }
}
