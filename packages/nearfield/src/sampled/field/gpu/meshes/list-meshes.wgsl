// The triangles of all distance meshes: a workgroup takes one slice of a tile, which shows a block of samples and a body. It
// bounds the distance of the slice's samples, keeps the sites that may be nearest to one of them (meshes/blocks.ts), and
// builds the mesh of each. Triangles are counted before any is written, so that the order in which a slice's are drawn
// does not depend on the threads. A mesh of many is built twice for that. If the two round differently and a mesh has
// more triangles than were counted, a flag says so, and the question is asked again with spare room. Room that is left over
// holds triangles without area.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<uniform> meshing: Meshing;
@group(0) @binding(2) var<storage, read> windows: array<Window>;
@group(0) @binding(3) var<storage, read> sitings: array<Siting>;
@group(0) @binding(4) var<storage, read> siteCorners: array<vec4i>;
@group(0) @binding(5) var<storage, read> sites: array<Site>;
@group(0) @binding(6) var<storage, read> blockStarts: array<u32>;
/** Three vec4u per triangle, as bits: corners 0 and 1; corner 2 and the function's slopes; its constant and the owner. */
@group(0) @binding(7) var<storage, read_write> meshTriangles: array<vec4u>;
@group(0) @binding(8) var<storage, read_write> meshHead: array<atomic<u32>>;

const threads = 256u;
/** Each thread looks at this many sites before those kept are meshed. */
const rounds = 8u;

var<workgroup> tileCount: u32;
/** The bits of the squared distance of the slice's middle, in cells. */
var<workgroup> bound: atomic<u32>;
var<workgroup> kept: array<u32, 2048>;
var<workgroup> meshesHere: atomic<u32>;
var<workgroup> startHere: u32;
var<workgroup> keptCount: u32;

/** A triangle of a mesh, relative to its site, and the linear function on it. */
struct MeshTriangle {
  a: vec2f,
  b: vec2f,
  c: vec2f,
  function: vec3f,
}

/** Most meshes have no more triangles than this over a few samples: they are built once. */
const mostNoted = 8u;
var<private> noted: array<MeshTriangle, mostNoted>;

var<private> isListing: bool;
var<private> triangleCount: u32;
var<private> firstTriangle: u32;
var<private> roomLeft: u32;
/** What takes a pixel of the slice to one of the picture. */
var<private> toPicture: vec2f;
var<private> siteOwner: u32;

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
  for (var slice = group.x; slice < tiles * side; slice += groups.x) { meshSlice(thread, slice / side, slice % side); }
}

fn meshSlice(thread: u32, tile: u32, slice: u32) {
  let body = tile % meshing.bodyCount;
  let block = drawnBlock(tile / meshing.bodyCount);
  let number = windowOfBrick(block);
  let low = vec3i(windows[number].low.xyz + cornerOf(number, block)) - i32(meshing.halo) + vec3i(0, 0, i32(slice));
  let side = tileSide();
  let start = vec3f(low) + 0.5;
  let size = vec3f(vec2f(f32(side) - 1.0), 0.0);
  let limit = boundSlice(thread, body, start, size);
  let origin = vec2f(tileOrigin(tile)) + vec2f(0.0, f32(slice * side));
  let siteCount = sitings[body].triangles + sitings[body].edges + sitings[body].vertices;
  for (var first = 0u; first < siteCount; first += rounds * threads) {
    var near = 0u;
    for (var round = 0u; round < rounds; round++) {
      let site = first + round * threads + thread;
      if (site < siteCount && isNear(sitings[body].firstSite + site, start, size, limit)) { near |= 1u << round; }
    }
    let scanned = scanWorkgroup(thread, countOneBits(near));
    var place = scanned.before;
    for (var round = 0u; round < rounds; round++) {
      if ((near & (1u << round)) != 0u) {
        kept[place] = sitings[body].firstSite + first + round * threads + thread;
        place++;
      }
    }
    if (thread == 0u) { keptCount = scanned.total; }
    let count = workgroupUniformLoad(&keptCount);
    for (var site = 0u; site < count; site += threads) {
      meshSites(thread, site + thread, count, low, side, limit, origin);
    }
  }
}

