// How deep do the points of an intersection lie (Hoff et al., section 5.4)? Finds the nearest triangle of any of their
// window's layers.
//
// A workgroup takes a brick of samples and traverses each tree once for all of its points: sixteen nodes at a time, one
// thread per grandchild. With c the brick's middle, r half its diagonal and U ≥ d(c), every point p of it has d(p) ≤ U
// + r. So nothing farther than U + 2r from c is nearest to any of its points. U comes from the boxes met (each holds
// something) and from the triangles. The remaining triangles are compared with every point, shared out among the
// threads.
//
// Before that, the first tree is descended 64 nodes at a time, always into the nearest, to get an initial U.
//
// The traversal's lists are bounded. Nodes wait in one list per second level. The lowest level with waiting nodes is
// next, so the list below it is empty and gets at most 64.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> layers: array<Layer>;
@group(0) @binding(2) var<storage, read> windows: array<Window>;
@group(0) @binding(3) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(4) var<storage, read> order: array<u32>;
@group(0) @binding(5) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(6) var<storage, read> head: array<u32>;
/** See list-bricks.wgsl. */
@group(0) @binding(7) var<storage, read> bricks: array<vec4u>;
/** The sample's number, the bits of the distance in units, the direction, the owner. */
@group(0) @binding(8) var<storage, read_write> points: array<vec4u>;

const threads = 64u;
const noPoint = 0xffffffffu;
/** Trees are at most 26 levels deep, so 12 lists do. The first is for the fifth or sixth level, or for the leaves. */
const firstLevel = 6u;

var<workgroup> waiting: array<u32, 768>;
var<workgroup> counts: array<u32, 12>;
/** The next list to take from; `nothing` at the end. */
var<workgroup> next: u32;
var<workgroup> pushed: atomic<u32>;
/** The bits of U. */
var<workgroup> bound: atomic<u32>;
/** The bits of the squared distance of the nearest node compared; the last six bits are the thread that had it. */
var<workgroup> nearestKey: atomic<u32>;
var<workgroup> chosen: u32;
/** Triangles that are near enough: corners in units, owners. */
var<workgroup> corners: array<vec3i, 192>;
var<workgroup> owners: array<u32, 64>;
/** The nearest triangle that each thread found. */
var<workgroup> finds: array<Nearest, 64>;

/** The data of a brick that all threads share. */
struct Brick {
  /** In units. */
  middle: vec3i,
  reach: f32,
}

@compute @workgroup_size(64)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let samples = 1u << (3u * sweep.brickBits);
  let count = min(head[bricksAt], arrayLength(&bricks) / (samples + 1u));
  for (var brick = group.x; brick < count; brick += groups.x) { measureBrick(thread, brick * (samples + 1u), samples); }
}

fn measureBrick(thread: u32, record: u32, samples: u32) {
  let lanes = threads / samples;
  let entry = bricks[record + 1u + thread / lanes];
  let place = bitcast<vec3i>(entry.xyz);
  let low = bitcast<vec3i>(bricks[record + 1u].xyz);
  let diagonal = bitcast<vec3i>(bricks[record + samples].xyz) - low;
  // Halving may lose a unit, and single precision 2^-22 of the length.
  let brick = Brick(low + diagonal / 2, 0.5 * length(vec3f(diagonal)) * (1.0 + 0x1p-20) + select(0.0, 2.0, samples > 1u));
  let window = bricks[record].x;
  if (thread == 0u) { atomicStore(&bound, bitcast<u32>(0x1p100f)); }
  boundAtFirst(thread, windows[window].firstLayer, brick);
  var best = Nearest(0x1p80, vec3f(0.0), nothing, 0u);
  for (var n = 0u; n < windows[window].layerCount; n++) {
    best = searchLayer(thread, windows[window].firstLayer + n, brick, place, thread % lanes, lanes, best);
  }
  finds[thread] = best;
  for (var half = lanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread % lanes < half) {
      let other = finds[thread + half];
      if (isNearer(other, best)) { best = other; }
      finds[thread] = best;
    }
  }
  workgroupBarrier();
  if (thread % lanes != 0u || entry.w >= arrayLength(&points)) { return; }
  let whole = windows[window].whole;
  let mask = (1u << sweep.brickBits) - 1u;
  let n = thread / lanes;
  let at = bricks[record].yzw + vec3u(n & mask, (n >> sweep.brickBits) & mask, n >> (2u * sweep.brickBits));
  let cell = (at.y * whole.x + at.x) * whole.z + at.z;
  let distance = sqrt(best.squared);
  points[entry.w] = vec4u(cell, bitcast<u32>(distance), encodeDirection(best.toward), best.owner);
}

