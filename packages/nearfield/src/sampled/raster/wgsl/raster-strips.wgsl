// Makes the fragments of triangles that span many pixels. A workgroup takes a strip of 16 rows, one block of 16 columns
// after the other, with one thread per pixel of a block. Threads wait for each other once per 32 blocks, not once per
// block: first they note which pixels are covered, then slots for all of those are reserved.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<storage, read> tiles: array<Tile>;
@group(0) @binding(2) var<storage, read> sides: array<Side>;
@group(0) @binding(3) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(4) var<storage, read_write> heads: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> fragments: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> rasterState: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read> strips: array<vec2u>;

/** Beyond this count the list can never be large enough. The counter must not wrap before the question runs again. */
const tooMany = 0x40000000u;

var<workgroup> corners: array<vec3i, 3>;
var<workgroup> sharedWord: u32;
var<workgroup> groupCount: atomic<u32>;
var<workgroup> groupError: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  if (thread == 0u) { sharedWord = min(atomicLoad(&rasterState[stripsAt]), raster.stripRoom); }
  let count = workgroupUniformLoad(&sharedWord);
  for (var i = group.x; i < count; i += groups.x) {
    let number = strips[i].x;
    let side = sideOfTriangle(number);
    let leaf = sides[side].leafOffset + number - sides[side].first;
    let tile = sides[side].tile;
    // Placing a corner takes longer than testing a pixel, so three threads do it for all.
    if (thread < 3u) { corners[thread] = vertexOfSide(side, leaves[3u * leaf + thread].xyz); }
    let placed = workgroupUniformLoad(&corners);
    let seen = seenCorners(side, placed[0], placed[1], placed[2]);
    let row = i32(16u * strips[i].y + thread / 16u);
    let pixelsPerUnit = 1.0 / f32(1u << tiles[tile].cellBits);
    let end = u32(seen.last.x) / 16u + 1u;
    for (var start = u32(seen.first.x) / 16u; start < end; start += 32u) {
      let column = i32(16u * start + thread % 16u);
      var covered = 0u;
      for (var block = 0u; block < min(32u, end - start); block++) {
        let place = vec2i(column + 16 * i32(block), row);
        if (any(place < seen.first) || any(place > seen.last)) { continue; }
        let weights = weightsAt(seen, middleOf(tile, place));
        if (isCovered(tile, pixelAt(tile, place), seen, weights)) { covered |= 1u << block; }
      }
      var slot = 0u;
      if (covered != 0u) { slot = atomicAdd(&groupCount, countOneBits(covered)); }
      workgroupBarrier();
      if (thread == 0u) {
        sharedWord = tooMany;
        let own = atomicExchange(&groupCount, 0u);
        if (own > 0u && atomicLoad(&rasterState[fragmentsAt]) < tooMany) {
          sharedWord = atomicAdd(&rasterState[fragmentsAt], own);
        }
      }
      slot += workgroupUniformLoad(&sharedWord);
      var error = 0.0;
      while (covered != 0u) {
        let place = vec2i(column + 16 * i32(firstTrailingBit(covered)), row);
        covered &= covered - 1u;
        let sample = sampleAt(seen, weightsAt(seen, middleOf(tile, place)));
        storeFragment(slot, side, leaf, pixelAt(tile, place), sample);
        error = max(error, sample.error);
        slot++;
      }
      // Positive floats have the order of their bits.
      if (error > 0.0) { atomicMax(&groupError, bitcast<u32>(error * pixelsPerUnit)); }
    }
  }
  workgroupBarrier();
  if (thread == 0u) {
    let error = atomicLoad(&groupError);
    if (error > 0u) { atomicMax(&rasterState[errorAt], error); }
  }
}
