// The sites of faces, one thread per triangle, and the corners of every triangle for those of edges and vertices
// (meshes/sites.ts). Differences of corners are exact integers; proof.md, section 4, bounds what single precision loses.

@group(0) @binding(0) var<uniform> meshing: Meshing;
@group(0) @binding(1) var<storage, read> layers: array<Layer>;
@group(0) @binding(2) var<storage, read> windows: array<Window>;
@group(0) @binding(3) var<storage, read> sitings: array<Siting>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read> order: array<u32>;
/** Three per triangle, in units. */
@group(0) @binding(6) var<storage, read_write> siteCorners: array<vec4i>;
@group(0) @binding(7) var<storage, read_write> sites: array<Site>;

/** A face whose height is below this part of its longest side is left to its edges. */
const flattest = 0x1p-26;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var number = id.x; number < meshing.triangleCount; number += groups.x * 64u) { placeFace(number); }
}

fn bodyOf(number: u32) -> u32 {
  var low = 0u;
  var high = meshing.bodyCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (sitings[middle].firstTriangle <= number) { low = middle; } else { high = middle; }
  }
  return low;
}

fn placeFace(number: u32) {
  let body = bodyOf(number);
  let leaf = layers[body].leafOffset + number - sitings[body].firstTriangle;
  let triangle = order[leaf];
  let v = array<vec3i, 3>(
    vertexInUnits(body, leaves[3u * leaf].xyz),
    vertexInUnits(body, leaves[3u * leaf + 1u].xyz),
    vertexInUnits(body, leaves[3u * leaf + 2u].xyz),
  );
  let first = 3u * (sitings[body].firstTriangle + triangle);
  for (var k = 0u; k < 3u; k++) { siteCorners[first + k] = vec4i(v[k], 0); }
  var sides: array<vec3f, 3>;
  var lengths: array<f32, 3>;
  var longest = 0u;
  for (var k = 0u; k < 3u; k++) {
    sides[k] = vec3f(v[(k + 1u) % 3u] - v[k]);
    lengths[k] = length(sides[k]);
    if (lengths[k] > lengths[longest]) { longest = k; }
  }
  let at = sitings[body].firstSite + triangle;
  let a = v[longest];
  let most = lengths[longest];
  let perpendicular = exactCross(v[(longest + 1u) % 3u] - a, v[(longest + 2u) % 3u] - a);
  let size = length(perpendicular);
  if (!(size * 0x1p32 > flattest * most * most)) {
    sites[at].kind = noKind;
    sites[at].low = vec4f(beyond);
    return;
  }
  let cell = windows[0].cell;
  let normal = perpendicular / size;
  sites[at].place = vec4f(vec3f(a) / cell, 0.0);
  sites[at].normal = vec4f(normal, 0.0);
  sites[at].low = vec4f(vec3f(min(min(v[0], v[1]), v[2])) / cell, 0.0);
  sites[at].high = vec4f(vec3f(max(max(v[0], v[1]), v[2])) / cell, 0.0);
  let along = sides[longest] / most;
  sites[at].spaces[0] = vec4f(along, 0.0);
  sites[at].spaces[1] = vec4f(-along, most / cell);
  for (var k = 0u; k < 3u; k++) {
    let inward = cross(normal, sides[k] / max(lengths[k], 1.0));
    sites[at].spaces[2u + k] = vec4f(inward, -dot(inward, vec3f(v[k] - a) / cell));
  }
  sites[at].kind = faceKind;
  sites[at].spaceCount = 5u;
  sites[at].owner = triangle;
}
