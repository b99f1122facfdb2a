// Draws a body into its maps, one thread per triangle. Triangles that span many pixels are left to draw-strips.wgsl.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> layering: LayersQuestion;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read> sides: array<Side>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> layerState: array<atomic<u32>>;
/** Twice the leaf's index plus the side; then the index of the strip of 16 rows of the tile. */
@group(0) @binding(6) var<storage, read_write> layerStrips: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> layersA: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> layersB: array<atomic<u32>>;

/** If a triangle's bounding rectangle has more pixels than this, workgroups take it strip by strip. */
const mostPixels = 64;

var<workgroup> groupError: atomic<u32>;

@compute @workgroup_size(64)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  var error = 0.0;
  for (var i = id.x; i < sides[drawn].leafCount; i += 64u * groups.x) {
    let leaf = sides[drawn].leafOffset + i;
    let seen = seenTriangle(drawn, leaf);
    if (any(seen.last < seen.first)) { continue; }
    let size = seen.last - seen.first + 1;
    if (size.x > mostPixels || size.y > mostPixels || size.x * size.y > mostPixels) {
      listStrips(leaf, u32(seen.first.y) / 16u, u32(seen.last.y) / 16u);
      continue;
    }
    for (var y = seen.first.y; y <= seen.last.y; y++) {
      for (var x = seen.first.x; x <= seen.last.x; x++) {
        error = max(error, drawPixel(vec2i(x, y), seen));
      }
    }
  }
  if (error > 0.0) { atomicMax(&groupError, bitcast<u32>(error)); }
  workgroupBarrier();
  if (thread == 0u) { atomicMax(&layerState[errorState], atomicLoad(&groupError)); }
}

fn listStrips(leaf: u32, first: u32, last: u32) {
  let place = atomicAdd(&layerState[stripsState], last - first + 1u);
  for (var strip = first; strip <= last; strip++) {
    let at = place + strip - first;
    if (at < layering.stripRoom) { layerStrips[at] = vec2u(2u * leaf + drawn, strip); }
  }
}
