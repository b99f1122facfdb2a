// A workgroup takes a packet, the leaves below one low node of the one tree, and goes down both trees together: a
// stack of node pairs in workgroup memory, of which every thread tests one a round. Upper boxes are tested once a
// packet and not once a leaf, and the threads share the work of crowded places. Neighbouring leaves find much the
// same nodes, so packets lose little against leaves that walk alone.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> frames: array<Frame>;
/** Sums of the packets of all candidates before. */
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> results: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> leafPairs: array<u32>;

const threads = 64u;
/** With one thread at work a subtree adds at most three pairs a level: 32 levels fit in what is held back. */
const stackRoom = 512u;
const heldBack = 96u;
/** Found leaf pairs are written out when another round might not fit. */
const foundRoom = 128u;
/** Past this many the query is given up and run again in parts: the counter must not wrap. */
const tooMany = 0x40000000u;

/** Node of the packet's tree, node of the other. */
var<workgroup> stack: array<vec2u, stackRoom>;
/** Leaves, likewise. */
var<workgroup> found: array<vec2u, foundRoom>;
/** Of one round: node pairs added in the lower half, leaf pairs found in the upper. */
var<workgroup> gained: atomic<u32>;
var<workgroup> sharedGained: u32;
var<workgroup> sharedItems: vec2u;
var<workgroup> writtenStart: u32;
var<workgroup> groupBoxTests: atomic<u32>;

@compute @workgroup_size(threads)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  if (thread == 0u) {
    let candidates = min(atomicLoad(&results[candidatesAt]), arrayLength(&workItems));
    sharedItems = vec2u(atomicLoad(&results[workItemsAt]), candidates);
  }
  let items = workgroupUniformLoad(&sharedItems);
  var tests = 0u;
  for (var item = group.x; item < items.x; item += groups.x) {
    let candidate = candidateOfItem(item, items.y);
    tests += descend(thread, candidate, item - workItems[candidate]);
  }
  atomicAdd(&groupBoxTests, tests);
  workgroupBarrier();
  if (thread == 0u) { atomicAdd(&results[boxTestsAt], atomicLoad(&groupBoxTests)); }
}

