// A thread walks one tree with a leaf of another, depth first (tree-path.wgsl). What a leaf pair is good for is said by the
// module that defines `visitLeaves`.
//
// Where few triangles are large and many are small, most walks end at once and some go on for thousands of nodes, which a
// single thread would visit one after the other. So walks are shared: after some steps a thread lists what is left of its
// own for the workgroup, whose threads take up what is listed until nothing is.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> frames: array<Frame>;
/** Sums of the work items of all candidates before. */
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;

/** A leaf of the side that walks, and the node of the other tree it is to walk below; node 0 is no walk. */
struct Walk {
  candidate: u32,
  leaf: u32,
  node: u32,
}

/**
 * Nodes that a thread enters before it shares what is left of its own walk, and of one that was shared before: most walks end
 * sooner than the first, and what is left of those that do not is soon with all threads. Nodes less high above the leaves are
 * not worth sharing.
 */
const ownSteps = 32u;
const sharedSteps = 2u;
const worthHeight = 4u;
const mostShared = 256u;

var<workgroup> sharedWalks: array<Walk, mostShared>;
/** How many were listed. It may exceed the room: what had none was left with who listed it. */
var<workgroup> sharedLength: atomic<u32>;
var<workgroup> sharedWaiting: u32;
var<workgroup> groupBoxTests: atomic<u32>;

var<private> boxTests = 0u;

