// Every pixel's ray against both bodies (Knott's Theorem 4.2 for all rays): do they have points in common along it, over more
// than what ends of stretches may be off? Edges alone do not decide: equal bodies have no edge within one another, and the edge
// of a large overlap can run just along its border. What rays find needs no edge, and is bounded by how far apart they are.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> casting: Casting;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read> heads: array<u32>;
@group(0) @binding(4) var<storage, read> fragments: array<vec4u>;
@group(0) @binding(5) var<storage, read> rasterState: array<u32>;
@group(0) @binding(6) var<storage, read_write> castState: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (rasterState[fragmentsAt] > raster.fragmentRoom || rasterState[stripsAt] > raster.stripRoom) { return; }
  // Both ends of a stretch are off by no more than this: a longer one is not empty.
  let least = 2.0 * (bitcast<f32>(rasterState[errorAt]) + raster.noise);
  for (var pixel = id.x; pixel < raster.pixelCount; pixel += groups.x * 64u) {
    if (casting.untilFirst == 1u && atomicLoad(&castState[anyAt]) != 0u) { return; }
    if (firstOf(pixel) == noFragment) { continue; }
    // Of a candidate that a ray has found nothing more is to be known: most lists are never followed.
    let tile = tileOfPixel(pixel);
    let flags = flagsAt + tiles[tile].candidate;
    if ((atomicLoad(&castState[flags]) & 1u) != 0u || isUnsure(pixel) || !meetsBoth(pixel)) { continue; }
    let stretch = commonStretch(pixel);
    if (f32(stretch.end - stretch.start) > least * f32(1u << tiles[tile].cellBits)) {
      atomicOr(&castState[flags], 1u);
      atomicStore(&castState[anyAt], 1u);
    }
  }
}

/** Whether the pixel has fragments of both bodies. */
fn meetsBoth(pixel: u32) -> bool {
  var met = 0u;
  for (var at = firstOf(pixel); at != noFragment && met != 3u; at = nextOf(at)) {
    met |= 1u << sideOfFragment(at);
  }
  return met == 3u;
}
