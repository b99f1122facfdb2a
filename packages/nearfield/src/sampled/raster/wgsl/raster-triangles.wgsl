// Makes the fragments of all triangles of all sides, one thread per triangle. Fragments are counted first, so that a
// workgroup reserves slots for all of its own at once. The covered pixels are kept in 64 bits, so that exactly the
// counted ones are written, however the compiler arranges the arithmetic. Triangles that span many pixels are left to
// raster-strips.wgsl.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<storage, read> tiles: array<Tile>;
@group(0) @binding(2) var<storage, read> sides: array<Side>;
@group(0) @binding(3) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(4) var<storage, read_write> heads: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> fragments: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> rasterState: array<atomic<u32>>;
/** The index of the triangle among those of all sides, and of the strip of 16 rows of its tile. */
@group(0) @binding(7) var<storage, read_write> strips: array<vec2u>;

/** If a triangle's bounding rectangle has more pixels than this, workgroups take it strip by strip. */
const mostPixels = 64;

var<workgroup> sharedFirst: u32;
var<workgroup> groupCount: atomic<u32>;
var<workgroup> groupError: atomic<u32>;

@compute @workgroup_size(128)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  for (var start = group.x * 128u; start < raster.triangleCount; start += groups.x * 128u) {
    let number = start + thread;
    var covered = vec2u(0u);
    var seen: Seen;
    var side = 0u;
    var leaf = 0u;
    if (number < raster.triangleCount) {
      side = sideOfTriangle(number);
      leaf = sides[side].leafOffset + number - sides[side].first;
      seen = seenTriangle(side, leaf);
      covered = coveredPixels(number, side, seen);
    }
    workgroupBarrier();
    if (thread == 0u) { atomicStore(&groupCount, 0u); }
    workgroupBarrier();
    let count = countOneBits(covered.x) + countOneBits(covered.y);
    var place = 0u;
    if (count > 0u) { place = atomicAdd(&groupCount, count); }
    workgroupBarrier();
    if (thread == 0u) {
      sharedFirst = 0u;
      let all = atomicLoad(&groupCount);
      if (all > 0u) { sharedFirst = atomicAdd(&rasterState[fragmentsAt], all); }
    }
    place += workgroupUniformLoad(&sharedFirst);
    if (count > 0u) { writeFragments(side, leaf, seen, covered, place); }
  }
  workgroupBarrier();
  if (thread == 0u) {
    let error = atomicLoad(&groupError);
    if (error > 0u) { atomicMax(&rasterState[errorAt], error); }
  }
}

fn isLarge(seen: Seen) -> bool {
  let size = seen.last - seen.first + 1;
  return size.x > mostPixels || size.y > mostPixels || size.x * size.y > mostPixels;
}

/** One bit per pixel of the triangle's rectangle, row by row. For a large triangle its strips are listed instead. */
fn coveredPixels(number: u32, side: u32, seen: Seen) -> vec2u {
  var covered = vec2u(0u);
  if (any(seen.last < seen.first)) { return covered; }
  if (isLarge(seen)) {
    let first = u32(seen.first.y) / 16u;
    let rows = u32(seen.last.y) / 16u - first + 1u;
    let place = atomicAdd(&rasterState[stripsAt], rows);
    for (var i = 0u; i < rows; i++) {
      if (place + i < raster.stripRoom) { strips[place + i] = vec2u(number, first + i); }
    }
    return covered;
  }
  let tile = sides[side].tile;
  let size = vec2u(seen.last - seen.first + 1);
  for (var n = 0u; n < size.x * size.y; n++) {
    let place = seen.first + vec2i(vec2u(n % size.x, n / size.x));
    if (isCovered(tile, pixelAt(tile, place), seen, weightsAt(seen, middleOf(tile, place)))) {
      if (n < 32u) { covered.x |= 1u << n; } else { covered.y |= 1u << (n - 32u); }
    }
  }
  return covered;
}

fn writeFragments(side: u32, leaf: u32, seen: Seen, covered: vec2u, first: u32) {
  let tile = sides[side].tile;
  let width = u32(seen.last.x - seen.first.x + 1);
  var slot = first;
  var error = 0.0;
  var left = covered;
  while (any(left != vec2u(0u))) {
    var n = 0u;
    if (left.x != 0u) {
      n = firstTrailingBit(left.x);
      left.x &= left.x - 1u;
    } else {
      n = 32u + firstTrailingBit(left.y);
      left.y &= left.y - 1u;
    }
    let place = seen.first + vec2i(vec2u(n % width, n / width));
    let sample = sampleAt(seen, weightsAt(seen, middleOf(tile, place)));
    storeFragment(slot, side, leaf, pixelAt(tile, place), sample);
    error = max(error, sample.error);
    slot++;
  }
  // Positive floats have the order of their bits.
  atomicMax(&groupError, bitcast<u32>(error / f32(1u << tiles[tile].cellBits)));
}
