// A workgroup walks trees with 64 leaves of other trees, one per thread, depth first (tree-path.wgsl). The module
// that defines `visitLeaves` decides what to do with a leaf pair.
//
// Some walks end at once, and some visit hundreds of nodes, which a single thread would visit one after the other. So
// after some steps a thread lists the nodes that it has yet to enter. From then on the workgroup goes through all
// listed nodes, whichever thread listed them: in every round each thread takes one, tests the boxes one step below
// it, and lists those that meet. The nodes listed last are taken first, so that the list stays short.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> frames: array<Frame>;
/** Per candidate, the sum of the work items of all candidates before it. */
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;

/** A leaf of the side that walks, and the node of the other tree to walk below. Node 0 means no walk. */
struct Walk {
  candidate: u32,
  leaf: u32,
  node: u32,
}

/**
 * The leaf's box in two frames. `low` and `high` are the box in the other's frame, to be compared with the nodes. The
 * rest is the box in its own frame, doubled: x, y and z are the rows that map the other's q there, `shift` and `room`
 * its place and size.
 */
struct LeafBox {
  low: vec3f,
  high: vec3f,
  x: vec3f,
  y: vec3f,
  z: vec3f,
  shift: vec3f,
  room: vec3f,
}

/** The tree that is being walked. */
struct Walked {
  /** The side of the leaf that walks. */
  side: u32,
  nodeOffset: u32,
  count: u32,
  depth: u32,
}

/**
 * The number of steps that a thread makes alone; most walks end sooner. A node that it lists then is at least
 * `worthHeight` above the leaves.
 */
override ownSteps = 12u;
const worthHeight = 4u;
/**
 * The capacity for listed nodes. A node that is taken may list four below it, three more than before. A round takes
 * as many nodes as the list certainly has room for, and one if there is no room: that is depth first, and lists three
 * more per step down, of which there are 13 at most. `spareWaiting` is the room kept for them.
 */
override mostWaiting = 512u;
override spareWaiting = 40u;
/**
 * The leaf's place in the workgroup is stored above the node's number. Numbers of nodes above the leaves have at most
 * 26 bits.
 */
const nodeBits = 26u;

/** By thread: the leaf's box, with `shift` in the fourth components, and its candidate and leaf. */
var<workgroup> lows: array<vec4f, 64>;
var<workgroup> highs: array<vec4f, 64>;
var<workgroup> rooms: array<vec4f, 64>;
var<workgroup> walkers: array<vec2u, 64>;
var<workgroup> waiting: array<u32, mostWaiting>;
/** The number of listed nodes. It may exceed the capacity: a thread whose nodes did not fit walks on alone. */
var<workgroup> waitingLength: atomic<u32>;
var<workgroup> roundLength: u32;
var<workgroup> groupBoxTests: atomic<u32>;

var<private> boxTests = 0u;

/** Makes the walks of a workgroup of 64, one per thread, until all of them are done. Call in uniform control flow. */
fn walkTogether(thread: u32, walk: Walk) {
  if (walk.node != 0u && !isSettled(walk.candidate)) { walkAlone(thread, walk); }
  // In the first round, entries beyond this were not listed; afterwards there is room for all.
  var most = mostWaiting - spareWaiting;
  loop {
    betweenWalks(thread);
    workgroupBarrier();
    if (thread == 0u) {
      let length = min(atomicLoad(&waitingLength), most);
      let room = mostWaiting - spareWaiting - min(length, mostWaiting - spareWaiting);
      roundLength = min(length, clamp(room / 3u, 1u, 64u));
      atomicStore(&waitingLength, length - roundLength);
    }
    let count = workgroupUniformLoad(&roundLength);
    if (count == 0u) { break; }
    most = mostWaiting;
    var taken = 0u;
    if (thread < count) { taken = waiting[atomicLoad(&waitingLength) + thread]; }
    workgroupBarrier();
    if (taken != 0u) { stepBelow(taken >> nodeBits, taken & ((1u << nodeBits) - 1u)); }
  }
}

/** Adds up how many boxes were tested. Call in uniform control flow, once. */
fn finishWalks(thread: u32) {
  atomicAdd(&groupBoxTests, boxTests);
  workgroupBarrier();
  if (thread == 0u) {
    let tests = atomicLoad(&groupBoxTests);
    if (tests > 0u) { atomicAdd(&results[boxTestsAt], tests); }
  }
}

