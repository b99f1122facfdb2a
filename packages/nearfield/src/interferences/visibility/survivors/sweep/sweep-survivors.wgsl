// Sweep and prune among the surviving triangles of each pair of bodies, in place of a walk through trees (Cohen, Lin,
// Manocha and Ponamgi, I-COLLIDE, 1995; Govindaraju, Lin and Manocha use it among bodies). The triangles of either body
// are sorted by where their boxes begin along one axis. Each triangle is compared with those of the other body that begin
// within its own box: at its own beginning or later if it is a's, later only if it is b's. So two boxes that meet along
// the axis are compared once, by the one that begins first.

@group(0) @binding(1) var<storage, read> swept: array<vec2u>;
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> sweepBoxes: array<SweepBox>;
@group(0) @binding(4) var<storage, read> bodyStates: array<u32>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> survivors: array<atomic<u32>>;
@group(0) @binding(9) var<uniform> culling: Culling;

/** A triangle that sweeps: its candidate, its number with bit 31 set if it is a's, and its box. */
struct Sweeper {
  candidate: u32,
  instance: u32,
  box: SweepBox,
}

/** A workgroup takes few triangles at once, so that no group has all that have long ranges. A power of two. */
const itemsAtOnce = 16u;

var<workgroup> groupItems: u32;
var<workgroup> sweepers: array<Sweeper, itemsAtOnce>;
/** Where each begins among the triangles, and how many there are for it and all before it. */
var<workgroup> firsts: array<u32, itemsAtOnce>;
var<workgroup> counts: array<u32, itemsAtOnce>;
var<workgroup> ends: array<u32, itemsAtOnce>;

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
  for (var first = group.x * itemsAtOnce; first < itemCount; first += groups.x * itemsAtOnce) {
    let item = first + thread;
    if (thread < itemsAtOnce) {
      counts[thread] = 0u;
      if (item < itemCount) {
        let candidate = candidateOfItem(item, candidateCount);
        findRange(thread, candidate, item - workItems[candidate]);
      }
    }
    workgroupBarrier();
    if (thread < itemsAtOnce) {
      var end = 0u;
      for (var i = 0u; i <= thread; i++) { end += counts[i]; }
      ends[thread] = end;
    }
    workgroupBarrier();
    // A range may be long, so the threads share all ranges evenly.
    let total = ends[itemsAtOnce - 1u];
    for (var k = thread; k < total; k += 64u) {
      if (!compareOne(k)) { break; }
    }
    tests += total;
    // The next ranges take the place of these.
    workgroupBarrier();
    betweenWalks(thread);
  }
  finishLeaves(thread);
  // All threads have the same sum.
  if (thread == 0u && tests > 0u) { atomicAdd(&results[boxTestsAt], tests); }
}

/** Finds the triangles that one triangle of a candidate is compared with: a's triangles come first, then those of b. */
fn findRange(thread: u32, candidate: u32, share: u32) {
  let bodies = candidates[candidate];
  let countA = atomicLoad(&survivors[bodies.x]);
  let countB = atomicLoad(&survivors[bodies.y]);
  if (min(countA, countB) == 0u || share >= countA + countB || isSettled(candidate)) { return; }
  let isA = share < countA;
  let own = select(bodies.y, bodies.x, isA);
  let other = select(bodies.x, bodies.y, isA);
  let instance = swept[bodyStates[bodyStateWords * own + sweepStartAt] + select(share - countA, share, isA)].y;
  let box = sweepBoxes[instance];
  sweepers[thread] = Sweeper(candidate, instance | select(0u, 0x80000000u, isA), box);
  let begin = bodyStates[bodyStateWords * other + sweepStartAt];
  let after = begin + select(countA, countB, isA);
  firsts[thread] = firstFrom(sweepKey(other, box.begin) + select(1u, 0u, isA), begin, after);
  let end = firstFrom(sweepKey(other, box.end) + 1u, begin, after);
  counts[thread] = end - min(end, firsts[thread]);
}

/** Compares two boxes that meet along the axis of the sweep: those of the k-th comparison of all ranges. False if there are too many pairs. */
fn compareOne(k: u32) -> bool {
  // The first range that ends after k.
  var place = 0u;
  for (var step = itemsAtOnce / 2u; step > 0u; step /= 2u) {
    if (ends[place + step - 1u] <= k) { place += step; }
  }
  let sweeper = sweepers[place];
  if (isSettled(sweeper.candidate)) { return true; }
  let otherInstance = swept[firsts[place] + k - (ends[place] - counts[place])].y;
  let otherBox = sweepBoxes[otherInstance];
  if (!all((sweeper.box.low <= otherBox.high) & (otherBox.low <= sweeper.box.high))) { return true; }
  let bodies = candidates[sweeper.candidate];
  let isA = sweeper.instance >= 0x80000000u;
  let own = select(bodies.y, bodies.x, isA);
  let other = select(bodies.x, bodies.y, isA);
  let leaf = (sweeper.instance & 0x7fffffffu) - atomicLoad(&survivors[culling.startsAt + own]);
  let otherLeaf = otherInstance - atomicLoad(&survivors[culling.startsAt + other]);
  let met = &survivors[culling.metAt + sweeper.candidate / 32u];
  let bit = 1u << (sweeper.candidate % 32u);
  if ((atomicLoad(met) & bit) == 0u) { atomicOr(met, bit); }
  return keepLeaves(sweeper.candidate, select(otherLeaf, leaf, isA), select(leaf, otherLeaf, isA));
}

/** The first of a body's places in the order whose key is not less, or their end. */
fn firstFrom(key: u32, begin: u32, end: u32) -> u32 {
  var low = begin;
  var high = end;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (swept[middle].x < key) { low = middle + 1u; } else { high = middle; }
  }
  return low;
}
