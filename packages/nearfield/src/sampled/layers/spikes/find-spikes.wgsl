// Finds triangles that no line sees (Myszkowski et al., section 7: spikes are easily missed). A thread takes a triangle
// and walks along its longest side, half a pixel at a time. A place is seen if, in some pixel next to it, the body has
// a layer in front of it and one behind it, give or take two pixels. A triangle with an unseen place is listed, to be
// tested exactly.

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

/** If a side would need more steps than this, the steps are longer. */
const mostSteps = 1024.0;
/** Triangles wider than this, in pixels, are seen by some line except at sharp corners. */
const wide = 3.0;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  // A's spikes are already known if its maps are reused.
  let first = select(sides[1].first, 0u, layering.drawsA == 1u);
  for (var number = first + id.x; number < raster.triangleCount; number += 64u * groups.x) {
    let side = sideOfTriangle(number);
    let leaf = sides[side].leafOffset + number - sides[side].first;
    if (!isSpike(side, leaf)) { continue; }
    let at = atomicAdd(&layerState[spikesState], 1u);
    if (at < layering.spikeRoom) { spikes[at] = 2u * order[leaf] + side; }
  }
}

/** Position and depth in pixels from the tile's corner. */
fn inPixels(vertex: vec3i) -> vec3f {
  let corner = vec2f(f32(tiles[0].firstColumn), f32(tiles[0].firstRow));
  return vec3f(vertex) / f32(1u << tiles[0].cellBits) - vec3f(corner, 0.0);
}

fn isSpike(side: u32, leaf: u32) -> bool {
  var corners = array<vec3f, 3>(
    inPixels(vertexOfSide(side, leaves[3u * leaf].xyz)),
    inPixels(vertexOfSide(side, leaves[3u * leaf + 1u].xyz)),
    inPixels(vertexOfSide(side, leaves[3u * leaf + 2u].xyz)),
  );
  let low = min(min(corners[0].xy, corners[1].xy), corners[2].xy);
  let high = max(max(corners[0].xy, corners[1].xy), corners[2].xy);
  let size = vec2f(f32(tiles[0].columns), f32(tiles[0].rows));
  if (any(high < vec2f(0.0)) || any(low > size)) { return false; }
  var start = corners[0];
  var way = corners[1] - corners[0];
  for (var k = 1u; k < 3u; k++) {
    let other = corners[(k + 1u) % 3u] - corners[k];
    if (dot(other, other) <= dot(way, way)) { continue; }
    start = corners[k];
    way = other;
  }
  let u = corners[1].xy - corners[0].xy;
  let v = corners[2].xy - corners[0].xy;
  if (abs(u.x * v.y - u.y * v.x) > wide * length(way.xy)) { return false; }
  let steps = clamp(ceil(2.0 * length(way)), 1.0, mostSteps);
  for (var s = 0.5; s < steps; s += 1.0) {
    let place = start + way * (s / steps);
    if (any(place.xy < vec2f(0.0)) || any(place.xy >= size)) { continue; }
    if (!isSeen(side, place)) { return true; }
  }
  return false;
}

fn isSeen(side: u32, place: vec3f) -> bool {
  let columns = i32(tiles[0].columns);
  let rows = i32(tiles[0].rows);
  let middle = vec2i(floor(place.xy));
  let unitsPerPixel = f32(1u << tiles[0].cellBits);
  for (var y = max(0, middle.y - 1); y <= min(rows - 1, middle.y + 1); y++) {
    for (var x = max(0, middle.x - 1); x <= min(columns - 1, middle.x + 1); x++) {
      let layers = layersAt(side, u32(y * columns + x));
      if (layers.z == 0u) { continue; }
      let last = f32(bitcast<i32>(layers.x ^ 0x80000000u)) / unitsPerPixel;
      let first = f32(bitcast<i32>(~layers.y ^ 0x80000000u)) / unitsPerPixel;
      if (place.z > first - 2.0 && place.z < last + 2.0) { return true; }
    }
  }
  return false;
}

/** The last depth, first depth and count of a body's layers in a pixel, as stored. */
fn layersAt(side: u32, pixel: u32) -> vec3u {
  if (side == 0u) {
    let at = mapWords * pixel;
    return vec3u(layersA[at + lastWord], layersA[at + firstWord], layersA[at + countWord]);
  }
  let at = testWords * pixel;
  return vec3u(layersB[at + lastWord], layersB[at + firstWord], layersB[at + countWord]);
}
