// The triangles of all distance meshes: a workgroup takes one slice of a tile and builds the meshes of the sites that may be
// nearest to its samples. If they are few, several threads share the pieces of a site. Triangles are counted before any is
// written, so that the order in which a slice's are drawn does not depend on the threads. If a thread has many, it builds
// them twice for that. If the two round differently and there are more triangles than were counted, a flag says so, and the
// question is asked again with spare room. Room that is left over holds triangles without area.

@group(0) @binding(0) var<uniform> meshing: Meshing;
@group(0) @binding(1) var<storage, read> sites: array<Site>;
@group(0) @binding(2) var<storage, read> sliceLists: array<u32>;
/** Three vec4u per triangle, as bits: corners 0 and 1; corner 2 and the function's slopes; its constant and the owner. */
@group(0) @binding(3) var<storage, read_write> meshTriangles: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> meshHead: array<atomic<u32>>;

const threads = 256u;
/** No buffer has so many triangles. */
const beyondTriangles = 0x10000000u;

/** From here on vertices are counted no further (meshes.ts). */
override mostCounted: u32;

/** The most threads that share a site: each of them cuts the site's rectangle, which then is most of its work. */
const mostParts = 4u;

var<workgroup> sliceCount: u32;
/** Sites that are meshed together, and one bit for each that has triangles. */
var<workgroup> batch: array<u32, threads>;
var<workgroup> meshed: array<atomic<u32>, threads / 32u>;
var<workgroup> startHere: u32;

/** A triangle of a mesh, relative to its site, and the linear function on it. */
struct MeshTriangle {
  a: vec2f,
  b: vec2f,
  c: vec2f,
  function: vec3f,
}

/** Most threads have no more triangles than this over a few samples: they build them once. */
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
  // If a list was too short, nothing is drawn: the question is asked again.
  if (thread == 0u) {
    let tiles = atomicLoad(&meshHead[blocksDrawnAt]) * meshing.bodyCount;
    let words = sliceWords * meshing.tileRoom * tileSide() + atomicLoad(&meshHead[nearAt]);
    let fits = tiles <= meshing.tileRoom && words <= arrayLength(&sliceLists);
    sliceCount = select(0u, tiles * tileSide(), fits);
  }
  let slices = workgroupUniformLoad(&sliceCount);
  for (var slice = group.x; slice < slices; slice += groups.x) { meshSlice(thread, slice); }
}

fn meshSlice(thread: u32, slice: u32) {
  let record = sliceWords * slice;
  let side = tileSide();
  let start = vec3f(floatAt(record), floatAt(record + 1u), floatAt(record + 2u));
  let size = vec2f(floatAt(record + sizeAt), floatAt(record + sizeAt + 1u));
  sliceLow = vec2f(floatAt(record + lowAt), floatAt(record + lowAt + 1u));
  needed = vec2u(sliceLists[record + neededAt], sliceLists[record + neededAt + 1u]);
  toPicture = vec2f(tileOrigin(slice / side)) + vec2f(0.0, f32((slice % side) * side));
  let limit = floatAt(record + limitAt);
  var segment = sliceLists[record + segmentAt];
  var taken = 0u;
  while (segment != 0u) {
    var count = 0u;
    while (segment != 0u && count < threads) {
      let sitesHere = sliceLists[segment];
      let more = min(sitesHere - taken, threads - count);
      if (thread < more) { batch[count + thread] = sliceLists[segment + 2u + taken + thread]; }
      count += more;
      taken += more;
      if (taken == sitesHere) {
        segment = sliceLists[segment + 1u];
        taken = 0u;
      }
    }
    meshBatch(thread, count, start, size, limit);
  }
}

fn floatAt(word: u32) -> f32 {
  return bitcast<f32>(sliceLists[word]);
}

/** The meshes of the batch. */
fn meshBatch(thread: u32, count: u32, start: vec3f, size: vec2f, limit: f32) {
  parts = 1u;
  while (parts < mostParts && 2u * parts * count <= threads) { parts *= 2u; }
  part = thread % parts;
  let number = thread / parts;
  let window = vec4f(start.xy - 0.5, start.xy + size + 0.5);
  if (thread < threads / 32u) { atomicStore(&meshed[thread], 0u); }
  workgroupBarrier();
  let site = batch[min(number, max(count, 1u) - 1u)];
  siteOwner = sites[site].owner;
  margin = meshing.margin;
  roomLeft = 0u;
  var counted = 0u;
  for (var turn = 0u; turn < 2u; turn++) {
    isListing = turn == 1u;
    // What was noted need not be built again.
    if (number < count && (turn == 0u || counted > mostNoted)) {
      triangleCount = 0u;
      tessellate(site, start.z, limit, window, meshing.tolerance);
    }
    if (turn == 0u) {
      counted = select(0u, triangleCount, number < count);
      let wanted = select(0u, counted + meshing.spare, counted > 0u);
      if (wanted > 0u) { atomicOr(&meshed[number / 32u], 1u << (number % 32u)); }
      let scanned = scanWorkgroup(thread, wanted);
      if (thread == 0u && scanned.total > 0u) {
        startHere = beyondTriangles;
        // A counter that went on would wrap.
        if (atomicLoad(&meshHead[verticesAt]) < mostCounted) {
          startHere = atomicAdd(&meshHead[verticesAt], 3u * scanned.total) / 3u;
        }
        var meshes = 0u;
        for (var i = 0u; i < threads / 32u; i++) { meshes += countOneBits(atomicLoad(&meshed[i])); }
        atomicAdd(&meshHead[meshesAt], meshes);
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
