// Which sites may be nearest to samples: a workgroup takes one slice of a tile, which shows a block of samples and a body. It
// bounds the distance of the samples that are asked about, and lists the sites that may be nearest to one of them
// (meshes/blocks.ts), in an order that does not depend on the threads.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<uniform> meshing: Meshing;
@group(0) @binding(2) var<storage, read> windows: array<Window>;
@group(0) @binding(3) var<storage, read> sitings: array<Siting>;
@group(0) @binding(4) var<storage, read> siteCorners: array<vec4i>;
@group(0) @binding(5) var<storage, read> sites: array<Site>;
/** The blocks with points, if not all are drawn. */
@group(0) @binding(6) var<storage, read> drawnBlocks: array<u32>;
/** Above 0 for the points of the volume. */
@group(0) @binding(7) var<storage, read> counters: array<i32>;
@group(0) @binding(8) var<storage, read_write> sliceLists: array<u32>;
@group(0) @binding(9) var<storage, read_write> meshHead: array<atomic<u32>>;

const threads = 256u;
/** Each thread looks at this many sites before those kept are listed. */
const rounds = 8u;
/** No list has so many words. */
const beyondLists = 0xf0000000u;

/** From here on words are counted no further (meshes.ts). */
override mostCounted: u32;

var<workgroup> tileCount: u32;
/** The bits of the squared distance of the rectangle's middle, in cells. */
var<workgroup> bound: atomic<u32>;
/** The samples of the slice that are asked about: six bits per row, three rows per word. */
var<workgroup> neededRows: array<atomic<u32>, 2>;
var<workgroup> neededHere: vec2u;
/** The last segment of the slice, and the word that links to the next. */
var<workgroup> segmentHere: u32;
var<workgroup> lastLink: u32;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  // If there is no room, nothing is drawn: the question is asked again.
  if (thread == 0u) {
    let tiles = atomicLoad(&meshHead[blocksDrawnAt]) * meshing.bodyCount;
    tileCount = select(0u, tiles, tiles <= meshing.tileRoom);
  }
  let tiles = workgroupUniformLoad(&tileCount);
  let side = tileSide();
  for (var slice = group.x; slice < tiles * side; slice += groups.x) { gatherSlice(thread, slice / side, slice % side); }
}

fn gatherSlice(thread: u32, tile: u32, slice: u32) {
  let body = tile % meshing.bodyCount;
  let slot = tile / meshing.bodyCount;
  let block = select(drawnBlocks[slot], meshing.firstBlock + slot, meshing.halo == 0u);
  let number = windowOfBrick(block);
  let corner = cornerOf(number, block);
  let side = tileSide();
  if (thread < 2u) { atomicStore(&neededRows[thread], 0u); }
  workgroupBarrier();
  if (thread < side * side && isNeeded(number, corner, vec3u(thread % side, thread / side, slice))) {
    let row = thread / side;
    atomicOr(&neededRows[row / 3u], 1u << (6u * (row % 3u) + thread % side));
  }
  workgroupBarrier();
  if (thread == 0u) { neededHere = vec2u(atomicLoad(&neededRows[0]), atomicLoad(&neededRows[1])); }
  let bits = workgroupUniformLoad(&neededHere);
  // The rectangle around the samples.
  let columns = bits.x | bits.y | ((bits.x | bits.y) >> 6u) | ((bits.x | bits.y) >> 12u);
  let rows = rowBits(bits.x) | (rowBits(bits.y) << 3u);
  let record = sliceWords * (tile * side + slice);
  if (rows == 0u) {
    if (thread == 0u) { sliceLists[record + segmentAt] = 0u; }
    return;
  }
  let first = vec2f(f32(firstTrailingBit(columns & 63u)), f32(firstTrailingBit(rows)));
  let last = vec2f(f32(firstLeadingBit(columns & 63u)), f32(firstLeadingBit(rows)));
  let low = vec3f(vec3i(windows[number].low.xyz + corner) - i32(meshing.halo)) + vec3f(0.0, 0.0, f32(slice));
  let start = low + vec3f(first, 0.0) + 0.5;
  let size = vec3f(last - first, 0.0);
  let limit = boundSlice(thread, body, start, size);
  if (thread == 0u) {
    for (var axis = 0u; axis < 3u; axis++) { sliceLists[record + axis] = bitcast<u32>(start[axis]); }
    for (var axis = 0u; axis < 2u; axis++) {
      sliceLists[record + sizeAt + axis] = bitcast<u32>(size[axis]);
      sliceLists[record + lowAt + axis] = bitcast<u32>(low[axis]);
      sliceLists[record + neededAt + axis] = bits[axis];
    }
    sliceLists[record + limitAt] = bitcast<u32>(limit);
    sliceLists[record + segmentAt] = 0u;
    lastLink = record + segmentAt;
  }
  let siteCount = sitings[body].triangles + sitings[body].edges + sitings[body].vertices;
  for (var begin = 0u; begin < siteCount; begin += rounds * threads) {
    var near = 0u;
    for (var round = 0u; round < rounds; round++) {
      let site = begin + round * threads + thread;
      if (site < siteCount && isNear(sitings[body].firstSite + site, start, size, limit)) { near |= 1u << round; }
    }
    let scanned = scanWorkgroup(thread, countOneBits(near));
    if (thread == 0u) {
      segmentHere = 0u;
      if (scanned.total > 0u) {
        segmentHere = beyondLists;
        // A counter that went on would wrap.
        if (atomicLoad(&meshHead[nearAt]) < mostCounted) {
          let words = sliceWords * meshing.tileRoom * side;
          segmentHere = words + atomicAdd(&meshHead[nearAt], scanned.total + 2u);
        }
        if (segmentHere + scanned.total + 2u <= arrayLength(&sliceLists)) {
          sliceLists[lastLink] = segmentHere;
          sliceLists[segmentHere] = scanned.total;
          sliceLists[segmentHere + 1u] = 0u;
          lastLink = segmentHere + 1u;
        }
      }
    }
    var place = workgroupUniformLoad(&segmentHere) + 2u + scanned.before;
    for (var round = 0u; round < rounds; round++) {
      if ((near & (1u << round)) == 0u) { continue; }
      if (place < arrayLength(&sliceLists)) {
        sliceLists[place] = sitings[body].firstSite + begin + round * threads + thread;
      }
      place++;
    }
  }
}

