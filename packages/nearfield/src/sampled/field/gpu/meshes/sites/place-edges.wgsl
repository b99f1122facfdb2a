// The sites of edges and of vertices, one thread each, from the faces around them (meshes/site-list.ts has the same in
// doubles). A thread that finds welded vertices deformed apart reports it. Then the question is asked again, with edges
// and corners per triangle.

@group(0) @binding(0) var<uniform> meshing: Meshing;
@group(0) @binding(1) var<storage, read> windows: array<Window>;
@group(0) @binding(2) var<storage, read> sitings: array<Siting>;
@group(0) @binding(3) var<storage, read> topologies: array<u32>;
@group(0) @binding(4) var<storage, read> siteCorners: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> sites: array<Site>;
@group(0) @binding(6) var<storage, read_write> meshHead: array<atomic<u32>>;

/** Wedges thinner than this are left to the faces on both sides, which reach over their borders (proof.md, section 4). */
const thinnest = 0x1p-18;
const mostSpaces = 6u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var item = id.x; item < meshing.itemCount; item += groups.x * 64u) {
    let body = bodyOf(item);
    let number = item - sitings[body].firstItem;
    let at = sitings[body].firstSite + sitings[body].triangles + number;
    sites[at].kind = noKind;
    sites[at].low = vec4f(beyond);
    if (number < sitings[body].edges) { placeEdge(body, number, at); }
    else { placeVertex(body, number - sitings[body].edges, at); }
  }
}

fn bodyOf(item: u32) -> u32 {
  var low = 0u;
  var high = meshing.bodyCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (sitings[middle].firstItem <= item) { low = middle; } else { high = middle; }
  }
  return low;
}

fn cornerAt(body: u32, corner: u32) -> vec3i {
  return siteCorners[3u * sitings[body].firstTriangle + corner].xyz;
}

/** The corner at the end of the side that begins at a corner. */
fn nextCorner(corner: u32) -> u32 {
  return select(corner + 1u, corner - 2u, corner % 3u == 2u);
}

fn placeEdge(body: u32, edge: u32, at: u32) {
  let start = topologies[sitings[body].edgeStarts + edge];
  let end = topologies[sitings[body].edgeStarts + edge + 1u];
  let side = topologies[sitings[body].sides + start];
  let tail = cornerAt(body, side);
  let to = cornerAt(body, nextCorner(side));
  var faces: array<vec3f, 2>;
  var faceCount = 0u;
  let size = length(vec3f(to - tail));
  let along = vec3f(to - tail) / max(size, 1.0);
  for (var i = start; i < end; i++) {
    let own = topologies[sitings[body].sides + i];
    let ownTail = cornerAt(body, own);
    let ownTo = cornerAt(body, nextCorner(own));
    let isSame = all(ownTail == tail) && all(ownTo == to);
    if (!isSame && !(all(ownTail == to) && all(ownTo == tail))) { atomicMax(&meshHead[apartAt], 1u); }
    let face = sitings[body].firstSite + own / 3u;
    if (sites[face].kind != faceKind || faceCount == 2u) { continue; }
    faces[faceCount] = cross(sites[face].normal.xyz, select(-along, along, isSame));
    faceCount++;
  }
  if (size == 0.0) { return; }
  var middle = -faces[0];
  var spread = 1.0;
  var kind = edgeKind;
  if (faceCount == 0u) {
    kind = circleKind;
    // Perpendicular to the edge: across an axis that it does not follow.
    middle = normalize(cross(along, select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), abs(along.x) < 0.6)));
  } else if (faceCount == 2u) {
    let sum = faces[0] + faces[1];
    let difference = faces[0] - faces[1];
    let sine = 0.5 * length(sum);
    if (sine < thinnest) { return; }
    // The longer of the two vectors is better known.
    if (dot(faces[0], faces[1]) > 0.0) { middle = -normalize(sum); }
    else {
      middle = normalize(cross(along, difference));
      if (dot(middle, sum) > 0.0) { middle = -middle; }
    }
    spread = min(1.0, sine / (1.0 + 0.5 * length(difference)));
  }
  writeSite(at, kind, (side / 3u) | ((1u + side % 3u) << featureShift), tail, to);
  sites[at].normal = vec4f(middle, spread);
  sites[at].across = vec4f(cross(along, middle), 0.0);
  sites[at].spaces[0] = vec4f(along, 0.0);
  sites[at].spaces[1] = vec4f(-along, size / windows[0].cell);
  for (var i = 0u; i < faceCount; i++) { sites[at].spaces[2u + i] = vec4f(-faces[i], 0.0); }
  sites[at].spaceCount = 2u + faceCount;
}

fn placeVertex(body: u32, vertex: u32, at: u32) {
  let start = topologies[sitings[body].vertexStarts + vertex];
  let count = topologies[sitings[body].vertexStarts + vertex + 1u] - start;
  if (count == 0u) { return; }
  let first = topologies[sitings[body].corners + start];
  let place = cornerAt(body, first);
  for (var i = 1u; i < count; i++) {
    let other = cornerAt(body, topologies[sitings[body].corners + start + i]);
    if (any(other != place)) { atomicMax(&meshHead[apartAt], 1u); }
  }
  // If there are many sides, some from all around.
  let taken = min(count, mostSpaces);
  var spaceCount = 0u;
  for (var k = 0u; k < taken; k++) {
    let side = topologies[sitings[body].corners + start + k * count / taken];
    let along = vec3f(cornerAt(body, nextCorner(side)) - place);
    let size = length(along);
    if (size == 0.0) { continue; }
    sites[at].spaces[spaceCount] = vec4f(-along / size, 0.0);
    spaceCount++;
  }
  writeSite(at, pointKind, (first / 3u) | ((4u + first % 3u) << featureShift), place, place);
  sites[at].spaceCount = spaceCount;
}

fn writeSite(at: u32, kind: u32, owner: u32, tail: vec3i, to: vec3i) {
  let cell = windows[0].cell;
  sites[at].place = vec4f(vec3f(tail) / cell, 0.0);
  sites[at].low = vec4f(vec3f(min(tail, to)) / cell, 0.0);
  sites[at].high = vec4f(vec3f(max(tail, to)) / cell, 0.0);
  sites[at].kind = kind;
  sites[at].owner = owner;
}
