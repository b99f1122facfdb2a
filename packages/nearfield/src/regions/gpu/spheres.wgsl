// Which triangles does a sphere meet? (Walk: region-walk.wgsl.) The sphere is given by its centre p relative to the
// origin, and by its radius, rounded up and rounded down.
//
// Boxes: y = N·p is the centre in the tree's frame. A vertex lies within `rowError` of its stored position there, and y
// is computed to 8u·|N||p|. The length of the remaining distances along the axes, times the metric, is at most the true
// distance. Triangles: corners L·q − p are off by `vertexError` + 16u (three products of numbers below 1, converted) +
// 2u·|p|; the rest is as in triangle-distance.wgsl, with |p| + 5.2 for the longest corner. From centres 2^40 units away
// along an axis, all triangles are equally near in single precision, and squares might reach the value that stands for
// no gap. Such spheres are left to the CPU, unless they end before they come near.
//
// A box lies within the sphere if its farthest corner does: along a world axis that is at most |L·middle − p| + |L|·half away,
// off by vertexError + 64u as in boxes.wgsl, and by 2u·|p| for the rounding of p and of the difference. The sum of
// squares takes 5u of itself: 2^-18 is more.

fn search(probe: u32) {
  let at = 5u * probe;
  let p = vec3f(probes[at], probes[at + 1u], probes[at + 2u]);
  radiusUp = probes[at + 3u];
  radiusDown = probes[at + 4u];
  if (largest(p) >= farAway) {
    if (radiusUp >= 0.5 * farAway) { appendRecord(probe, leftOpen); }
    return;
  }
  let n0 = tree.inverse[0];
  let n1 = tree.inverse[1];
  let n2 = tree.inverse[2];
  spherePlace = p;
  rowPlace = vec3f(dot(n0.xyz, p), dot(n1.xyz, p), dot(n2.xyz, p));
  let size = vec3f(dot(abs(n0.xyz), abs(p)), dot(abs(n1.xyz), abs(p)), dot(abs(n2.xyz), abs(p)));
  rowSlack = 1.001 * (vec3f(n0.w, n1.w, n2.w) + 8.0 * unit * (size + vec3f(1.0)));
  worldSlack = 1.001 * (tree.vertexError + 64.0 * unit + 2.0 * unit * largest(p));
  let off = tree.vertexError + 16.0 * unit + 2.0 * unit * largest(p);
  leafSlack = 1.001 * (1.7321 * off + 12.0 * unit * (length(p) + 5.2));
  walkRegion(probe);
}

const farAway = 0x1p40;

var<private> spherePlace: vec3f;
var<private> radiusUp: f32;
var<private> radiusDown: f32;
var<private> rowPlace: vec3f;
var<private> rowSlack: vec3f;
var<private> worldSlack: f32;
var<private> leafSlack: f32;

fn testNode(middle: vec3f, half: vec3f, at: u32) -> u32 {
  let gap = max(max(nodes[at].xyz - rowPlace, rowPlace - nodes[at + 1u].xyz) - rowSlack, vec3f(0.0));
  if (length(gap) * tree.metric > radiusUp) { return apart; }
  let x = tree.linear[0].xyz;
  let y = tree.linear[1].xyz;
  let z = tree.linear[2].xyz;
  let place = abs(vec3f(dot(x, middle), dot(y, middle), dot(z, middle)) - spherePlace);
  let far = place + vec3f(dot(abs(x), half), dot(abs(y), half), dot(abs(z), half)) + worldSlack;
  return select(mayMeet, within, dot(far, far) * (1.0 + 0x1p-18) <= radiusDown * radiusDown);
}

fn testLeaf(leaf: u32) -> u32 {
  let at = 3u * (tree.leafOffset + leaf);
  let a = worldCorner(at) - spherePlace;
  let b = worldCorner(at + 1u) - spherePlace;
  let c = worldCorner(at + 2u) - spherePlace;
  let best = nearestOfTriangle(a, b, c);
  let distance = sqrt(best.squared);
  if (distance + leafSlack <= radiusDown) { return within; }
  if (best.squared <= 0x1p-80) { return mayMeet; }
  let least = min(min(dot(best.g, a), dot(best.g, b)), dot(best.g, c)) / distance - leafSlack;
  return select(mayMeet, apart, least > radiusUp);
}
