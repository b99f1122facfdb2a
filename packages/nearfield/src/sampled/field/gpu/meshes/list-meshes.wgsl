// Lists the triangles of all distance meshes of some slices: one thread per site and slice, slices first. They are
// counted first and then written at the places given by the counts' sums, so that the order in which they are drawn does
// not depend on the threads. If the two passes round differently and a mesh has more triangles than were counted, a flag
// says so, and the question is asked again with spare room. Room that is left over holds triangles without area.

@group(0) @binding(0) var<uniform> meshing: Meshing;
@group(0) @binding(1) var<storage, read> sites: array<Site>;
@group(0) @binding(2) var<storage, read> siteReaches: array<Reach>;
/** Per site and slice: first the count, then where its triangles begin. */
@group(0) @binding(3) var<storage, read_write> meshStarts: array<u32>;
/** Three vec4u per triangle, as bits: corners 0 and 1; corner 2 and the site's place; the linear function and the owner. */
@group(0) @binding(4) var<storage, read_write> meshTriangles: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> meshHead: array<atomic<u32>>;

override listing: bool;

var<private> triangleCount: u32;
var<private> firstTriangle: u32;
var<private> roomLeft: u32;
var<private> sitePlace: vec2f;
var<private> siteOwner: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let items = meshing.siteCount * meshing.slices;
  for (var item = id.x; item < items; item += groups.x * 64u) { listMesh(item, items); }
}

fn listMesh(item: u32, items: u32) {
  let slice = item / meshing.siteCount;
  let number = item % meshing.siteCount;
  let found = siteReaches[number + meshing.siteCount * (slice / blockSide)];
  triangleCount = 0u;
  if (listing) {
    firstTriangle = meshStarts[item];
    let end = select(atomicLoad(&meshHead[totalAt]), meshStarts[min(item + 1u, items - 1u)], item + 1u < items);
    roomLeft = end - firstTriangle;
  }
  if (found.reach >= 0.0) {
    margin = meshing.margin;
    sitePlace = sites[number].place.xy;
    siteOwner = sites[number].owner;
    let z = f32(meshing.firstSlice + slice) + 0.5;
    let first = f32(blockSide) * vec2f(vec2u(found.first & 0xffffu, found.first >> 16u));
    let end = f32(blockSide) * (vec2f(vec2u(found.last & 0xffffu, found.last >> 16u)) + 1.0);
    let window = vec4f(first, min(end, vec2f(f32(meshing.nx), f32(meshing.ny))));
    tessellate(sites[number], z, found.reach, window, meshing.tolerance);
  }
  if (!listing) {
    if (triangleCount > 0u) {
      atomicAdd(&meshHead[meshesAt], 1u);
      triangleCount += meshing.spare;
    }
    meshStarts[item] = triangleCount;
    return;
  }
  if (triangleCount > roomLeft) { atomicMax(&meshHead[shortAt], triangleCount - roomLeft); }
  for (var i = triangleCount; i < roomLeft; i++) { writeTriangle(i, vec2f(0.0), vec2f(0.0), vec2f(0.0), vec3f(0.0)); }
}

/** The polygon of a piece as a fan. */
fn drawPiece(function: vec3f) {
  if (cornerCount < 3u) { return; }
  for (var i = 2u; i < cornerCount; i++) {
    if (listing) { writeTriangle(triangleCount, polygon[0], polygon[i - 1u], polygon[i], function); }
    triangleCount++;
  }
}

fn writeTriangle(i: u32, a: vec2f, b: vec2f, c: vec2f, function: vec3f) {
  let at = 3u * (firstTriangle + i);
  if (i >= roomLeft || at + 2u >= arrayLength(&meshTriangles)) { return; }
  meshTriangles[at] = bitcast<vec4u>(vec4f(a + sitePlace, b + sitePlace));
  meshTriangles[at + 1u] = bitcast<vec4u>(vec4f(c + sitePlace, sitePlace));
  meshTriangles[at + 2u] = vec4u(bitcast<vec3u>(function), siteOwner);
}
