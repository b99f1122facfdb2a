// Tests every pixel's ray against all bodies of its tile: which of them have a common stretch longer than the error of its
// ends? The ray is followed from face to face, with the bodies that it is in. When it leaves one of them, the stretches
// that this body has in common with the others end.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> casting: Casting;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read_write> heads: array<u32>;
@group(0) @binding(4) var<storage, read_write> fragments: array<vec4u>;
@group(0) @binding(5) var<storage, read> rasterState: array<u32>;
@group(0) @binding(6) var<storage, read_write> castState: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read> sides: array<Side>;

/** How many bodies a ray can be in at once. If it is in more, other tiles are used. */
const mostOpen = 64u;

/** A body that the ray is in. */
struct OpenSide {
  side: u32,
  winding: i32,
  start: i32,
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (rasterState[fragmentsAt] > raster.fragmentRoom || rasterState[stripsAt] > raster.stripRoom) { return; }
  let least = 2.0 * (bitcast<f32>(rasterState[errorAt]) + raster.noise);
  for (var pixel = id.x; pixel < raster.pixelCount; pixel += groups.x * 64u) {
    if (casting.untilFirst == 1u && atomicLoad(&castState[anyAt]) != 0u) { return; }
    if (firstOf(pixel) == noFragment || isUnsure(pixel)) { continue; }
    sortList(pixel);
    followRay(pixel, least * f32(1u << tiles[tileOfPixel(pixel)].cellBits));
  }
}

fn followRay(pixel: u32, least: f32) {
  var open: array<OpenSide, mostOpen>;
  var count = 0u;
  for (var at = firstOf(pixel); at != noFragment; at = nextOf(at)) {
    let side = sideOfFragment(at);
    let depth = depthOfFragment(at);
    var place = 0u;
    while (place < count && open[place].side != side) { place++; }
    if (place == count) {
      if (count == mostOpen) {
        atomicStore(&castState[overflowAt], 1u);
        return;
      }
      open[count] = OpenSide(side, stepOfFragment(at), depth);
      count++;
      continue;
    }
    open[place].winding += stepOfFragment(at);
    if (open[place].winding != 0) { continue; }
    let start = open[place].start;
    count--;
    open[place] = open[count];
    for (var other = 0u; other < count; other++) {
      if (f32(depth - max(start, open[other].start)) > least) { meet(side, open[other].side); }
    }
  }
}

fn meet(one: u32, other: u32) {
  let candidate = candidateOf(sides[one].body, sides[other].body);
  if (candidate == noCandidate) { return; }
  let flags = flagsAt + candidate;
  if ((atomicLoad(&castState[flags]) & 1u) != 0u) { return; }
  atomicOr(&castState[flags], 1u);
  atomicStore(&castState[anyAt], 1u);
}
