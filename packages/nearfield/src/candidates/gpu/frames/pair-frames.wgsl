// Computes the frames of all candidate pairs.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> frames: array<Frame>;
@group(0) @binding(4) var<storage, read_write> workItems: array<u32>;
@group(0) @binding(5) var<storage, read_write> results: array<u32>;

var<workgroup> groupPairs: u32;

@compute @workgroup_size(64)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  // If there are more candidates than capacity, the query will be run again.
  if (thread == 0u) { groupPairs = min(results[candidatesAt], min(arrayLength(&candidates), arrayLength(&frames))); }
  let count = workgroupUniformLoad(&groupPairs);
  for (var first = group.x * 8u; first < count; first += groups.x * 8u) {
    let pair = first + thread / 8u;
    let items = framePair(pair, count, thread, pair < count);
    if (pair < count && thread % 8u == 0u) {
      workItems[pair] = items;
      results[resultHead + pair] = firstWord(items);
    }
  }
}
