// A workgroup for every block that was kept, a thread for every leaf: first each looks a little for its nearest, to lower the
// bound, then for all that is within it.

override budget: u32;

@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(2) var<storage, read> blocks: array<vec2u>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let blockCount = min(atomicLoad(&results[leafPairsAt]), arrayLength(&blocks));
  var boxTests = 0u;
  for (var i = group.x; i < blockCount; i += groups.x) {
    let candidate = blocks[i].x;
    let height = frames[candidate].halvings;
    let leaf = (blocks[i].y << height) + thread;
    let leafCount = select(frames[candidate].leafCountA, frames[candidate].leafCountB, frames[candidate].walker == 1u);
    if (thread >= (1u << height) || leaf >= leafCount || boundOf(candidate) <= 0.0) { continue; }
    boxTests += walkNearest(candidate, leaf, budget);
  }
  if (boxTests > 0u) {
    atomicAdd(&results[boxTestsAt], boxTests);
    atomicAdd(&results[triangleTestsAt], triangleTests);
  }
}