/** Returns how many boxes this thread tested. */
fn descend(thread: u32, candidate: u32, item: u32) -> u32 {
  let side = frames[candidate].walker;
  let other = 1u - side;
  let halvings = frames[candidate].halvings;
  let ownDepth = select(frames[candidate].depthA, frames[candidate].depthB, side == 1u);
  let ownCount = select(frames[candidate].leafCountA, frames[candidate].leafCountB, side == 1u);
  let ownOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, side == 1u);
  let depth = select(frames[candidate].depthA, frames[candidate].depthB, other == 1u);
  let count = select(frames[candidate].leafCountA, frames[candidate].leafCountB, other == 1u);
  let offset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, other == 1u);
  let packetLevel = ownDepth - min(ownDepth, query.packetHeight);
  let packet = (1u << packetLevel) + (item >> halvings);
  let ownX = frames[candidate].into[3u * side];
  let ownY = frames[candidate].into[3u * side + 1u];
  let ownZ = frames[candidate].into[3u * side + 2u];
  let ownSlack = frames[candidate].slack[side].xyz;
  let otherX = frames[candidate].into[3u * other];
  let otherY = frames[candidate].into[3u * other + 1u];
  let otherZ = frames[candidate].into[3u * other + 2u];
  let otherSlack = frames[candidate].slack[other].xyz;

  // The first pairs. Of two trees: the packet and the nodes some levels below this group's part of the other
  // tree. Of one tree: the packet and itself, and the packet and the right neighbours of its ancestors, below
  // which lies every leaf beyond it; the ancestors themselves need no test.
  if (thread == 0u) { atomicStore(&gained, 0u); }
  workgroupBarrier();
  var first = vec2u(packet, 0u);
  if (query.selfTest == 1u) {
    if (thread == packetLevel) { first.y = packet; }
    if (thread < packetLevel) {
      let ancestor = packet >> thread;
      if ((ancestor & 1u) == 0u && nodeExists(ancestor + 1u, depth, count)) { first.y = ancestor + 1u; }
    }
  } else {
    let top = (1u << halvings) + (item & ((1u << halvings) - 1u));
    let above = depth - min(depth, halvings + (ownDepth - packetLevel));
    let down = min(entryLevels, above);
    let entry = (top << down) + thread;
    if (thread < (1u << down) && nodeExists(entry, depth, count)) { first.y = entry; }
  }
  if (first.y != 0u) { stack[atomicAdd(&gained, 1u)] = first; }
  workgroupBarrier();
  if (thread == 0u) { sharedGained = atomicLoad(&gained); }
  var stacked = workgroupUniformLoad(&sharedGained);
  var foundCount = 0u;
  var tests = 0u;

  while (stacked > 0u) {
    let taken = min(stacked, clamp((max(stackRoom - heldBack, stacked) - stacked) / 3u, 1u, threads));
    let base = stacked - taken;
    var pair = vec2u(0u);
    if (thread < taken) { pair = stack[base + thread]; }
    if (thread == 0u) { atomicStore(&gained, 0u); }
    workgroupBarrier();
    if (thread < taken) {
      let ownLevel = firstLeadingBit(pair.x);
      let level = firstLeadingBit(pair.y);
      let ownHeight = ownDepth - ownLevel;
      let height = depth - level;
      tests++;
      let ownAt = 2u * (ownOffset + pair.x);
      let at = 2u * (offset + pair.y);
      let ownLow = nodes[ownAt].xyz;
      let ownHigh = nodes[ownAt + 1u].xyz;
      let low = nodes[at].xyz;
      let high = nodes[at + 1u].xyz;
      var apart = false;
      if (query.selfTest == 1u) {
        // One local frame: either box is off by no more than the slack along its axes.
        apart = any(ownLow > high + 2.0 * ownSlack) || any(low > ownHigh + 2.0 * ownSlack);
      } else {
        let own = boxBetween(ownLow, ownHigh);
        let box = boxBetween(low, high);
        apart = facesSeparate(own, box, ownX, ownY, ownZ, ownSlack)
          || facesSeparate(box, own, otherX, otherY, otherZ, otherSlack);
      }
      if (!apart && ownHeight + height == 0u) {
        // A tree of one leaf begins with that leaf and itself, which is no pair.
        if (query.selfTest == 0u || pair.x != pair.y) {
          let leaves = vec2u(pair.x - (1u << ownDepth), pair.y - (1u << depth));
          found[foundCount + (atomicAdd(&gained, 0x10000u) >> 16u)] = select(leaves, leaves.yx, side == 1u);
        }
      } else if (!apart) {
        // The higher node gives way to its children, both of equals; of one tree only leaves beyond count.
        let splitOwn = ownHeight >= height;
        let split = height >= ownHeight;
        let ownFirst = select(pair.x, 2u * pair.x, splitOwn);
        let otherFirst = select(pair.y, 2u * pair.y, split);
        let ownBoth = splitOwn && nodeExists(ownFirst + 1u, ownDepth, ownCount);
        let both = split && nodeExists(otherFirst + 1u, depth, count);
        // (left, left), (left, right), (right, left), (right, right). Of one tree, at equal height: a leaf with
        // itself is no pair, and (right, left) of a node with itself is (left, right) again.
        let same = query.selfTest == 1u && pair.x == pair.y;
        let leftLeft = !(same && ownHeight == 1u);
        let rightRight = ownBoth && both && leftLeft;
        let rightLeft = ownBoth && !same;
        let children = select(0u, 1u, leftLeft) + select(0u, 1u, both) + select(0u, 1u, rightLeft)
          + select(0u, 1u, rightRight);
        if (children > 0u) {
          var place = base + (atomicAdd(&gained, children) & 0xffffu);
          if (leftLeft) { stack[place] = vec2u(ownFirst, otherFirst); place++; }
          if (both) { stack[place] = vec2u(ownFirst, otherFirst + 1u); place++; }
          if (rightLeft) { stack[place] = vec2u(ownFirst + 1u, otherFirst); place++; }
          if (rightRight) { stack[place] = vec2u(ownFirst + 1u, otherFirst + 1u); }
        }
      }
    }
    workgroupBarrier();
    if (thread == 0u) { sharedGained = atomicLoad(&gained); }
    let round = workgroupUniformLoad(&sharedGained);
    stacked = base + (round & 0xffffu);
    foundCount += round >> 16u;
    if (foundCount > foundRoom - threads) {
      if (writeFound(thread, candidate, foundCount) > tooMany) { stacked = 0u; }
      foundCount = 0u;
    }
  }
  if (foundCount > 0u) { writeFound(thread, candidate, foundCount); }
  return tests;
}

/** Call in uniform control flow. Returns where the pairs went. */
fn writeFound(thread: u32, candidate: u32, count: u32) -> u32 {
  if (thread == 0u) { writtenStart = atomicAdd(&results[leafPairsAt], count); }
  let start = workgroupUniformLoad(&writtenStart);
  let room = arrayLength(&leafPairs) / 3u;
  for (var i = thread; i < count; i += threads) {
    if (start + i < room) {
      leafPairs[3u * (start + i)] = candidate;
      leafPairs[3u * (start + i) + 1u] = found[i].x;
      leafPairs[3u * (start + i) + 2u] = found[i].y;
    }
  }
  workgroupBarrier();
  return start;
}

/** Whether some leaf lies below the node: the tree's last level ends with its last leaf. */
fn nodeExists(node: u32, depth: u32, leafCount: u32) -> bool {
  let level = firstLeadingBit(node);
  return ((node - (1u << level)) << (depth - level)) < leafCount;
}

/** Up to this many levels of the other tree are passed over at once: 64 threads test 64 nodes. */
const entryLevels = 6u;
