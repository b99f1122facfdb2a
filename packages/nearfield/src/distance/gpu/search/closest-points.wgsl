// Finds the triangles of one body that may be nearest to each point. One thread per point walks down the tree, the
// nearer child first, and keeps the leaves within the least upper bound. Everything is in units of 2^g from the
// body's local origin (closest-search.ts).
//
// Boxes: y = N·p is the point in the tree's frame. A vertex lies within `rowError` of its stored position there, and
// y is computed to 8u·|N||p|. The length of the remaining distances along the axes, times the metric, is at most the
// true distance. Triangles: corners L·q − p are off by `vertexError` + 16u (three products of numbers below 1,
// converted) + 2u·|p|; the rest is as in triangle-distance.wgsl, with |p| + 5.2 for the longest corner. Near points are what most
// questions are about, and most triangles that may be the nearest are within that slack of it. So corners seen from a near point go through whole
// numbers, 2^-25 each (a quarter of u, and u of itself for the conversion back): the sum L·q − p then is one number, which WGSL cannot multiply
// out, and the computed length of the longest corner replaces |p| + 5.2: 14u of it. From points 2^40
// units away along an axis, all triangles are equally near in single precision, and squares might reach the value
// that stands for no gap. Such points are left to the CPU, unless they are farther than was asked for.

@group(0) @binding(0) var<uniform> cloud: Cloud;
@group(0) @binding(1) var<storage, read> points: array<f32>;
@group(0) @binding(2) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(3) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(4) var<storage, read> order: array<u32>;
/** Per point: the start of its triangles and their number, or `tooMany`. */
@group(0) @binding(5) var<storage, read_write> ranges: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> found: array<u32>;
/** The points' numbers in the order in which threads take them: neighbours are near each other. */
@group(0) @binding(8) var<storage, read> turns: array<u32>;
/** The number of triangles in all. */
@group(0) @binding(7) var<storage, read_write> head: array<atomic<u32>>;

const mostKept = 12u;
const tooMany = 0xffffffffu;
const farAway = 0x1p40;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (id.x == 0u) { atomicStore(&head[1], cloud.serial); }
  for (var turn = id.x; turn < cloud.pointCount; turn += groups.x * 64u) {
    let i = turns[turn] - cloud.first;
    let point = vec3f(points[3u * i], points[3u * i + 1u], points[3u * i + 2u]);
    if (largest(point) >= farAway) {
      ranges[i] = vec2u(0u, select(0u, tooMany, cloud.reach >= 0.5 * farAway));
      continue;
    }
    walk(point);
    if (keptCount > mostKept) {
      ranges[i] = vec2u(0u, tooMany);
      continue;
    }
    let start = atomicAdd(&head[0], keptCount);
    ranges[i] = vec2u(start, keptCount);
    for (var k = 0u; k < keptCount; k++) {
      if (start + k < arrayLength(&found)) { found[start + k] = order[cloud.leafOffset + keptLeaves[k]]; }
    }
  }
}

/**
 * The state of the walk (nearer-first.wgsl): the point, the same in the tree's frame, the slacks for boxes and
 * leaves, and the bound.
 */
var<private> walkFrom: vec3f;
var<private> walkPlace: vec3f;
var<private> boxSlack: vec3f;
/** What does not depend on the leaf of a near point. */
var<private> leafSlack: f32;
var<private> isNear: bool;
var<private> bound: f32;

fn walk(p: vec3f) {
  keptCount = 0u;
  let n0 = cloud.inverse[0];
  let n1 = cloud.inverse[1];
  let n2 = cloud.inverse[2];
  walkFrom = p;
  walkPlace = vec3f(dot(n0.xyz, p), dot(n1.xyz, p), dot(n2.xyz, p));
  let size = vec3f(dot(abs(n0.xyz), abs(p)), dot(abs(n1.xyz), abs(p)), dot(abs(n2.xyz), abs(p)));
  boxSlack = 1.001 * (vec3f(n0.w, n1.w, n2.w) + 8.0 * unit * (size + vec3f(1.0)));
  let off = cloud.vertexError + 16.0 * unit + 2.0 * unit * largest(p);
  isNear = largest(p) <= 16.0;
  leafSlack = 1.001 * (1.7321 * (off + unit) + select(12.0 * unit * (length(p) + 5.2), 0.0, isNear));
  bound = cloud.reach;
  walkNearerFirst(cloud.depth, cloud.leafCount);
}

fn nodeDistance(node: u32) -> f32 {
  let at = 2u * (cloud.nodeOffset + node);
  let gap = max(max(nodes[at].xyz - walkPlace, walkPlace - nodes[at + 1u].xyz) - boxSlack, vec3f(0.0));
  return length(gap) * cloud.metric;
}

fn reachLeaf(leaf: u32) {
  bound = visit(leaf, walkFrom, bound);
}

/** Ends the walk if there are too many leaves: there is nothing more to find. */
fn nearEnough() -> f32 {
  return select(bound, -1.0, keptCount > mostKept);
}

fn cornerAt(at: u32, p: vec3f) -> vec3f {
  let q = vec3f(leaves[at].xyz) * 0x1p-29;
  let corner = vec3f(dot(cloud.linear[0].xyz, q), dot(cloud.linear[1].xyz, q), dot(cloud.linear[2].xyz, q)) - p;
  if (!isNear) { return corner; }
  // Below 20, so that it fits.
  return vec3f(vec3i(corner * 0x1p25)) * 0x1p-25;
}

/** Keeps the leaf if it may be the nearest, and drops leaves that no longer may be. Returns the bound. */
fn visit(leaf: u32, p: vec3f, known: f32) -> f32 {
  let at = 3u * (cloud.leafOffset + leaf);
  let a = cornerAt(at, p);
  let b = cornerAt(at + 1u, p);
  let c = cornerAt(at + 2u, p);
  let slack = leafSlack + select(0.0, 16.0 * unit * longest(a, b, c), isNear);
  let best = nearestOfTriangle(a, b, c);
  let distance = sqrt(best.squared);
  var least = 0.0;
  if (best.squared > 0x1p-80) { least = min(min(dot(best.g, a), dot(best.g, b)), dot(best.g, c)) / distance - slack; }
  if (least > known) { return known; }
  let bound = min(known, distance + slack);
  if (bound < known) { dropBeyond(bound); }
  keepLeaf(leaf, least);
  return bound;
}
