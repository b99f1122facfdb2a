// Computes the size of pixels and the pixels of each tile: one tile per candidate and direction. Each workgroup sums up
// the needs of its share of the tiles, for the next kernel to place them.
//
// The largest window has as many pixels along its longer side as were asked for, and all windows together have no more
// than a square of that side; but pixels are never larger than for one picture of everything (tiling.ts). The size is
// rounded down to a power of two.

@group(0) @binding(0) var<uniform> tiling: Tiling;
@group(0) @binding(1) var<uniform> query: Query;
@group(0) @binding(2) var<storage, read> boxes: array<vec4f>;
@group(0) @binding(3) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(4) var<storage, read> results: array<u32>;
@group(0) @binding(5) var<storage, read> shapeOfBody: array<u32>;
@group(0) @binding(6) var<storage, read> shapeEdges: array<vec4u>;
@group(0) @binding(7) var<storage, read_write> tiles: array<Tile>;
/** Per tile: its first column, row and depth, in pixels from B; the axis it is viewed along. */
@group(0) @binding(8) var<storage, read_write> tilePlaces: array<vec4i>;
@group(0) @binding(9) var<storage, read_write> layState: array<u32>;

var<workgroup> pixels: atomic<u32>;
var<workgroup> triangles: atomic<u32>;
var<workgroup> edges: atomic<u32>;
var<workgroup> unfit: atomic<u32>;
var<workgroup> sizes: array<vec4f, 256>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  var low = vec4f(0x1p62, 0x1p62, 0x1p62, 0.0);
  var high = vec4f(-0x1p62, -0x1p62, -0x1p62, 0.0);
  for (var block = thread; block < groups.x; block += 256u) {
    let at = blocksLaid + blockWords * block;
    low = min(low, vec4f(wordAt(at), wordAt(at + 1u), wordAt(at + 2u), wordAt(at + 3u)));
    high = joinedHighs(high, vec4f(wordAt(at + 4u), wordAt(at + 5u), wordAt(at + 6u), wordAt(at + 7u)));
  }
  joinInWorkgroup(thread, low, high);
  let power = pixelPower(lows[0], highs[0]);
  let exponent = bitcast<i32>(query.originLow.w) + power;
  let scale = powerOfTwo(-power);
  var fits = abs(power) < 120;

  let wanted = results[candidatesAt] * tiling.views;
  // If there are more tiles than the capacity, or not all candidates are known, everything runs again.
  let listed = results[candidatesAt] <= arrayLength(&candidates) && wanted <= tiling.tileRoom;
  let count = select(0u, wanted, listed);
  let perBlock = (count + 256u * groups.x - 1u) / (256u * groups.x) * 256u;
  var sums = vec4f(0.0);
  for (var tile = group.x * perBlock + thread; tile < min(count, (group.x + 1u) * perBlock); tile += 256u) {
    let candidate = tile / tiling.views;
    let pair = candidates[candidate];
    let window = windowOf(pair);
    let axis = axisOf(window.high - window.low, tile % tiling.views);
    var first = vec3i(0);
    var last = vec3i(0);
    for (var row = 0u; row < 3u; row++) {
      let k = (axis + 1u + row) % 3u;
      let origin = decodeDouble(vec2u(query.originLow[k], query.originHigh[k]));
      let base = baseOf(origin, exponent);
      let shift = f32(latticeShift[row]) / 1024.0 - base.rest;
      // Rounded outward by more than the roundings of these sums.
      let bounds = vec2f(window.low[k], window.high[k]) * scale;
      let spare = 0x1p-20 * (abs(bounds) + 4.0);
      fits = fits && base.fits && all(abs(bounds) < vec2f(0x1p27));
      first[row] = i32(floor(bounds.x - spare.x - shift));
      last[row] = i32(floor(bounds.y + spare.y - shift));
    }
    var size = vec3u(last - first + 1);
    if (!fits || any(size > vec3u(0xffffu))) {
      fits = false;
      size = vec3u(1u);
    }
    tilePlaces[tile] = vec4i(first, i32(axis));
    // The next kernel places the tile; it needs the total number of pixels and the depth in pixels.
    tiles[tile] = Tile(size.x * size.y, size.x, size.y, candidate, 0, 0, 0u, i32(size.z));
    let a = shapeEdges[shapeOfBody[pair.x]];
    let b = shapeEdges[shapeOfBody[pair.y]];
    atomicAdd(&pixels, size.x * size.y);
    atomicAdd(&triangles, a.z + b.z);
    atomicAdd(&edges, a.y + b.y);
    sums += vec4f(f32(size.x) * f32(size.y), f32(a.z) + f32(b.z), f32(a.y) + f32(b.y), 0.0);
  }
  // Without tiles the size of a pixel means nothing.
  if (!fits && count > 0u) { atomicStore(&unfit, 1u); }
  sizes[thread] = sums;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (thread < half) { sizes[thread] += sizes[thread + half]; }
    workgroupBarrier();
  }
  if (thread == 0u) {
    let at = blocksLaid + blockWords * group.x + 8u;
    layState[at] = atomicLoad(&pixels);
    layState[at + 1u] = atomicLoad(&triangles);
    layState[at + 2u] = atomicLoad(&edges);
    // Also stored as singles, which show whether the integers wrapped.
    for (var k = 0u; k < 3u; k++) { layState[at + 3u + k] = bitcast<u32>(sizes[0][k]); }
    layState[at + 6u] = atomicLoad(&unfit);
    if (group.x == 0u) {
      layState[candidatesLaid] = results[candidatesAt];
      layState[tilesLaid] = wanted;
      layState[pixelExponentLaid] = bitcast<u32>(exponent);
    }
  }
}

fn wordAt(at: u32) -> f32 { return bitcast<f32>(layState[at]); }

/** The greatest power of two, in the scene's unit, that does not exceed a pixel's side. */
fn pixelPower(low: vec4f, high: vec4f) -> i32 {
  let extent = high.xyz - low.xyz;
  let whole = max(extent.x, max(extent.y, extent.z));
  let side = min(whole, max(-low.w, sqrt(high.w)));
  // Slightly reduced, because sums are rounded.
  let pixel = side * (1.0 - 0x1p-18) / f32(max(1u, tiling.resolution - 1u));
  return i32((bitcast<u32>(pixel) >> 23u) & 0xffu) - 127;
}
