// Which triangles may a ray meet, or meet first? One thread per ray walks down the tree, nearer boxes first. The ray start + s·direction is given
// along the rows of the inverse (placed-tree.ts), where vertices lie at their stored positions q; probes.ts has E, which
// bounds how far any point of the true ray with 0 ≤ s ≤ 8, and any vertex, is from what is computed here, roundings below included.
//
// Boxes: slabs of boxes enlarged by E. Let u be a unit in the last place of 1 (filter.wgsl). An end (side ± E − start)·(1/direction) takes
// two sums, a quotient (2.5u) and a product: the end of a box whose side is moved by less than 8u·(‖start‖∞ + 3). So a point of the
// true ray in a box has an s between the two ends, and E has room for this.
//
// Triangles: T = start − q₀, E₁ and E₂ from differences of integers, which are exact;
//   D = E₁·(d × E₂),  B = T·(d × E₂),  C = d·(T × E₁), made positive by D's sign; weights are B/D and C/D.
// If the ray meets the triangle with weights β and γ, then start + s·d = q₀ + β·E₁ + γ·E₂ + η with ‖η‖∞ ≤ E, so B = β·D + η·(d × E₂), within
// 2E·‖E₂‖₁ of β·D since ‖d‖∞ ≤ 1; likewise C. A determinant takes at most 9 roundings of each of its products, also if WGSL multiplies T
// out: 24u·(‖start‖∞ + 1)·‖E₂‖₁ for B covers them, 24u·‖E₁‖₁·‖E₂‖₁ for D.
// A ray certainly meets it if A = D − B − C, B, C and D stay positive for every true ray and triangle. At the point where the computed line crosses
// the stored triangle ‖T‖₁ ≤ b = ‖E₁‖₁ + ‖E₂‖₁; there T moves by 2E at most, E₁ and E₂ by 2E, d by E/8, so B by
//   4E·‖E₂‖₁ + 4E·b + b·‖E₂‖₁·E/4 + 40E² ≤ 12E·b + 48E²     (b ≤ 12), likewise C, and A by less than three times that.
// The hit then lies in the leaf's box, so its s is at most where the ray leaves that box, and no hit beyond that comes first.

fn search(probe: u32) {
  let at = 8u * probe;
  rayStart = vec3f(probes[at], probes[at + 1u], probes[at + 2u]);
  rayError = probes[at + 3u];
  rayDirection = vec3f(probes[at + 4u], probes[at + 5u], probes[at + 6u]);
  bound = probes[at + 7u];
  if (rayError < 0.0) {
    appendRecord(probe, leftOpen);
    return;
  }
  if (bound < 0.0) { return; }
  let signs = select(vec3f(1.0), vec3f(-1.0), rayDirection < vec3f(0.0));
  rayInverse = vec3f(1.0) / (signs * max(abs(rayDirection), vec3f(leastDirection)));
  rayProbe = probe;
  keptCount = 0u;
  walkNearerFirst(tree.depth, tree.leafCount);
  if (tree.first == 0u) { return; }
  if (keptCount > mostKept) {
    appendRecord(probe, leftOpen);
    return;
  }
  for (var k = 0u; k < keptCount; k++) { listLeaf(probe, keptLeaves[k], false); }
}

const mostKept = 12u;
/** Components below this are taken as this, which moves points by at most 8·2^-40. */
const leastDirection = 0x1p-40;
const missed = 0u;
const mayHit = 1u;
const hits = 2u;

var<private> rayProbe: u32;
var<private> rayStart: vec3f;
var<private> rayDirection: vec3f;
var<private> rayInverse: vec3f;
var<private> rayError: f32;
/** How far to follow the ray. */
var<private> bound: f32;

/** The least and the largest s of the ray's line in a node. If the first exceeds the second, it misses the node. */
fn slabs(node: u32) -> vec2f {
  let at = 2u * (tree.nodeOffset + node);
  let low = (nodes[at].xyz - rayError - rayStart) * rayInverse;
  let high = (nodes[at + 1u].xyz + rayError - rayStart) * rayInverse;
  let begin = min(low, high);
  let end = max(low, high);
  return vec2f(max(max(begin.x, begin.y), begin.z), min(min(end.x, end.y), end.z));
}

fn nodeDistance(node: u32) -> f32 {
  let within = slabs(node);
  return select(max(within.x, 0.0), noChild, max(within.x, 0.0) > within.y);
}

fn nearEnough() -> f32 {
  return select(bound, -1.0, isOverfull() || keptCount > mostKept);
}

fn reachLeaf(leaf: u32) {
  let state = testTriangle(leaf);
  if (state == missed) { return; }
  if (tree.first == 0u) {
    listLeaf(rayProbe, leaf, false);
    return;
  }
  let within = slabs(leaf + (1u << tree.depth));
  if (state == hits && within.x > 0.0 && within.y < bound) {
    bound = within.y;
    dropBeyond(bound);
  }
  keepLeaf(leaf, max(within.x, 0.0));
}

fn testTriangle(leaf: u32) -> u32 {
  let at = 3u * (tree.leafOffset + leaf);
  let q = leaves[at].xyz;
  let first = vec3f(leaves[at + 1u].xyz - q) * 0x1p-29;
  let second = vec3f(leaves[at + 2u].xyz - q) * 0x1p-29;
  let start = rayStart - vec3f(q) * 0x1p-29;
  let p = cross(rayDirection, second);
  let determinant = dot(first, p);
  let sign = select(1.0, -1.0, determinant < 0.0);
  let d = abs(determinant);
  let b = sign * dot(start, p);
  let c = sign * dot(rayDirection, cross(start, first));
  let firstSize = abs(first.x) + abs(first.y) + abs(first.z);
  let secondSize = abs(second.x) + abs(second.y) + abs(second.z);
  let off = rayError + unit;
  let rounding = 24.0 * unit * (largest(rayStart) + 1.0);
  let slackB = 1.01 * (2.0 * off + rounding) * secondSize + tiny;
  let slackC = 1.01 * (2.0 * off + rounding) * firstSize + tiny;
  let errorD = 24.0 * unit * firstSize * secondSize + tiny;
  if (!(d > errorD)) { return mayHit; }
  if (b < -slackB || c < -slackC || b + c > d + 1.01 * (slackB + slackC + errorD)) { return missed; }
  let size = firstSize + secondSize;
  let moved = 1.01 * ((12.0 * off + rounding) * size + 48.0 * off * off) + tiny;
  let certain = b > moved && c > moved && d - b - c > 3.0 * moved + errorD && d > 3.0 * moved;
  return select(mayHit, hits, certain);
}

/** Covers products that underflow: coordinates are at most 16, and three of them are multiplied. */
const tiny = 0x1p-100;
