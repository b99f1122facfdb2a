// Measures how far apart two bodies are along the line of each pixel, or how much of it lies in both: the rule of
// exact/measure-line.ts in integers.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<storage, read> tiles: array<Tile>;
@group(0) @binding(2) var<storage, read> sides: array<Side>;
@group(0) @binding(3) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(4) var<storage, read_write> heads: array<u32>;
@group(0) @binding(5) var<storage, read_write> fragments: array<vec4u>;
@group(0) @binding(6) var<storage, read> order: array<u32>;
@group(0) @binding(7) var<storage, read> rasterState: array<u32>;
/**
 * Five words per pixel: distance, depth of the first body's triangle (both in units), the triangles of both, the bound.
 */
@group(0) @binding(8) var<storage, read_write> lines: array<u32>;

/** 1: surfaces that face each other. 0: solids. */
override facing: u32 = 0u;

const noDistance = -0x7fffffff - 1;
/** The bound of a line whose crossings may be in another order, or on which other triangles may face each other. */
const notTold = 0x1p100;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (rasterState[fragmentsAt] > raster.fragmentRoom || rasterState[stripsAt] > raster.stripRoom) { return; }
  if (id.x < raster.pixelCount) { measureLine(id.x); }
}

/** The errors of the depths of a pixel's fragments, in units: their sum, and the greatest (proof.md §6). */
fn errorsOf(pixel: u32) -> vec2f {
  // All pixels are of one tile.
  let middle = middleOf(0u, vec2i(vec2u(pixel % tiles[0].columns, pixel / tiles[0].columns)));
  // Added up in quarters of a unit, rounded up: lists are in no order, and the sum of integers does not depend on
  // it.
  var errors = vec2u(0u);
  for (var at = firstOf(pixel); at != noFragment; at = nextOf(at)) {
    let seen = seenTriangle(sideOfFragment(at), leafOfFragment(at));
    let error = u32(ceil(4.08 * sampleAt(seen, weightsAt(seen, middle)).error));
    errors = vec2u(min(errors.x + error, 0x3fffffffu), max(errors.y, error));
  }
  return 0.2501 * vec2f(errors);
}

fn write(pixel: u32, distance: i32, a: u32, b: u32, bound: f32) {
  let at = 5u * pixel;
  lines[at] = bitcast<u32>(distance);
  lines[at + 1u] = 0u;
  lines[at + 2u] = 0xffffffffu;
  lines[at + 3u] = 0xffffffffu;
  lines[at + 4u] = bitcast<u32>(bound);
  if (a != noFragment) {
    lines[at + 1u] = bitcast<u32>(depthOfFragment(a));
    lines[at + 2u] = order[leafOfFragment(a)];
  }
  if (b != noFragment) { lines[at + 3u] = order[leafOfFragment(b)]; }
}

/** Tells whether two lengths may be the other way round, if each is off by at most `off`. */
fn isClose(p: i32, q: i32, off: f32) -> bool { return f32(abs(p - q)) <= 2.0 * off + 1.0; }

fn measureLine(pixel: u32) {
  // The last crossing of the first body and the first of the second.
  var lastA = noFragment;
  var firstB = noFragment;
  var winding = vec2i(0);
  var starts = vec2u(noFragment);
  var ends = vec2u(noFragment);
  var faces = vec2u(noFragment);
  var awaited = 2u;
  var total = 0;
  var parts = 0u;
  let errors = errorsOf(pixel);
  var isTold = true;
  var before = noFragment;
  var longest = -1;
  var least = 0x7fffffff;
  sortList(pixel);
  for (var at = firstOf(pixel); at != noFragment; at = nextOf(at)) {
    if (before != noFragment && isClose(depthOfFragment(at), depthOfFragment(before), errors.y)) { isTold = false; }
    before = at;
    let side = sideOfFragment(at);
    let other = 1u - side;
    let depth = depthOfFragment(at);
    if (side == 0u) { lastA = at; }
    if (side == 1u && firstB == noFragment) { firstB = at; }
    let wound = winding[side];
    winding[side] = wound + stepOfFragment(at);
    if (wound == 0) {
      starts[side] = at;
      let end = ends[other];
      if (winding[other] == 0 && parts == 0u && end != noFragment) {
        let gap = depth - depthOfFragment(end);
        if (least != 0x7fffffff && isClose(gap, least, errors.x)) { isTold = false; }
        if (gap < least) {
          least = gap;
          faces[other] = end;
          faces[side] = at;
        }
      }
    }
    if (winding[side] != 0) { continue; }
    ends[side] = at;
    if (awaited == side) {
      faces[side] = at;
      awaited = 2u;
    }
    if (winding[other] == 0) { continue; }
    let startA = depthOfFragment(starts.x);
    let startB = depthOfFragment(starts.y);
    let length = depth - max(startA, startB);
    total += length;
    parts++;
    if (longest >= 0 && isClose(length, longest, errors.x)) { isTold = false; }
    if (length <= longest) { continue; }
    longest = length;
    let front = select(1u, 0u, startA <= startB);
    faces[1u - front] = starts[1u - front];
    if (front == side) { faces[front] = at; }
    awaited = select(front, 2u, front == side);
  }
  let bound = select(notTold, errors.x, isTold);
  if (lastA == noFragment || firstB == noFragment) {
    write(pixel, noDistance, lastA, firstB, bound);
    return;
  }
  if (facing == 1u) {
    write(pixel, depthOfFragment(firstB) - depthOfFragment(lastA), lastA, firstB, bound);
    return;
  }
  let a = select(faces.x, lastA, faces.x == noFragment);
  let b = select(faces.y, firstB, faces.y == noFragment);
  write(pixel, select(select(least, noDistance, least == 0x7fffffff), -total, parts > 0u), a, b, bound);
}
