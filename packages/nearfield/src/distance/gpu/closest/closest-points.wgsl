// Answers each of many points: with the body's triangle that is certainly nearest to it, the lowest of those that are
// exactly equally near, and the feature of that; or with a list of the triangles that may be the nearest. One thread per
// point. Lengths are whole numbers of units (cloud.ts).

/** The body. The modules it is composed with know several. */
@group(0) @binding(0) var<uniform> layers: array<Cloud, 1>;
@group(0) @binding(1) var<storage, read> points: array<i32>;
@group(0) @binding(2) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(3) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(4) var<storage, read> order: array<u32>;
/** A word per point (`NearTriangles` in distance/request.ts). */
@group(0) @binding(5) var<storage, read_write> answers: array<u32>;
/** Lists: the number of triangles, then the triangles. */
@group(0) @binding(6) var<storage, read_write> found: array<u32>;
/**
 * The length of the lists, the number of the submission, and for one of every `sampled` points in their order a leaf
 * that is near to it.
 */
@group(0) @binding(7) var<storage, read_write> head: array<atomic<u32>>;
/** A key per point and its number, sorted: neighbours are near each other. */
@group(0) @binding(8) var<storage, read> turns: array<vec2u>;

/** Whether to find those leaves, before all points are answered. A point's neighbour has a good bound for it. */
override sampling: bool;
const sampled = 16u;

const isList = 7u << 29u;
const nothingNear = 0xfffffffeu;
const leftOpen = 0xffffffffu;
/** Marks a point that is too far away for the units. */
const tooFar = 0x7fffffff;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (id.x == 0u) { atomicStore(&head[1], layers[0].serial); }
  let each = select(1u, sampled, sampling);
  for (var turn = each * id.x; turn < layers[0].pointCount; turn += each * groups.x * 64u) {
    let i = turns[turn].y;
    let place = vec3i(points[3u * i], points[3u * i + 1u], points[3u * i + 2u]);
    if (sampling) { atomicStore(&head[2u + turn / sampled], nearLeaf(place)); }
    else { answers[i] = answerOf(place, atomicLoad(&head[2u + turn / sampled])); }
  }
}

const noLeaf = 0xffffffffu;

fn nearLeaf(place: vec3i) -> u32 {
  if (place.x == tooFar) { return noLeaf; }
  walkLeaf = noLeaf;
  keepNearest(place, layers[0].reach);
  return walkLeaf;
}

fn answerOf(place: vec3i, near: u32) -> u32 {
  if (place.x == tooFar) { return leftOpen; }
  var bound = layers[0].reach;
  if (near != noLeaf) { bound = min(bound, mostDistance(place, near)); }
  keepNearest(place, bound);
  if (keptCount == 0u) { return nothingNear; }
  if (keptCount > mostKept) { return leftOpen; }
  let chosen = chooseNearest();
  if (chosen.triangle == undecided || walkBound >= layers[0].certainReach) { return isList | listKept(); }
  return chosen.triangle | (chosen.feature << 29u);
}

/** Lists the kept triangles. Returns where the list begins. */
fn listKept() -> u32 {
  let at = atomicAdd(&head[0], keptCount + 1u);
  if (at + keptCount < arrayLength(&found)) {
    found[at] = keptCount;
    for (var k = 0u; k < keptCount; k++) { found[at + 1u + k] = order[layers[0].leafOffset + keptLeaves[k]]; }
  }
  return at;
}
