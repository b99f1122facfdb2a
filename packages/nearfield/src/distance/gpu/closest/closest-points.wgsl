// Answers each of many points: with the body's triangle that is certainly nearest to it, the lowest of those that are
// exactly equally near, and the feature of that; or with a list of the triangles that may be the nearest. One thread per
// point. Lengths are whole numbers of units (cloud.ts). If only triangles are wanted, answers are the triangles as the
// user gets them, and every point that is left to the CPU is listed.

/** The body. The modules it is composed with know several. */
@group(0) @binding(0) var<uniform> layers: array<Cloud, 1>;
@group(0) @binding(1) var<storage, read> points: array<i32>;
@group(0) @binding(2) var<storage, read> nodes: array<vec4f>;
/** As the trees have them, or this body's alone in units (place-leaves.wgsl). */
@group(0) @binding(3) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(4) var<storage, read> order: array<u32>;
/** A word or a triangle per point (`NearTriangles` in distance/request.ts). */
@group(0) @binding(5) var<storage, read_write> answers: array<u32>;
/** Lists: the point, the number of triangles, then the triangles. */
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
const triangleMask = 0x1fffffffu;
const noTriangle = 0xffffffffu;
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
    else {
      let word = answerOf(i, place, atomicLoad(&head[2u + turn / sampled]));
      answers[i] = word;
      if (layers[0].plain == 1u) {
        if (word == leftOpen) { listKept(i, 0u); }
        answers[i] = select(word & triangleMask, noTriangle, word >= isList);
      }
    }
  }
}

fn cornerOf(leaf: u32, k: u32) -> vec4i {
  if (layers[0].isPlaced == 1u) { return leaves[3u * leaf + k]; }
  return storedCorner(leaf, k);
}

/** How many leaves may still be reached. The walk ends when there is none left. */
var<private> leavesLeft: u32;

/**
 * Whether the triangle may lie within the bound along the direction to its middle, in units. The distance's second lower
 * bound in certain-nearest.wgsl holds for any vector g, and this is it with g = a + b + c as computed. Products are compared in
 * place of quotients: |g| and the product with it may be 11·2^-23 too small, for 8 of which the factor 1 + 2^-20 pays, and the dot
 * products are off by 3·2^-23·|g||a|. That is 6 of the slack's 14.
 */
fn mayReach(leaf: u32) -> bool {
  if (leavesLeft == 0u) {
    keptCount = mostKept + 1u;
    return false;
  }
  leavesLeft--;
  if (layers[0].isPlaced == 0u) { return mayReachInTree(leaf); }
  let t = seenLeaf(leaf);
  let way = t.a + t.b + t.c;
  let along = min(min(dot(way, t.a), dot(way, t.b)), dot(way, t.c));
  return along <= (walkBound + slackOf(t)) * length(way) * (1.0 + 0x1p-20);
}

const noLeaf = 0xffffffffu;

/**
 * A sample reaches this many leaves at most: by then it has a good bound. The points wait for the slowest sample. Without this limit
 * a million points took an H200 7.7 ms, 2.2 of them for samples; with it 7.2 ms, 1.2 of them for samples.
 */
const mostSampled = 64u;

fn nearLeaf(place: vec3i) -> u32 {
  if (place.x == tooFar) { return noLeaf; }
  walkLeaf = noLeaf;
  leavesLeft = mostSampled;
  keepNearest(place, layers[0].reach);
  return walkLeaf;
}

fn answerOf(i: u32, place: vec3i, near: u32) -> u32 {
  if (place.x == tooFar) { return leftOpen; }
  var bound = layers[0].reach;
  if (near != noLeaf) { bound = min(bound, mostDistance(place, near)); }
  leavesLeft = 0xffffffffu;
  keepNearest(place, bound);
  if (keptCount == 0u) { return nothingNear; }
  if (keptCount > mostKept) { return leftOpen; }
  let chosen = chooseNearest();
  if (chosen.triangle == undecided || walkBound >= layers[0].certainReach) { return isList | listKept(i, keptCount); }
  return chosen.triangle | (chosen.feature << 29u);
}

/** Lists a point with the first `count` kept triangles. Returns the place of their number. */
fn listKept(i: u32, count: u32) -> u32 {
  let at = atomicAdd(&head[0], count + 2u);
  if (at + count + 1u < arrayLength(&found)) {
    found[at] = i;
    found[at + 1u] = count;
    for (var k = 0u; k < count; k++) { found[at + 2u + k] = order[layers[0].leafOffset + keptLeaves[k]]; }
  }
  return at + 1u;
}
