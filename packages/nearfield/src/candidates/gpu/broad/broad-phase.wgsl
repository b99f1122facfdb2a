// Finds the candidates: every two bodies whose boxes meet. Bodies are divided into blocks of 256, and every two blocks
// are compared: one thread per body of the first, with the second a quarter at a time in workgroup memory. If there are
// many bodies, they are sorted along a Hilbert curve first, and blocks that are apart are not compared; the module that
// defines `bodyAt` and `blocksApart` decides. A workgroup collects what it finds and reserves room for it with one
// addition, because additions to one counter wait for each other.
//
// Nearly all pairs are apart, and integers tell so for most of them. A coordinate becomes the number of its cell, of
// ten bits along x and y and nine along z. The three numbers share a word, with a spare bit above each. Set the spare
// bits of one body's upper corner and subtract the other's lower corner: each spare bit stays set exactly if its
// number was not less, and nothing is borrowed from the next. So two subtractions compare boxes along three axes.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> boxes: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> candidates: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> results: array<atomic<u32>>;

const quarter = 64u;
const mostKept = 512u;
/** The search stops at this count, so that the counter does not wrap around before the query is given up. */
const tooMany = 0x40000000u;

/** The bits above the three cell numbers. */
const spareBits = 0x80200400u;

/** A quarter of the second block. */
var<workgroup> blockBodies: array<u32, quarter>;
var<workgroup> blockLow: array<vec3f, quarter>;
var<workgroup> blockHigh: array<vec3f, quarter>;
/** The cells of the lower corner, and of the upper corner with the spare bits set. */
var<workgroup> blockCells: array<vec2u, quarter>;
var<workgroup> kept: array<vec2u, mostKept>;
/** The number of collected pairs. It may exceed the capacity: pairs beyond it are listed at once. */
var<workgroup> keptLength: atomic<u32>;
var<workgroup> keptCount: u32;
var<workgroup> keptPlace: u32;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let blocks = (query.bodyCount + 255u) / 256u;
  let quarters = 4u * (blocks * (blocks + 1u) / 2u);
  for (var place = group.x; place < quarters; place += groups.x) {
    // The pair of blocks (row, column), column ≤ row, in triangular order. The root is a guess that the loops correct.
    let pair = place / 4u;
    var row = u32((sqrt(8.0 * f32(pair) + 1.0) - 1.0) * 0.5);
    while (row * (row + 1u) / 2u > pair) { row--; }
    while ((row + 1u) * (row + 2u) / 2u <= pair) { row++; }
    let column = pair - row * (row + 1u) / 2u;
    let first = column * 256u + (place % 4u) * quarter;
    // Skip the quarter if no body of the row comes after its first body, or if it has no bodies.
    if (first >= min(query.bodyCount, row * 256u + 255u) || blocksApart(row, column)) { continue; }

    workgroupBarrier();
    if (thread < quarter && first + thread < query.bodyCount) {
      let body = bodyAt(first + thread);
      let low = boxes[2u * body].xyz;
      let high = boxes[2u * body + 1u].xyz;
      blockBodies[thread] = body;
      blockLow[thread] = low;
      blockHigh[thread] = high;
      blockCells[thread] = cellsOf(low, high);
    }
    workgroupBarrier();
    let mine = row * 256u + thread;
    if (mine < query.bodyCount) { findMeeting(mine, first); }
    listKept(thread);
  }
}

/**
 * The cells of a box's corners. Local origins lie within a quarter of the scene's unit; what lies beyond belongs to
 * the outermost cells. If a lower corner's coordinate is at most an upper corner's, its cell number must be too. The
 * two coordinates are computed in different ways, and their rounding is below 2^−11 of a cell: so lower corners are
 * moved down by 2^−6 of a cell, and upper corners up.
 */
fn cellsOf(low: vec3f, high: vec3f) -> vec2u {
  let scale = vec3f(2048.0, 2048.0, 1024.0);
  let last = vec3f(1023.0, 1023.0, 511.0);
  let lowest = vec3u(clamp((low + 0.25) * scale - 0x1p-6, vec3f(0.0), last));
  let highest = vec3u(clamp((high + 0.25) * scale + 0x1p-6, vec3f(0.0), last));
  return vec2u(packed(lowest), packed(highest) | spareBits);
}

fn packed(cell: vec3u) -> u32 { return cell.x | (cell.y << 11u) | (cell.z << 22u); }

/**
 * Finds the bodies of the quarter from `first` on that come before body `mine` and meet it. Boxes past the last body
 * do not count.
 */
fn findMeeting(mine: u32, first: u32) {
  let body = bodyAt(mine);
  let low = boxes[2u * body].xyz;
  let high = boxes[2u * body + 1u].xyz;
  let own = cellsOf(low, high);
  for (var i = 0u; i < quarter; i += 8u) {
    // Without a branch: zero if the cells of at least one of eight boxes meet the body's own.
    let least = min(
      min(min(cellsApart(own, i), cellsApart(own, i + 1u)), min(cellsApart(own, i + 2u), cellsApart(own, i + 3u))),
      min(min(cellsApart(own, i + 4u), cellsApart(own, i + 5u)), min(cellsApart(own, i + 6u), cellsApart(own, i + 7u))),
    );
    if (least != 0u) { continue; }
    for (var j = i; j < i + 8u; j++) {
      if (cellsApart(own, j) != 0u) { continue; }
      if (first + j >= mine) { return; }
      if (!all((low <= blockHigh[j]) & (blockLow[j] <= high))) { continue; }
      let other = blockBodies[j];
      if (!keep(vec2u(min(body, other), max(body, other)))) { return; }
    }
  }
}

/** 0 if the cells of a box of the quarter meet `own`. */
fn cellsApart(own: vec2u, place: u32) -> u32 {
  let cells = blockCells[place];
  return ~((own.y - cells.x) & (cells.y - own.x)) & spareBits;
}

/** Collects or lists a pair. Returns false if there are too many. */
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

/** Lists the collected pairs. Call in uniform control flow. */
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
