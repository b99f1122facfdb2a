// The frames of all candidate pairs.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> frames: array<Frame>;
@group(0) @binding(4) var<storage, read_write> workItems: array<u32>;
@group(0) @binding(5) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  // More candidates than there is room for: the query will be run again.
  let count = min(results[candidatesAt], min(arrayLength(&candidates), arrayLength(&frames)));
  for (var pair = id.x; pair < count; pair += groups.x * 64u) {
    let items = framePair(pair, count);
    workItems[pair] = items;
    results[resultHead + pair] = firstWord(items);
  }
}