/** Among equally near triangles the first is nearer. */
fn isNearer(a: Nearest, b: Nearest) -> bool {
  return a.squared < b.squared || (a.squared == b.squared && a.owner < b.owner);
}

/** The nearer of the best known to a point and the thread's share of the layer's triangles. */
fn searchLayer(
  thread: u32,
  layer: u32,
  brick: Brick,
  place: vec3i,
  lane: u32,
  lanes: u32,
  known: Nearest,
) -> Nearest {
  var best = known;
  let depth = layers[layer].depth;
  let leafCount = layers[layer].leafCount;
  if (leafCount == 0u) { return best; }
  // Every second level below it has a list, including the leaves.
  let first = select(firstLevel - ((firstLevel ^ depth) & 1u), depth, depth <= firstLevel);
  let last = (depth - first) / 2u;
  let at = placeInTree(layer, brick.middle);
  if (thread == 0u) { atomicStore(&pushed, 0u); }
  workgroupBarrier();
  push(layer, thread, 0u, (1u << first) + thread, first, thread < (1u << first), at, brick);
  if (thread == 0u) {
    counts[0] = atomicLoad(&pushed);
    next = select(nothing, 0u, counts[0] > 0u);
  }
  loop {
    let tier = workgroupUniformLoad(&next);
    if (tier == nothing) { break; }
    let count = counts[tier];
    let taken = min(count, select(threads / 4u, threads, tier == last));
    let start = threads * tier + count - taken;
    if (thread == 0u) { atomicStore(&pushed, 0u); }
    workgroupBarrier();
    if (tier == last) {
      keepTriangles(layer, thread < taken, waiting[start + min(thread, taken - 1u)] - (1u << depth), brick);
      let kept = atomicLoad(&pushed);
      for (var n = lane; n < kept; n += lanes) {
        let found = tryTriangle(n, place);
        if (isNearer(found, best)) { best = found; }
      }
    } else {
      let level = first + 2u * tier + 2u;
      let node = 4u * waiting[start + min(thread / 4u, taken - 1u)] + thread % 4u;
      push(layer, thread, tier + 1u, node, level, thread / 4u < taken, at, brick);
    }
    workgroupBarrier();
    if (thread == 0u) {
      counts[tier] = count - taken;
      var lowest = tier;
      if (tier < last) {
        counts[tier + 1u] = atomicLoad(&pushed);
        lowest = tier + 1u;
      }
      while (lowest > 0u && counts[lowest] == 0u) { lowest--; }
      next = select(nothing, lowest, counts[lowest] > 0u);
    }
  }
  return best;
}

/** Brings U near the distance of the first layer. All threads together. */
fn boundAtFirst(thread: u32, layer: u32, brick: Brick) {
  let depth = layers[layer].depth;
  let leafCount = layers[layer].leafCount;
  if (leafCount == 0u) { return; }
  let q = placeInTree(layer, brick.middle).q;
  var node = 1u;
  var level = 0u;
  // Six levels at a time, until there are no more leaves below than threads.
  while (depth - level > firstLevel) {
    let step = min(firstLevel, depth - level - firstLevel);
    level += step;
    if (thread == 0u) { atomicStore(&nearestKey, nothing); }
    workgroupBarrier();
    let below = depth - level;
    let own = (node << step) + thread;
    if (thread < (1u << step) && own - (1u << level) < (leafCount + (1u << below) - 1u) >> below) {
      let key = bitcast<u32>(boxSquared(layers[layer].nodeOffset + own, q));
      atomicMin(&nearestKey, (key & ~63u) | thread);
    }
    workgroupBarrier();
    if (thread == 0u) { chosen = (node << step) + (atomicLoad(&nearestKey) & 63u); }
    node = workgroupUniformLoad(&chosen);
  }
  let below = depth - level;
  let leaf = (node << below) + thread - (1u << depth);
  if (thread < (1u << below) && leaf < leafCount) {
    let own = layers[layer].leafOffset + leaf;
    let a = vec3f(vertexInUnits(layer, leaves[3u * own].xyz) - brick.middle);
    let b = vec3f(vertexInUnits(layer, leaves[3u * own + 1u].xyz) - brick.middle);
    let c = vec3f(vertexInUnits(layer, leaves[3u * own + 2u].xyz) - brick.middle);
    atomicMin(&bound, bitcast<u32>(length(nearestOnTriangle(a, b, c).point) + roundedOff(a, b, c, brick)));
  }
  workgroupBarrier();
}

