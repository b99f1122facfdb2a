// Draws triangles that span many pixels. A workgroup takes a strip of 16 rows, in blocks of 16 columns, with one thread
// per pixel.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> layering: LayersQuestion;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read> sides: array<Side>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> layerState: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read> layerStrips: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> layersA: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> layersB: array<atomic<u32>>;

var<workgroup> groupError: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let count = min(atomicLoad(&layerState[stripsState]), layering.stripRoom);
  var error = 0.0;
  for (var i = group.x; i < count; i += groups.x) {
    let strip = layerStrips[i];
    if ((strip.x & 1u) != drawn) { continue; }
    let seen = seenTriangle(drawn, strip.x >> 1u);
    let y = i32(16u * strip.y + thread / 16u);
    if (y < seen.first.y || y > seen.last.y) { continue; }
    for (var x = seen.first.x + i32(thread % 16u); x <= seen.last.x; x += 16) {
      error = max(error, drawPixel(vec2i(x, y), seen));
    }
  }
  if (error > 0.0) { atomicMax(&groupError, bitcast<u32>(error)); }
  workgroupBarrier();
  if (thread == 0u) { atomicMax(&layerState[errorState], atomicLoad(&groupError)); }
}
