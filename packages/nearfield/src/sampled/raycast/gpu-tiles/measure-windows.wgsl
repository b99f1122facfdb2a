// Measures the windows (the common parts of candidates' boxes). Each workgroup takes its share and writes the box
// around those windows, the longest side in view, and the area, in the scene's unit.

@group(0) @binding(0) var<uniform> tiling: Tiling;
@group(0) @binding(1) var<storage, read> boxes: array<vec4f>;
@group(0) @binding(2) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(3) var<storage, read> results: array<u32>;
@group(0) @binding(4) var<storage, read_write> layState: array<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let count = min(results[candidatesAt], arrayLength(&candidates));
  // The box. The fourth components hold the longest side, negated, and the area.
  var low = vec4f(0x1p62, 0x1p62, 0x1p62, 0.0);
  var high = vec4f(-0x1p62, -0x1p62, -0x1p62, 0.0);
  for (var c = group.x * 256u + thread; c < count; c += groups.x * 256u) {
    let window = windowOf(candidates[c]);
    let size = window.high - window.low;
    low = vec4f(min(low.xyz, window.low), low.w);
    high = vec4f(max(high.xyz, window.high), high.w);
    for (var view = 0u; view < tiling.views; view++) {
      let axis = axisOf(size, view);
      let width = size[(axis + 1u) % 3u];
      let height = size[(axis + 2u) % 3u];
      low.w = min(low.w, -max(width, height));
      high.w += width * height / f32(tiling.views);
    }
  }
  joinInWorkgroup(thread, low, high);
  if (thread == 0u) {
    let at = blocksLaid + blockWords * group.x;
    for (var k = 0u; k < 4u; k++) {
      layState[at + k] = bitcast<u32>(lows[0][k]);
      layState[at + 4u + k] = bitcast<u32>(highs[0][k]);
    }
  }
}
