// Lists triangles of which no line sees some part (unseen.wgsl), one thread per triangle. Triangles that touch many
// pixels are left to find-large-spikes.wgsl.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> layering: LayersQuestion;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read> sides: array<Side>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read> order: array<u32>;
@group(0) @binding(6) var<storage, read> layersA: array<u32>;
@group(0) @binding(7) var<storage, read> layersB: array<u32>;
@group(0) @binding(8) var<storage, read_write> layerState: array<atomic<u32>>;
/** From the front: spikes, twice the triangle's index plus the side. From the back: strips of large triangles. */
@group(0) @binding(9) var<storage, read_write> spikes: array<u32>;

/** If a triangle's bounding rectangle has more pixels than this, workgroups take it strip by strip. */
const mostPixels = 64;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  // A's spikes are already known if its maps are reused.
  let first = select(sides[1].first, 0u, layering.drawsA == 1u);
  for (var number = first + id.x; number < raster.triangleCount; number += 64u * groups.x) {
    let side = sideOfTriangle(number);
    let leaf = sides[side].leafOffset + number - sides[side].first;
    let triangle = touchedBy(side, leaf);
    if (any(triangle.last < triangle.first)) { continue; }
    let size = triangle.last - triangle.first + 1;
    if (size.x > mostPixels || size.y > mostPixels || size.x * size.y > mostPixels) {
      listStrips(number, u32(triangle.first.y) / 16u, u32(triangle.last.y) / 16u);
      continue;
    }
    if (isSpike(side, triangle)) { listSpike(side, leaf); }
  }
}

fn isSpike(side: u32, triangle: Unseen) -> bool {
  let depths = depthsOf(triangle);
  for (var y = triangle.first.y; y <= triangle.last.y; y++) {
    for (var x = triangle.first.x; x <= triangle.last.x; x++) {
      // If all its depths are seen here, so are those of its part. That costs less than finding the part.
      if (isSeenBetween(side, vec2i(x, y), depths)) { continue; }
      if (isUnseenAt(side, triangle, vec2i(x, y))) { return true; }
    }
  }
  return false;
}

/** A strip of 16 rows has two words: the triangle's index among those of both sides, and the strip's. */
fn listStrips(number: u32, first: u32, last: u32) {
  let place = atomicAdd(&layerState[spikeStripsState], last - first + 1u);
  for (var strip = first; strip <= last; strip++) {
    let i = place + strip - first;
    if (i >= layering.spikeStripRoom) { break; }
    spikes[layering.spikeRoom + 2u * i] = number;
    spikes[layering.spikeRoom + 2u * i + 1u] = strip;
  }
}
