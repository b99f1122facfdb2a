// Lists large triangles of which no line sees some part (unseen.wgsl). A workgroup takes a strip of 16 rows, in blocks
// of 16 columns, with one thread per pixel. A triangle is listed at most once per strip.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> layering: LayersQuestion;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read> sides: array<Side>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read> order: array<u32>;
@group(0) @binding(6) var<storage, read> layersA: array<u32>;
@group(0) @binding(7) var<storage, read> layersB: array<u32>;
@group(0) @binding(8) var<storage, read_write> layerState: array<atomic<u32>>;
@group(0) @binding(9) var<storage, read_write> spikes: array<u32>;

var<workgroup> sharedCount: u32;
var<workgroup> isListed: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  if (thread == 0u) { sharedCount = min(atomicLoad(&layerState[spikeStripsState]), layering.spikeStripRoom); }
  let count = workgroupUniformLoad(&sharedCount);
  for (var i = group.x; i < count; i += groups.x) {
    let number = spikes[layering.spikeRoom + 2u * i];
    let strip = spikes[layering.spikeRoom + 2u * i + 1u];
    let side = sideOfTriangle(number);
    let leaf = sides[side].leafOffset + number - sides[side].first;
    let triangle = touchedBy(side, leaf);
    let y = i32(16u * strip + thread / 16u);
    if (y >= triangle.first.y && y <= triangle.last.y) {
      for (var x = triangle.first.x + i32(thread % 16u); x <= triangle.last.x; x += 16) {
        if (atomicLoad(&isListed) != 0u) { break; }
        if (!isUnseenAt(side, triangle, vec2i(x, y))) { continue; }
        if (atomicExchange(&isListed, 1u) == 0u) { listSpike(side, leaf); }
        break;
      }
    }
    workgroupBarrier();
    if (thread == 0u) { atomicStore(&isListed, 0u); }
    workgroupBarrier();
  }
}
