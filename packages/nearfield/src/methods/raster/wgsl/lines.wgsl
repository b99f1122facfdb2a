// How far apart two bodies are along the line of each pixel, or how much of it lies in both: the rule of
// exact/measure-line.ts, of whole numbers.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<storage, read> heads: array<u32>;
@group(0) @binding(2) var<storage, read> fragments: array<vec4u>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read_write> rasterState: array<atomic<u32>>;
/** Distance, depth of the first body's triangle (both in units), and the triangles of both. */
@group(0) @binding(5) var<storage, read_write> lines: array<vec4u>;

/** 1: surfaces as they face each other, 0: solids. */
override facing: u32 = 0u;

const noDistance = -0x7fffffff - 1;

var<workgroup> groupParts: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  let whole =
    atomicLoad(&rasterState[fragmentsAt]) <= raster.fragmentRoom &&
    atomicLoad(&rasterState[stripsAt]) <= raster.stripRoom;
  if (id.x < raster.pixelCount && whole) { measureLine(id.x); }
  workgroupBarrier();
  if (thread == 0u) {
    let parts = atomicLoad(&groupParts);
    if (parts > 0u) { atomicMax(&rasterState[partsAt], parts); }
  }
}

fn write(pixel: u32, distance: i32, a: u32, b: u32) {
  var line = vec4u(bitcast<u32>(distance), 0u, 0xffffffffu, 0xffffffffu);
  if (a != noFragment) {
    line.y = bitcast<u32>(depthOfFragment(a));
    line.z = order[leafOfFragment(a)];
  }
  if (b != noFragment) { line.w = order[leafOfFragment(b)]; }
  lines[pixel] = line;
}

fn measureLine(pixel: u32) {
  // The last of the first body and the first of the second.
  var lastA = noFragment;
  var firstB = noFragment;
  var winding = vec2i(0);
  var starts = vec2u(noFragment);
  var ends = vec2u(noFragment);
  var faces = vec2u(noFragment);
  var awaited = 2u;
  var total = 0;
  var parts = 0u;
  var crossings = 0u;
  var longest = -1;
  var least = 0x7fffffff;
  for (var at = nextAfter(pixel, noFragment); at != noFragment; at = nextAfter(pixel, at)) {
    crossings++;
    let side = sideOfFragment(at);
    let other = 1u - side;
    let depth = depthOfFragment(at);
    if (side == 0u) { lastA = at; }
    if (side == 1u && firstB == noFragment) { firstB = at; }
    let before = winding[side];
    winding[side] = before + stepOfFragment(at);
    if (before == 0) {
      starts[side] = at;
      let end = ends[other];
      if (winding[other] == 0 && parts == 0u && end != noFragment) {
        let gap = depth - depthOfFragment(end);
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
    if (length <= longest) { continue; }
    longest = length;
    let front = select(1u, 0u, startA <= startB);
    faces[1u - front] = starts[1u - front];
    if (front == side) { faces[front] = at; }
    awaited = select(front, 2u, front == side);
  }
  if (lastA == noFragment || firstB == noFragment) {
    write(pixel, noDistance, lastA, firstB);
    return;
  }
  if (facing == 1u) {
    write(pixel, depthOfFragment(firstB) - depthOfFragment(lastA), lastA, firstB);
    return;
  }
  // Parts that are thinner than depths are off may be lost, or merged with the next: not `parts`, but all there can be.
  atomicMax(&groupParts, (crossings + 1u) / 2u);
  let a = select(faces.x, lastA, faces.x == noFragment);
  let b = select(faces.y, firstB, faces.y == noFragment);
  write(pixel, select(select(least, noDistance, least == 0x7fffffff), -total, parts > 0u), a, b);
}