/** Walks of a workgroup of 64, one a thread, until all of them are done. Call in uniform control flow. */
fn walkTogether(thread: u32, first: Walk) {
  var walk = first;
  var steps = ownSteps;
  loop {
    if (walk.node != 0u && !isSettled(walk.candidate)) { walkBelow(walk, steps); }
    steps = sharedSteps;
    betweenWalks(thread);
    workgroupBarrier();
    if (thread == 0u) {
      sharedWaiting = min(atomicLoad(&sharedLength), mostShared);
      atomicStore(&sharedLength, sharedWaiting - min(sharedWaiting, 64u));
    }
    let waiting = workgroupUniformLoad(&sharedWaiting);
    if (waiting == 0u) { break; }
    walk.node = 0u;
    if (thread < waiting) { walk = sharedWalks[waiting - 1u - thread]; }
    workgroupBarrier();
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

/** A leaf's box in its own frame and in the other's, where it stands among the nodes. */
struct LeafBox {
  low: vec3f,
  high: vec3f,
  /** Rows that take the other's q into the leaf's frame, and the box there. */
  x: vec3f,
  y: vec3f,
  z: vec3f,
  shift: vec3f,
  room: vec3f,
}

fn meetsBox(leaf: LeafBox, low: vec3f, high: vec3f) -> bool {
  if (any(leaf.low > high) || any(low > leaf.high)) { return false; }
  // Of one mesh the axes are the same.
  if (query.selfTest == 1u) { return true; }
  let middle = 0.5 * (low + high);
  let half = 0.5 * (high - low);
  let distance = abs(vec3f(dot(leaf.x, middle), dot(leaf.y, middle), dot(leaf.z, middle)) + leaf.shift);
  let reach = vec3f(dot(abs(leaf.x), half), dot(abs(leaf.y), half), dot(abs(leaf.z), half));
  return all(distance <= reach + leaf.room);
}

/** The triangle's boxes. Conversion to single is within the slack. */
fn leafBoxOf(candidate: u32, side: u32, at: u32) -> LeafBox {
  let other = 1u - side;
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
  box.shift = vec3f(bx.w, by.w, bz.w) - 0.5 * (ownLow + ownHigh);
  box.room = 0.5 * (ownHigh - ownLow) + frames[candidate].slack[side].xyz;
  return box;
}

fn walkBelow(walk: Walk, mostSteps: u32) {
  let candidate = walk.candidate;
  let leaf = walk.leaf;
  let side = frames[candidate].walker;
  let nodeOffset = select(frames[candidate].nodeOffsetB, frames[candidate].nodeOffsetA, side == 1u);
  let leafOffset = select(frames[candidate].leafOffsetA, frames[candidate].leafOffsetB, side == 1u);
  let count = select(frames[candidate].leafCountB, frames[candidate].leafCountA, side == 1u);
  let depth = select(frames[candidate].depthB, frames[candidate].depthA, side == 1u);
  // The leaves below a node of a level, in order, begin with this one of the lowest level.
  let firstLeaf = 1u << depth;
  // Of one mesh against itself, leaves up to this one have been, or will be, paired with it by their own walks.
  let least = select(0u, leaf + 1u, query.selfTest == 1u);
  var path = Path(walk.node, depth - firstLeadingBit(walk.node), vec2u(0u));
  if (!mayHold(path.node, path.height, firstLeaf, least, count)) { return; }
  let box = leafBoxOf(candidate, side, leafOffset + leaf);
  boxTests++;
  let root = 2u * (nodeOffset + path.node);
  if (!meetsBox(box, nodes[root].xyz, nodes[root + 1u].xyz)) { return; }
  beginWalk(candidate);
  if (path.height == 0u) {
    let found = path.node - firstLeaf;
    _ = visitLeaves(candidate, select(leaf, found, side == 1u), select(found, leaf, side == 1u));
    endWalk(candidate);
    return;
  }
  var steps = 0u;
  loop {
    let down = stepDown(path);
    let below = path.height - down;
    let first = path.node << down;
    let at = 2u * (nodeOffset + first);
    let low0 = nodes[at].xyz;
    let high0 = nodes[at + 1u].xyz;
    let low1 = nodes[at + 2u].xyz;
    let high1 = nodes[at + 3u].xyz;
    let low2 = nodes[at + 4u].xyz;
    let high2 = nodes[at + 5u].xyz;
    let low3 = nodes[at + 6u].xyz;
    let high3 = nodes[at + 7u].xyz;
    let try0 = mayHold(first, below, firstLeaf, least, count);
    let try1 = mayHold(first + 1u, below, firstLeaf, least, count);
    let try2 = down == 2u && mayHold(first + 2u, below, firstLeaf, least, count);
    let try3 = down == 2u && mayHold(first + 3u, below, firstLeaf, least, count);
    boxTests += u32(try0) + u32(try1) + u32(try2) + u32(try3);
    var entered = u32(try0 && meetsBox(box, low0, high0));
    entered |= u32(try1 && meetsBox(box, low1, high1)) << 1u;
    entered |= u32(try2 && meetsBox(box, low2, high2)) << 2u;
    entered |= u32(try3 && meetsBox(box, low3, high3)) << 3u;
    if (below == 0u) {
      var more = true;
      while (more && entered != 0u) {
        let found = first + firstTrailingBit(entered) - firstLeaf;
        entered &= entered - 1u;
        more = visitLeaves(candidate, select(leaf, found, side == 1u), select(found, leaf, side == 1u));
      }
      if (!more) { break; }
    }
    if (entered != 0u) { enter(&path, first, below, entered); } else if (!enterNext(&path)) { break; }
    steps++;
    if (steps % mostSteps == 0u) {
      let isHigh = path.height >= worthHeight;
      let worth = vec2u(path.rest.x & ~0xfu, path.rest.y);
      if (any(worth != vec2u(0u)) && shareWalks(candidate, leaf, path, worth, isHigh)) {
        if (isHigh) { break; }
        path.rest ^= worth;
      }
    }
  }
  endWalk(candidate);
}

/** Whether the node, so many levels above the leaves, has leaves that exist and are wanted. */
fn mayHold(node: u32, height: u32, firstLeaf: u32, least: u32, count: u32) -> bool {
  return (node << height) - firstLeaf < count && ((node + 1u) << height) - firstLeaf > least;
}

/** Lists nodes that are to be entered beside a path, and its own if asked. False where there is no room. */
fn shareWalks(candidate: u32, leaf: u32, path: Path, rest: vec2u, itself: bool) -> bool {
  let needed = countOneBits(rest.x) + countOneBits(rest.y) + u32(itself);
  var place = atomicAdd(&sharedLength, needed);
  let fits = place + needed <= mostShared;
  // Where not all have room none is shared, and the places say so.
  if (itself && place < mostShared) {
    sharedWalks[place] = Walk(candidate, leaf, select(0u, path.node, fits));
    place++;
  }
  var left = rest;
  while (any(left != vec2u(0u)) && place < mostShared) {
    sharedWalks[place] = Walk(candidate, leaf, select(0u, lowestOf(path, left).x, fits));
    left = withoutLowest(left);
    place++;
  }
  return fits;
}