/** Makes the first steps of a walk, and all of them if the list has no room. */
fn walkAlone(thread: u32, walk: Walk) {
  let candidate = walk.candidate;
  let walked = walkedBy(candidate);
  var path = Path(walk.node, walked.depth - firstLeadingBit(walk.node), vec2u(0u));
  if (mayHold(walked, walk.leaf, path.node, path.height) == 0u) { return; }
  let box = leafBoxOf(walk, walked.side);
  boxTests++;
  let at = 2u * (walked.nodeOffset + path.node);
  if (!meetsBox(box, nodes[at].xyz, nodes[at + 1u].xyz)) { return; }
  if (path.height == 0u) {
    _ = visit(candidate, walked.side, walk.leaf, path.node - (1u << walked.depth), 1u);
    return;
  }
  var steps = ownSteps;
  loop {
    let down = stepDown(path.height);
    let below = path.height - down;
    let first = path.node << down;
    var met = meetsBelow(walked, box, walk.leaf, first, below, down);
    if (below == 0u && met != 0u) {
      if (!visit(candidate, walked.side, walk.leaf, first - (1u << walked.depth), met)) { break; }
      met = 0u;
    }
    if (met != 0u) { enter(&path, first, below, met); } else if (!enterNext(&path)) { break; }
    steps--;
    if (steps == 0u) {
      let isHigh = path.height >= worthHeight;
      let worth = vec2u(path.rest.x & ~0xfu, path.rest.y);
      if ((isHigh || any(worth != vec2u(0u))) && listRest(thread, path, worth, isHigh)) {
        lows[thread] = vec4f(box.low, box.shift.x);
        highs[thread] = vec4f(box.high, box.shift.y);
        rooms[thread] = vec4f(box.room, box.shift.z);
        walkers[thread] = vec2u(candidate, walk.leaf);
        path.rest ^= worth;
        if (isHigh && !enterNext(&path)) { break; }
      }
    }
  }
}

/**
 * Lists the nodes that are to be entered beside a path, and the path's own node if `itself`. Returns false if there
 * is no room.
 */
fn listRest(thread: u32, path: Path, rest: vec2u, itself: bool) -> bool {
  let needed = countOneBits(rest.x) + countOneBits(rest.y) + u32(itself);
  var place = atomicAdd(&waitingLength, needed);
  let fits = place + needed <= mostWaiting - spareWaiting;
  let walker = thread << nodeBits;
  // If not all fit, none is listed, and 0 marks the places as empty.
  if (itself && place < mostWaiting) {
    waiting[place] = select(0u, walker | path.node, fits);
    place++;
  }
  var left = rest;
  while (any(left != vec2u(0u)) && place < mostWaiting) {
    waiting[place] = select(0u, walker | lowestOf(path, left).x, fits);
    left = withoutLowest(left);
    place++;
  }
  return fits;
}

/** Takes one step below a node: tests the boxes there against the walker's leaf. */
fn stepBelow(walker: u32, node: u32) {
  let candidate = walkers[walker].x;
  let leaf = walkers[walker].y;
  if (isSettled(candidate)) { return; }
  let walked = walkedBy(candidate);
  let low = lows[walker];
  let high = highs[walker];
  let room = rooms[walker];
  let x = frames[candidate].into[3u * walked.side].xyz;
  let y = frames[candidate].into[3u * walked.side + 1u].xyz;
  let z = frames[candidate].into[3u * walked.side + 2u].xyz;
  let box = LeafBox(low.xyz, high.xyz, x, y, z, vec3f(low.w, high.w, room.w), room.xyz);
  let height = walked.depth - firstLeadingBit(node);
  let down = stepDown(height);
  let below = height - down;
  let first = node << down;
  let met = meetsBelow(walked, box, leaf, first, below, down);
  if (met == 0u) { return; }
  if (below == 0u) {
    _ = visit(candidate, walked.side, leaf, first - (1u << walked.depth), met);
    return;
  }
  var place = atomicAdd(&waitingLength, countOneBits(met));
  for (var rest = met; rest != 0u; rest &= rest - 1u) {
    waiting[place] = (walker << nodeBits) | (first + firstTrailingBit(rest));
    place++;
  }
}

/**
 * Visits the leaves of the tree, from `first` on, that the bits name. Returns false if enough is known about the
 * candidate.
 */
fn visit(candidate: u32, side: u32, leaf: u32, first: u32, named: u32) -> bool {
  beginVisits(candidate);
  var more = true;
  for (var rest = named; more && rest != 0u; rest &= rest - 1u) {
    let found = first + firstTrailingBit(rest);
    more = visitLeaves(candidate, select(leaf, found, side == 1u), select(found, leaf, side == 1u));
  }
  endVisits(candidate);
  return more;
}

fn walkedBy(candidate: u32) -> Walked {
  let side = frames[candidate].walker;
  return Walked(
    side,
    select(frames[candidate].nodeOffsetB, frames[candidate].nodeOffsetA, side == 1u),
    select(frames[candidate].leafCountB, frames[candidate].leafCountA, side == 1u),
    select(frames[candidate].depthB, frames[candidate].depthA, side == 1u),
  );
}

/**
 * 1 if the node, at this height, has leaves that exist and are wanted. In a mesh against itself, leaves up to the
 * walker's own are not wanted: their own walks pair them with it.
 */
fn mayHold(walked: Walked, leaf: u32, node: u32, height: u32) -> u32 {
  let firstLeaf = 1u << walked.depth;
  let least = select(0u, leaf + 1u, query.selfTest == 1u);
  return u32((node << height) - firstLeaf < walked.count) & u32(((node + 1u) << height) - firstLeaf > least);
}

