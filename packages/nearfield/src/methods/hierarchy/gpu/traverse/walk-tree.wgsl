// A thread walks one tree with a leaf of another, depth first and without a stack: after node h and all below it comes
// (h + 1) without its trailing zero bits. What a leaf pair is good for is said by the module that defines `visitLeaves`.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> frames: array<Frame>;
/** Sums of the work items of all candidates before. */
@group(0) @binding(2) var<storage, read> workItems: array<u32>;
@group(0) @binding(3) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;

/**
 * With a leaf of the side that walks, through a part of the other tree: a node of as many levels below the root as that
 * tree has been halved. Returns how many boxes were tested.
 */
fn walkTree(candidate: u32, leaf: u32, part: u32) -> u32 {
  let side = frames[candidate].walker;
  let other = 1u - side;
  let halvings = frames[candidate].halvings;
  let nodeOffset = select(frames[candidate].nodeOffsetA, frames[candidate].nodeOffsetB, other == 1u);
  let leafOffset = select(frames[candidate].leafOffsetA, frames[candidate].leafOffsetB, side == 1u);
  let count = select(frames[candidate].leafCountA, frames[candidate].leafCountB, other == 1u);
  let depth = select(frames[candidate].depthA, frames[candidate].depthB, other == 1u);
  let top = (1u << halvings) + part;
  var level = halvings;
  var node = top;
  if (((node - (1u << level)) << (depth - level)) >= count) { return 0u; }

  // The triangle's box in its own frame and in the other's. Conversion to single is within the slack.
  let corner = 3u * (leafOffset + leaf);
  let p = vec3f(leaves[corner].xyz) * 0x1p-29;
  let q = vec3f(leaves[corner + 1u].xyz) * 0x1p-29;
  let r = vec3f(leaves[corner + 2u].xyz) * 0x1p-29;
  let ownLow = min(min(p, q), r);
  let ownHigh = max(max(p, q), r);
  let mx = frames[candidate].into[3u * other];
  let my = frames[candidate].into[3u * other + 1u];
  let mz = frames[candidate].into[3u * other + 2u];
  let mappedP = vec3f(dot(mx.xyz, p) + mx.w, dot(my.xyz, p) + my.w, dot(mz.xyz, p) + mz.w);
  let mappedQ = vec3f(dot(mx.xyz, q) + mx.w, dot(my.xyz, q) + my.w, dot(mz.xyz, q) + mz.w);
  let mappedR = vec3f(dot(mx.xyz, r) + mx.w, dot(my.xyz, r) + my.w, dot(mz.xyz, r) + mz.w);
  let otherSlack = frames[candidate].slack[other].xyz;
  let mappedLow = min(min(mappedP, mappedQ), mappedR) - otherSlack;
  let mappedHigh = max(max(mappedP, mappedQ), mappedR) + otherSlack;
  let bx = frames[candidate].into[3u * side];
  let by = frames[candidate].into[3u * side + 1u];
  let bz = frames[candidate].into[3u * side + 2u];
  let shift = vec3f(bx.w, by.w, bz.w) - 0.5 * (ownLow + ownHigh);
  let room = 0.5 * (ownHigh - ownLow) + frames[candidate].slack[side].xyz;

  var tests = 0u;
  loop {
    var enter = true;
    if (query.selfTest == 1u) {
      // Leaves up to this one have been, or will be, paired with it by their own threads.
      enter = ((node + 1u - (1u << level)) << (depth - level)) > leaf + 1u;
    }
    if (enter) {
      tests++;
      let boxLow = nodes[2u * (nodeOffset + node)].xyz;
      let boxHigh = nodes[2u * (nodeOffset + node) + 1u].xyz;
      enter = all(mappedLow <= boxHigh) && all(boxLow <= mappedHigh);
      if (enter) {
        let middle = 0.5 * (boxLow + boxHigh);
        let half = 0.5 * (boxHigh - boxLow);
        let distance = abs(vec3f(dot(bx.xyz, middle), dot(by.xyz, middle), dot(bz.xyz, middle)) + shift);
        let reach = vec3f(dot(abs(bx.xyz), half), dot(abs(by.xyz), half), dot(abs(bz.xyz), half)) + room;
        enter = all(distance <= reach);
      }
      if (enter && level < depth) {
        node *= 2u;
        level++;
        continue;
      }
      if (enter) {
        let found = node - (1u << depth);
        if (!visitLeaves(candidate, select(leaf, found, side == 1u), select(found, leaf, side == 1u))) { break; }
      }
    }
    // The next node that is not below this one. Within the thread's part, fewer levels are climbed than lie
    // between this level and the part's top.
    let climbed = firstTrailingBit(node + 1u);
    if (climbed >= level - halvings) { break; }
    node = (node + 1u) >> climbed;
    level -= climbed;
    if (((node - (1u << level)) << (depth - level)) >= count) { break; }
  }
  finishLeaves();
  return tests;
}
