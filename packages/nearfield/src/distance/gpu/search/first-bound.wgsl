// Finds a first bound: one leaf of every block searches for its nearest, down the tree and a little beside.

override budget: u32;

@group(0) @binding(1) var<storage, read> frames: array<Frame>;
/** Per candidate, the sum of the blocks of all candidates before it. */
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let candidateCount = min(atomicLoad(&results[candidatesAt]), arrayLength(&workItems));
  let blockCount = atomicLoad(&results[workItemsAt]);
  var boxTests = 0u;
  for (var item = id.x; item < blockCount; item += groups.x * 64u) {
    let candidate = candidateOfItem(item, candidateCount);
    if (boundOf(candidate) <= 0.0) { continue; }
    boxTests += walkFrom(candidate, (item - workItems[candidate]) << frames[candidate].halvings);
  }
  if (boxTests > 0u) {
    atomicAdd(&results[boxTestsAt], boxTests);
    atomicAdd(&results[triangleTestsAt], triangleTests);
  }
}

/**
 * The state of the walk (nearer-first.wgsl): candidate, leaf, side, the leaf's boxes, the tree's nodes, boxes tested,
 * the bound, and how far to search.
 */
var<private> candidateWalked: u32;
var<private> leafWalked: u32;
var<private> sideWalked: u32;
var<private> walkerWalked: Walker;
var<private> nodesWalked: u32;
var<private> testsWalked: u32;
var<private> boundWalked: f32;
var<private> reachWalked: f32;

/** Walks until nothing nearer is left or about `budget` boxes have been tested. Returns how many were. */
fn walkFrom(candidate: u32, leaf: u32) -> u32 {
  let side = frames[candidate].walker;
  candidateWalked = candidate;
  leafWalked = leaf;
  sideWalked = side;
  walkerWalked = walkerOf(candidate, leaf);
  nodesWalked = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, side == 0u);
  testsWalked = 0u;
  reachWalked = bitcast<f32>(frames[candidate].linear[0].w);
  walkNearerFirst(
    select(frames[candidate].depthA, frames[candidate].depthB, side == 0u),
    select(frames[candidate].leafCountA, frames[candidate].leafCountB, side == 0u),
  );
  return testsWalked;
}

fn nodeDistance(node: u32) -> f32 {
  testsWalked++;
  let at = 2u * (nodesWalked + node);
  let distance = gapDistance(walkerWalked, nodes[at].xyz, nodes[at + 1u].xyz);
  if (distance > boundWalked) { return distance; }
  return max(distance, ownDistance(walkerWalked, nodes[at].xyz, nodes[at + 1u].xyz));
}

fn reachLeaf(leaf: u32) {
  let ofA = sideWalked == 0u;
  visitLeaves(candidateWalked, select(leaf, leafWalked, ofA), select(leafWalked, leaf, ofA), boundWalked);
}

/** At bound 0 triangles meet or may meet, and the pair needs no further search. */
fn nearEnough() -> f32 {
  boundWalked = boundWithin(candidateWalked, reachWalked);
  return select(boundWalked, -1.0, boundWalked <= 0.0 || testsWalked >= budget);
}