/** No sample of the slice is farther from the body. `start` is its first sample, `size` the way to the last. */
fn boundSlice(thread: u32, body: u32, start: vec3f, size: vec3f) -> f32 {
  let cell = windows[0].cell;
  let middle = start + 0.5 * size;
  workgroupBarrier();
  if (thread == 0u) { atomicStore(&bound, bitcast<u32>(0x1p60f)); }
  var least = 0x1p60f;
  let first = sitings[body].firstTriangle;
  for (var i = thread; i < sitings[body].triangles; i += threads) {
    let at = 3u * (first + i);
    let a = vec3f(siteCorners[at].xyz) / cell - middle;
    let b = vec3f(siteCorners[at + 1u].xyz) / cell - middle;
    let c = vec3f(siteCorners[at + 2u].xyz) / cell - middle;
    let found = nearestOnTriangle(a, b, c).point;
    least = min(least, dot(found, found));
  }
  workgroupBarrier();
  atomicMin(&bound, bitcast<u32>(least));
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

/** The meshes of some of the sites kept: one thread per site. */
fn meshSites(thread: u32, number: u32, count: u32, low: vec3i, side: u32, limit: f32, origin: vec2f) {
  let site = kept[min(number, count - 1u)];
  let window = vec4f(vec2f(low.xy), vec2f(low.xy) + f32(side));
  if (thread == 0u) { atomicStore(&meshesHere, 0u); }
  workgroupBarrier();
  toPicture = origin;
  siteOwner = sites[site].owner;
  margin = meshing.margin;
  roomLeft = 0u;
  var counted = 0u;
  for (var turn = 0u; turn < 2u; turn++) {
    isListing = turn == 1u;
    // What was noted need not be built again.
    if (number < count && (turn == 0u || counted > mostNoted)) {
      triangleCount = 0u;
      tessellate(site, f32(low.z) + 0.5, limit, window, meshing.tolerance);
    }
    if (turn == 0u) {
      counted = select(0u, triangleCount, number < count);
      let wanted = select(0u, counted + meshing.spare, counted > 0u);
      if (wanted > 0u) { atomicAdd(&meshesHere, 1u); }
      let scanned = scanWorkgroup(thread, wanted);
      if (thread == 0u && scanned.total > 0u) {
        startHere = atomicAdd(&meshHead[verticesAt], 3u * scanned.total) / 3u;
        atomicAdd(&meshHead[meshesAt], atomicLoad(&meshesHere));
      }
      firstTriangle = workgroupUniformLoad(&startHere) + scanned.before;
      roomLeft = wanted;
    }
  }
  if (counted <= mostNoted) {
    triangleCount = counted;
    for (var i = 0u; i < counted; i++) { writeTriangle(i, noted[i]); }
  }
  if (triangleCount > roomLeft) { atomicMax(&meshHead[shortAt], triangleCount - roomLeft); }
  for (var i = triangleCount; i < roomLeft; i++) {
    writeTriangle(i, MeshTriangle(vec2f(0.0), vec2f(0.0), vec2f(0.0), vec3f(0.0)));
  }
}

/** The polygon of a piece as a fan. */
fn drawPiece() {
  if (cornerCount < 3u) { return; }
  var low = polygon[0];
  var high = polygon[0];
  for (var i = 1u; i < cornerCount; i++) {
    low = min(low, polygon[i]);
    high = max(high, polygon[i]);
  }
  if (!holdsPixel(low, high)) { return; }
  for (var i = 2u; i < cornerCount; i++) {
    let triangle = MeshTriangle(polygon[0], polygon[i - 1u], polygon[i], function);
    if (isListing) { writeTriangle(triangleCount, triangle); }
    else if (triangleCount < mostNoted) { noted[triangleCount] = triangle; }
    triangleCount++;
  }
}

fn writeTriangle(i: u32, triangle: MeshTriangle) {
  let at = 3u * (firstTriangle + i);
  if (i >= roomLeft || at + 2u >= arrayLength(&meshTriangles)) { return; }
  let slopes = triangle.function.xy;
  let constant = triangle.function.z - dot(slopes, toSlice);
  let toPixel = toSlice + toPicture;
  meshTriangles[at] = bitcast<vec4u>(vec4f(triangle.a + toPixel, triangle.b + toPixel));
  meshTriangles[at + 1u] = bitcast<vec4u>(vec4f(triangle.c + toPixel, slopes));
  meshTriangles[at + 2u] = vec4u(bitcast<u32>(constant), siteOwner, 0u, 0u);
}
