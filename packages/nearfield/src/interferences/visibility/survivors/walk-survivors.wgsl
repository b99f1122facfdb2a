// Says what a work item walks: a triangle of one body that survived, as in walk.wgsl. For one mesh against itself
// (self-pair.wgsl), the second candidate has one item per leaf, which walks its own patch.

@group(0) @binding(7) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> survivors: array<atomic<u32>>;
@group(0) @binding(9) var<uniform> culling: Culling;

var<private> otherStart = 0u;
var<private> otherIsB = false;
/** Whether this thread walks within a patch of one mesh. */
var<private> withinPatch = false;
var<private> met = false;

/** If the item is of a triangle that did not survive, there is no walk. */
fn walkOf(candidate: u32, share: u32) -> Walk {
  let parts = 1u << frames[candidate].halvings;
  if (isWithinPatch(candidate)) { return Walk(candidate, share, parts + (share >> culling.patchHeight)); }
  let body = candidates[candidate][frames[candidate].walker];
  let place = share / parts;
  if (place >= atomicLoad(&survivors[body])) { return Walk(0u, 0u, 0u); }
  let start = atomicLoad(&survivors[culling.startsAt + body]);
  let leaf = atomicLoad(&survivors[culling.listAt + start + place]);
  return Walk(candidate, leaf, parts + share % parts);
}

fn isWithinPatch(candidate: u32) -> bool {
  return query.selfTest == 1u && candidate == 1u;
}

fn beginVisits(candidate: u32) {
  let side = frames[candidate].walker;
  met = false;
  withinPatch = isWithinPatch(candidate);
  if (!withinPatch) {
    otherStart = atomicLoad(&survivors[culling.startsAt + candidates[candidate][1u - side]]);
    otherIsB = side == 0u;
  }
}

fn endVisits(candidate: u32) {
  if (met) { atomicOr(&survivors[culling.metAt + candidate / 32u], 1u << (candidate % 32u)); }
}

/**
 * Counts only leaves that survive; in one mesh, those of other patches, or those of the leaf's own patch if the walk is
 * within it.
 */
fn visitLeaves(candidate: u32, leafA: u32, leafB: u32) -> bool {
  if (!withinPatch) {
    let instance = otherStart + select(leafA, leafB, otherIsB);
    if ((atomicLoad(&survivors[culling.aliveAt + instance / 32u]) & (1u << (instance % 32u))) == 0u) { return true; }
    if (query.selfTest == 1u && (leafA >> culling.patchHeight) == (leafB >> culling.patchHeight)) { return true; }
  }
  met = true;
  return keepLeaves(candidate, leafA, leafB);
}
