// Sweep and prune among the surviving triangles of each pair of bodies, in place of a walk through trees (Cohen, Lin,
// Manocha and Ponamgi, I-COLLIDE, 1995; Govindaraju, Lin and Manocha use it among bodies). The triangles of either body
// are sorted by where their boxes begin along one axis. One thread per triangle goes through those of the other body
// that begin within its own box: at its own beginning or later if it is a's, later only if it is b's. So two boxes that
// meet along the axis are compared once, by the one that begins first.

@group(0) @binding(1) var<storage, read> swept: array<vec2u>;
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> sweepBoxes: array<SweepBox>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> survivors: array<atomic<u32>>;
@group(0) @binding(9) var<uniform> culling: Culling;

var<workgroup> groupItems: u32;
var<workgroup> groupTests: atomic<u32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  let candidateCount = min(atomicLoad(&results[candidatesAt]), arrayLength(&workItems));
  if (thread == 0u) { groupItems = atomicLoad(&results[workItemsAt]); }
  let itemCount = workgroupUniformLoad(&groupItems);
  var tests = 0u;
  for (var first = group.x * 64u; first < itemCount; first += groups.x * 64u) {
    let item = first + thread;
    if (item < itemCount) {
      let candidate = candidateOfItem(item, candidateCount);
      tests += sweepOne(candidate, item - workItems[candidate]);
    }
    betweenWalks(thread);
  }
  finishLeaves(thread);
  if (tests > 0u) { atomicAdd(&groupTests, tests); }
  workgroupBarrier();
  if (thread == 0u) {
    let sum = atomicLoad(&groupTests);
    if (sum > 0u) { atomicAdd(&results[boxTestsAt], sum); }
  }
}

/** Sweeps with one triangle of a candidate: first those of a, then those of b. Returns the number of boxes compared. */
fn sweepOne(candidate: u32, share: u32) -> u32 {
  let bodies = candidates[candidate];
  let countA = atomicLoad(&survivors[bodies.x]);
  let countB = atomicLoad(&survivors[bodies.y]);
  if (min(countA, countB) == 0u || share >= countA + countB || isSettled(candidate)) { return 0u; }
  let isA = share < countA;
  let own = select(bodies.y, bodies.x, isA);
  let other = select(bodies.x, bodies.y, isA);
  let place = firstFrom(sweepKey(own, 0u)) + select(share - countA, share, isA);
  let instance = swept[place].y;
  let box = sweepBoxes[instance];
  let leaf = instance - atomicLoad(&survivors[culling.startsAt + own]);
  let otherStart = atomicLoad(&survivors[culling.startsAt + other]);
  let last = sweepKey(other, box.end);
  var tests = 0u;
  var met = false;
  var at = firstFrom(sweepKey(other, box.begin) + select(1u, 0u, isA));
  while (at < culling.instanceCount && swept[at].x <= last) {
    let otherInstance = swept[at].y;
    let otherBox = sweepBoxes[otherInstance];
    tests++;
    at++;
    if (!all((box.low <= otherBox.high) & (otherBox.low <= box.high))) { continue; }
    met = true;
    let otherLeaf = otherInstance - otherStart;
    if (!keepLeaves(candidate, select(otherLeaf, leaf, isA), select(leaf, otherLeaf, isA))) { break; }
  }
  if (met) { atomicOr(&survivors[culling.metAt + candidate / 32u], 1u << (candidate % 32u)); }
  return tests;
}

/** The first place in the order whose key is not less. */
fn firstFrom(key: u32) -> u32 {
  var low = 0u;
  var high = culling.instanceCount;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (swept[middle].x < key) { low = middle + 1u; } else { high = middle; }
  }
  return low;
}
