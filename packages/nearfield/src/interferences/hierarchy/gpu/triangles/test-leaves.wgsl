// Tests the triangles of all leaf pairs found, and records those that meet or may meet. If the question is only
// whether bodies meet, leaf pairs are skipped once enough is known about their candidate.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read> leafPairs: array<u32>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> certainPairs: array<u32>;
@group(0) @binding(7) var<storage, read_write> unsurePairs: array<u32>;

@compute @workgroup_size(64)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  // If there are more leaf pairs than capacity, the query will be run again.
  let count = min(atomicLoad(&results[leafPairsAt]), arrayLength(&leafPairs) / 3u);
  var tests = 0u;
  for (var i = id.x; i < count; i += groups.x * 64u) {
    let candidate = leafPairs[3u * i];
    if (isDone(candidate)) { continue; }
    tests++;
    let leafA = leafPairs[3u * i + 1u];
    let leafB = leafPairs[3u * i + 2u];
    record(candidate, leafA, leafB, testLeaves(candidate, leafA, leafB));
  }
  finishCertain(thread);
  if (detail == detailAny && tests > 0u) { atomicAdd(&results[triangleTestsAt], tests); }
}
