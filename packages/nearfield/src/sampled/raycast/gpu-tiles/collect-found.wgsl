// Collects, for reading back, the few entries of very many candidates that matter: those in which rays or edges found
// something, and the open lines, each with its bodies and its place.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> tiling: Tiling;
@group(0) @binding(2) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(3) var<storage, read> tiles: array<Tile>;
@group(0) @binding(4) var<storage, read> tilePlaces: array<vec4i>;
@group(0) @binding(5) var<storage, read> rasterState: array<u32>;
@group(0) @binding(6) var<storage, read_write> castState: array<atomic<u32>>;
/** Per entry: two bodies, their candidate and its flags. */
@group(0) @binding(7) var<storage, read_write> foundPairs: array<vec4u>;
/**
 * Per line: two bodies, their candidate and the axis of the line; then its column, its row and the start of its depth,
 * in pixels from B.
 */
@group(0) @binding(8) var<storage, read_write> openLines: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = raster.tileCount / tiling.views;
  for (var c = id.x; c < count; c += groups.x * 64u) {
    let flags = atomicLoad(&castState[flagsAt + c]);
    if (flags == 0u) { continue; }
    let place = atomicAdd(&castState[foundAt], 1u);
    if (place < arrayLength(&foundPairs)) { foundPairs[place] = vec4u(candidates[c], c, flags); }
  }
  let lines = min(rasterState[unsureAt], raster.unsureRoom);
  for (var i = id.x; i < lines; i += groups.x * 64u) {
    let pixel = rasterState[stateWords + i];
    let number = tileOfPixel(pixel);
    let tile = tiles[number];
    let place = tilePlaces[number];
    let within = pixel - tile.firstPixel;
    let corner = place.xyz + vec3i(vec3u(within % tile.columns, within / tile.columns, 0u));
    if (2u * i + 1u >= arrayLength(&openLines)) { break; }
    openLines[2u * i] = vec4u(candidates[tile.candidate], tile.candidate, u32(place.w));
    openLines[2u * i + 1u] = vec4u(bitcast<vec3u>(corner), 0u);
  }
}