/** The largest error of a triangle's distance from the middle: single precision at the corners' magnitude. */
fn roundedOff(a: vec3f, b: vec3f, c: vec3f, brick: Brick) -> f32 {
  return 0x1p-18 * (sqrt(max(max(dot(a, a), dot(b, b)), dot(c, c))) + brick.reach);
}

/** The nearest triangle lies no farther from the brick's middle than this, in the tree's frame. */
fn limitNow(layer: u32, brick: Brick, slack: f32) -> f32 {
  let far = bitcast<f32>(atomicLoad(&bound)) + 2.0 * brick.reach;
  let reach = far * layers[layer].mostShrink * (1.0 + 0x1p-18) + slack;
  return min(reach * reach, 0x1p99);
}

/**
 * Puts a node into a list if it exists and may hold the nearest. All threads together. The errors of boxes are those of
 * nearest.wgsl, in the other direction: something of the layer lies within mostScale·(the farthest corner + slack).
 */
fn push(layer: u32, thread: u32, tier: u32, node: u32, level: u32, wanted: bool, at: PlaceInTree, brick: Brick) {
  let below = layers[layer].depth - level;
  let count = (layers[layer].leafCount + (1u << below) - 1u) >> below;
  let exists = wanted && node - (1u << level) < count;
  var nearest = 0x1p100;
  if (exists) {
    let box = 2u * (layers[layer].nodeOffset + node);
    let low = nodes[box].xyz - at.q;
    let high = nodes[box + 1u].xyz - at.q;
    let away = max(max(low, -high), vec3f(0.0));
    nearest = dot(away, away);
    let farthest = (length(max(abs(low), abs(high))) * (1.0 + 0x1p-18) + at.slack) * layers[layer].mostScale;
    atomicMin(&bound, bitcast<u32>(min(farthest, 0x1p100)));
  }
  workgroupBarrier();
  if (exists && nearest <= limitNow(layer, brick, at.slack)) {
    waiting[threads * tier + atomicAdd(&pushed, 1u)] = node;
  }
  workgroupBarrier();
}

/** Keeps the triangles that may be nearest to a point, one per thread; `pushed` counts them. All threads together. */
fn keepTriangles(layer: u32, wanted: bool, leaf: u32, brick: Brick) {
  let at = layers[layer].leafOffset + leaf;
  let a = vertexInUnits(layer, leaves[3u * at].xyz);
  let b = vertexInUnits(layer, leaves[3u * at + 1u].xyz);
  let c = vertexInUnits(layer, leaves[3u * at + 2u].xyz);
  let ra = vec3f(a - brick.middle);
  let rb = vec3f(b - brick.middle);
  let rc = vec3f(c - brick.middle);
  let distance = length(nearestOnTriangle(ra, rb, rc).point);
  let off = roundedOff(ra, rb, rc, brick);
  if (wanted) { atomicMin(&bound, bitcast<u32>(distance + off)); }
  workgroupBarrier();
  if (wanted && distance - off <= bitcast<f32>(atomicLoad(&bound)) + 2.0 * brick.reach) {
    let to = atomicAdd(&pushed, 1u);
    corners[3u * to] = a;
    corners[3u * to + 1u] = b;
    corners[3u * to + 2u] = c;
    owners[to] = layers[layer].first + order[at];
  }
  workgroupBarrier();
}

fn tryTriangle(n: u32, place: vec3i) -> Nearest {
  let a = vec3f(corners[3u * n] - place);
  let b = vec3f(corners[3u * n + 1u] - place);
  let c = vec3f(corners[3u * n + 2u] - place);
  let found = nearestOnTriangle(a, b, c);
  return Nearest(dot(found.point, found.point), found.point, owners[n], found.feature);
}
