// Tests every pixel's ray against both bodies (Knott's Theorem 4.2 for all rays): do they have a common stretch longer
// than the error of its ends? Edges alone do not suffice: coincident bodies have no edge inside one another, and the
// edge of a large overlap can run just along its border. An interference that rays find needs no edge, and the distance
// between rays bounds what they miss.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> casting: Casting;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read_write> heads: array<u32>;
@group(0) @binding(4) var<storage, read_write> fragments: array<vec4u>;
@group(0) @binding(5) var<storage, read> rasterState: array<u32>;
@group(0) @binding(6) var<storage, read_write> castState: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (rasterState[fragmentsAt] > raster.fragmentRoom || rasterState[stripsAt] > raster.stripRoom) { return; }
  // The error of a stretch's two ends together: a longer stretch is not empty.
  let least = 2.0 * (bitcast<f32>(rasterState[errorAt]) + raster.noise);
  for (var pixel = id.x; pixel < raster.pixelCount; pixel += groups.x * 64u) {
    if (casting.untilFirst == 1u && atomicLoad(&castState[anyAt]) != 0u) { return; }
    if (firstOf(pixel) == noFragment) { continue; }
    // A candidate that a ray has found needs no further test, so most lists are never followed.
    let tile = tileOfPixel(pixel);
    let flags = flagsAt + tiles[tile].candidate;
    if ((atomicLoad(&castState[flags]) & 1u) != 0u || isUnsure(pixel) || !meetsBoth(pixel)) { continue; }
    sortList(pixel);
    let stretch = commonStretch(pixel);
    if (f32(stretch.end - stretch.start) > least * f32(1u << tiles[tile].cellBits)) {
      atomicOr(&castState[flags], 1u);
      atomicStore(&castState[anyAt], 1u);
    }
  }
}

/** Tells whether the pixel has fragments of both bodies. */
fn meetsBoth(pixel: u32) -> bool {
  var met = 0u;
  for (var at = firstOf(pixel); at != noFragment && met != 3u; at = nextOf(at)) {
    met |= 1u << sideOfFragment(at);
  }
  return met == 3u;
}