/** Which of the two or four nodes from `first` on meet the leaf's box, as one bit each. */
fn meetsBelow(walked: Walked, box: LeafBox, leaf: u32, first: u32, height: u32, down: u32) -> u32 {
  let wanted = (mayHold(walked, leaf, first, height) | (mayHold(walked, leaf, first + 1u, height) << 1u)
    | (mayHold(walked, leaf, first + 2u, height) << 2u) | (mayHold(walked, leaf, first + 3u, height) << 3u))
    & select(3u, 15u, down == 2u);
  boxTests += countOneBits(wanted);
  return wanted & meetsBoxes(box, 2u * (walked.nodeOffset + first));
}

/**
 * Tests four boxes without a branch, so that their loads are waited for together: divergent branches cost more than
 * they save.
 */
fn meetsBoxes(leaf: LeafBox, at: u32) -> u32 {
  let low0 = nodes[at].xyz;
  let high0 = nodes[at + 1u].xyz;
  let low1 = nodes[at + 2u].xyz;
  let high1 = nodes[at + 3u].xyz;
  let low2 = nodes[at + 4u].xyz;
  let high2 = nodes[at + 5u].xyz;
  let low3 = nodes[at + 6u].xyz;
  let high3 = nodes[at + 7u].xyz;
  let met = bit(meetsAlong(leaf, low0, high0), 0u) | bit(meetsAlong(leaf, low1, high1), 1u)
    | bit(meetsAlong(leaf, low2, high2), 2u) | bit(meetsAlong(leaf, low3, high3), 3u);
  // In one mesh, the axes of both frames are the same.
  if (query.selfTest == 1u) { return met; }
  return met & (bit(meetsAcross(leaf, low0, high0), 0u) | bit(meetsAcross(leaf, low1, high1), 1u)
    | bit(meetsAcross(leaf, low2, high2), 2u) | bit(meetsAcross(leaf, low3, high3), 3u));
}

fn bit(isSet: bool, place: u32) -> u32 {
  return select(0u, 1u << place, isSet);
}

fn meetsBox(leaf: LeafBox, low: vec3f, high: vec3f) -> bool {
  return meetsAlong(leaf, low, high) && (query.selfTest == 1u || meetsAcross(leaf, low, high));
}

/** Whether the boxes meet along the axes of the other's frame. */
fn meetsAlong(leaf: LeafBox, low: vec3f, high: vec3f) -> bool {
  return all(leaf.low <= high) & all(low <= leaf.high);
}

/** Whether the boxes meet along the axes of the leaf's own frame. */
fn meetsAcross(leaf: LeafBox, low: vec3f, high: vec3f) -> bool {
  let sum = low + high;
  let span = high - low;
  let distance = abs(vec3f(dot(leaf.x, sum), dot(leaf.y, sum), dot(leaf.z, sum)) + leaf.shift);
  let reach = vec3f(dot(abs(leaf.x), span), dot(abs(leaf.y), span), dot(abs(leaf.z), span));
  return all(distance <= reach + leaf.room);
}

/** The boxes of the leaf's triangle. The rounding of its conversion to singles is within the slack. */
fn leafBoxOf(walk: Walk, side: u32) -> LeafBox {
  let candidate = walk.candidate;
  let other = 1u - side;
  let at = walk.leaf + select(frames[candidate].leafOffsetA, frames[candidate].leafOffsetB, side == 1u);
  let p = vec3f(leaves[3u * at].xyz) * 0x1p-29;
  let q = vec3f(leaves[3u * at + 1u].xyz) * 0x1p-29;
  let r = vec3f(leaves[3u * at + 2u].xyz) * 0x1p-29;
  let ownLow = min(min(p, q), r);
  let ownHigh = max(max(p, q), r);
  let mx = frames[candidate].into[3u * other];
  let my = frames[candidate].into[3u * other + 1u];
  let mz = frames[candidate].into[3u * other + 2u];
  let mappedP = vec3f(dot(mx.xyz, p) + mx.w, dot(my.xyz, p) + my.w, dot(mz.xyz, p) + mz.w);
  let mappedQ = vec3f(dot(mx.xyz, q) + mx.w, dot(my.xyz, q) + my.w, dot(mz.xyz, q) + mz.w);
  let mappedR = vec3f(dot(mx.xyz, r) + mx.w, dot(my.xyz, r) + my.w, dot(mz.xyz, r) + mz.w);
  let slack = frames[candidate].slack[other].xyz;
  let bx = frames[candidate].into[3u * side];
  let by = frames[candidate].into[3u * side + 1u];
  let bz = frames[candidate].into[3u * side + 2u];
  var box: LeafBox;
  box.low = min(min(mappedP, mappedQ), mappedR) - slack;
  box.high = max(max(mappedP, mappedQ), mappedR) + slack;
  box.x = bx.xyz;
  box.y = by.xyz;
  box.z = bz.xyz;
  box.shift = 2.0 * vec3f(bx.w, by.w, bz.w) - (ownLow + ownHigh);
  box.room = (ownHigh - ownLow) + 2.0 * frames[candidate].slack[side].xyz;
  return box;
}