/** Which of three rows have a bit. */
fn rowBits(rows: u32) -> u32 {
  return select(0u, 1u, (rows & 63u) != 0u) | select(0u, 2u, ((rows >> 6u) & 63u) != 0u)
    | select(0u, 4u, ((rows >> 12u) & 63u) != 0u);
}

/** Whether a sample of a tile is asked about: with samples around the block, only its points and those beside them are. */
fn isNeeded(number: u32, corner: vec3u, sample: vec3u) -> bool {
  let within = vec3i(sample) - i32(meshing.halo);
  if (meshing.halo == 0u) { return all(corner + sample < windows[number].size.xyz); }
  var result = isPoint(number, corner, within);
  for (var axis = 0u; axis < 3u; axis++) {
    var step = vec3i(0);
    step[axis] = 1;
    result = result || isPoint(number, corner, within - step) || isPoint(number, corner, within + step);
  }
  return result;
}

/** Whether a sample of a block is a point of the volume. */
fn isPoint(number: u32, corner: vec3u, within: vec3i) -> bool {
  let size = windows[number].size.xyz;
  let at = vec3u(vec3i(corner) + within);
  if (any(within < vec3i(0)) || any(within >= vec3i(i32(blockSide))) || any(at >= size)) { return false; }
  return counters[windows[number].counters + (at.z * size.y + at.y) * size.x + at.x] > 0;
}

/** No sample of the slice is farther from the body. `start` is its first sample, `size` the way to the last. */
fn boundSlice(thread: u32, body: u32, start: vec3f, size: vec3f) -> f32 {
  let cell = windows[0].cell;
  let middle = start + 0.5 * size;
  if (thread == 0u) { atomicStore(&bound, bitcast<u32>(0x1p60f)); }
  workgroupBarrier();
  let first = sitings[body].firstTriangle;
  for (var i = thread; i < sitings[body].triangles; i += threads) {
    let at = 3u * (first + i);
    let a = vec3f(siteCorners[at].xyz) / cell - middle;
    let b = vec3f(siteCorners[at + 1u].xyz) / cell - middle;
    let c = vec3f(siteCorners[at + 2u].xyz) / cell - middle;
    // A triangle whose box is farther away than the least so far, by more than any rounding, cannot be nearer.
    let gap = max(max(min(min(a, b), c), -max(max(a, b), c)), vec3f(0.0));
    if (length(gap) > sqrt(bitcast<f32>(atomicLoad(&bound))) + meshing.slack) { continue; }
    let found = nearestOnTriangle(a, b, c).point;
    atomicMin(&bound, bitcast<u32>(dot(found, found)));
  }
  workgroupBarrier();
  // Distances are off by 2^-18 of the way to the farthest corner, or are too large (foot-in-triangle.wgsl).
  let radius = 0.5 * length(size);
  let most = (sqrt(bitcast<f32>(atomicLoad(&bound))) + radius) * (1.0 + 0x1p-10) + meshing.slack;
  return select(most, min(most, meshing.upTo), meshing.upTo > 0.0);
}

/** Whether a site may be nearest to a sample of the slice. */
fn isNear(site: u32, start: vec3f, size: vec3f, limit: f32) -> bool {
  let gap = max(max(start - sites[site].high.xyz, sites[site].low.xyz - (start + size)), vec3f(0.0));
  if (!(dot(gap, gap) <= limit * limit)) { return false; }
  let half = 0.5 * size;
  let middle = start + half - sites[site].place.xyz;
  for (var i = 0u; i < sites[site].spaceCount; i++) {
    let space = sites[site].spaces[i];
    let most = dot(half, abs(space.xyz));
    if (dot(space.xyz, middle) + space.w + most + meshing.slack < 0.0) { return false; }
  }
  return true;
}
