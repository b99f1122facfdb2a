// Candidates: every two bodies whose boxes meet, all pairs in tiles of 256 × 256, a quarter of a tile at a time through
// workgroup memory. With many bodies they are put in order along a Hilbert curve first, and tiles that are apart are passed
// over; the module that defines `bodyAt` and `tilesApart` says which. A workgroup keeps what it finds and reserves room for
// it at once: additions to one counter wait for each other.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> boxes: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> candidates: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> results: array<atomic<u32>>;

const quarter = 64u;
const mostKept = 512u;
/** Hopelessly many: the counter must not wrap before the query is given up. */
const tooMany = 0x40000000u;

var<workgroup> tileBodies: array<u32, quarter>;
var<workgroup> tileLow: array<vec3f, quarter>;
var<workgroup> tileHigh: array<vec3f, quarter>;
var<workgroup> kept: array<vec2u, mostKept>;
/** It may exceed the room: what has none is listed at once. */
var<workgroup> keptLength: atomic<u32>;
var<workgroup> keptCount: u32;
var<workgroup> keptPlace: u32;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let tiles = (query.bodyCount + 255u) / 256u;
  let quarters = 4u * (tiles * (tiles + 1u) / 2u);
  for (var place = group.x; place < quarters; place += groups.x) {
    // Tile pair (row, column), column ≤ row, in triangular order. The root is a guess, put right by steps.
    let pair = place / 4u;
    var row = u32((sqrt(8.0 * f32(pair) + 1.0) - 1.0) * 0.5);
    while (row * (row + 1u) / 2u > pair) { row--; }
    while ((row + 1u) * (row + 2u) / 2u <= pair) { row++; }
    let column = pair - row * (row + 1u) / 2u;
    let first = column * 256u + (place % 4u) * quarter;
    // Nobody of the row comes after the first of the quarter, or there is no first.
    if (first >= min(query.bodyCount, row * 256u + 255u) || tilesApart(row, column)) { continue; }

    workgroupBarrier();
    if (thread < quarter && first + thread < query.bodyCount) {
      let body = bodyAt(first + thread);
      tileBodies[thread] = body;
      tileLow[thread] = boxes[2u * body].xyz;
      tileHigh[thread] = boxes[2u * body + 1u].xyz;
    }
    workgroupBarrier();
    let mine = row * 256u + thread;
    if (mine < query.bodyCount) { findMeeting(mine, first); }
    listKept(thread);
  }
}

/** Of the quarter from `first` on, the bodies before this one that meet it; boxes after those there are count for nothing. */
fn findMeeting(mine: u32, first: u32) {
  let body = bodyAt(mine);
  let low = boxes[2u * body].xyz;
  let high = boxes[2u * body + 1u].xyz;
  for (var i = 0u; i < quarter; i += 4u) {
    // Without a branch: nearly all are apart.
    var meeting = u32(all((low <= tileHigh[i]) & (tileLow[i] <= high)));
    meeting |= u32(all((low <= tileHigh[i + 1u]) & (tileLow[i + 1u] <= high))) << 1u;
    meeting |= u32(all((low <= tileHigh[i + 2u]) & (tileLow[i + 2u] <= high))) << 2u;
    meeting |= u32(all((low <= tileHigh[i + 3u]) & (tileLow[i + 3u] <= high))) << 3u;
    if (meeting == 0u) { continue; }
    if (first + i >= mine) { return; }
    meeting &= (1u << min(4u, mine - first - i)) - 1u;
    while (meeting != 0u) {
      let other = tileBodies[i + firstTrailingBit(meeting)];
      meeting &= meeting - 1u;
      if (!keep(vec2u(min(body, other), max(body, other)))) { return; }
    }
  }
}

/** False where there are too many. */
fn keep(pair: vec2u) -> bool {
  let at = atomicAdd(&keptLength, 1u);
  if (at < mostKept) {
    kept[at] = pair;
    return true;
  }
  let place = atomicAdd(&results[candidatesAt], 1u);
  if (place < arrayLength(&candidates)) { candidates[place] = pair; }
  return place < tooMany;
}

/** Call in uniform control flow. */
fn listKept(thread: u32) {
  workgroupBarrier();
  if (thread == 0u) {
    keptCount = min(atomicLoad(&keptLength), mostKept);
    if (keptCount > 0u) { keptPlace = atomicAdd(&results[candidatesAt], keptCount); }
    atomicStore(&keptLength, 0u);
  }
  let count = workgroupUniformLoad(&keptCount);
  for (var i = thread; i < count; i += 256u) {
    if (keptPlace + i < arrayLength(&candidates)) { candidates[keptPlace + i] = kept[i]; }
  }
}
