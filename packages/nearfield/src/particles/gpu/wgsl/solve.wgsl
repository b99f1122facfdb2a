// What does a segment hit first? Every collider its path's box meets is asked for its first certain crossing; the one that is
// certainly the first of all is the answer, and where another may come before it, nothing is.

struct Solved {
  /** `hitPhase`, `unsurePhase` or `freePhase`. */
  phase: u32,
  collider: u32,
  leaf: u32,
  /** Ticks since birth, rounded outward. */
  low: i32,
  high: i32,
}

const never = 0x1p60;

fn solve(segment: Segment, birth: u32, life: u32) -> Solved {
  let began = birth + segment.since;
  let remaining = f32(life - segment.since) * 0x1p-30;
  let end = 1.00001 * remaining + 2.0 * segment.timeError + 0x1p-28;
  var bestLow = never;
  var bestHigh = never;
  var bestCollider = noCollider;
  var bestLeaf = noLeaf;
  // No other crossing, certain or not, comes before this.
  var othersLow = never;

  // Colliders one after the other: those that all try, then those the tree finds (stackless, in the order of the hierarchy's
  // walk: after node h and all below it comes (h + 1) without its trailing zeros); of meshes one leaf after the other.
  var always = 0u;
  var node = 1u;
  var level = 0u;
  var walking = system.treeDepth != 0xffffffffu;
  var box: PathBox;
  var boxed = false;
  var collider = noCollider;
  var surface: Surface;
  var path: Path;
  var inMesh = false;
  var walk: MeshWalk;
  loop {
    let until = min(end, min(bestHigh, othersLow));
    if (until <= 0.0) { break; }
    var leaf = noLeaf;
    if (anyMeshes && inMesh) {
      leaf = nextLeaf(surface, path, &walk, until);
      if (leaf == noLeaf) {
        inMesh = false;
        continue;
      }
    } else {
      collider = noCollider;
      if (always < system.alwaysCount) {
        collider = wordAt(system.alwaysAt + always);
        always++;
      } else {
        if (!walking) { break; }
        if (!boxed) { box = boxOf(segment.path, until); }
        boxed = true;
        let at = system.treeAt + 2u * node;
        let meets = all(box.low <= floatsAt(at + 1u).xyz) && all(floatsAt(at).xyz <= box.high);
        if (meets && level < system.treeDepth) {
          node *= 2u;
          level++;
          continue;
        }
        if (meets) { collider = wordAt(system.treeItemsAt + node - (1u << level)); }
        let climbed = firstTrailingBit(node + 1u);
        walking = climbed < level;
        node = (node + 1u) >> climbed;
        level -= climbed;
        if (!meets) { continue; }
      }
      path = pathTo(collider, segment.path, began, segment.timeError);
      surface = surfaceOf(collider, began, segment.timeError);
      if (anyMeshes && surface.kind == meshKind) {
        inMesh = true;
        walk = beginMesh(surface, until);
        continue;
      }
    }
    var tried = surface;
    var first = 0.0;
    var last = until;
    var left = segment.left == collider;
    if (anyMeshes && inMesh) {
      tried = triangleOf(surface, leaf);
      first = walk.begin;
      last = walk.begin + walk.step;
      left = left && segment.leaf == leaf;
    }
    let crossing = firstCrossing(tried, path, left, first, last);
    if (crossing.kind == certainCrossing && crossing.high < bestHigh) {
      othersLow = min(othersLow, bestLow);
      bestLow = crossing.low;
      bestHigh = crossing.high;
      bestCollider = collider;
      bestLeaf = leaf;
    } else if (crossing.kind != noCrossing) {
      othersLow = min(othersLow, crossing.low);
    }
  }

  let soonest = min(bestLow, othersLow);
  let low = i32(segment.since) + ticksBelow(soonest - segment.timeError);
  if (soonest >= never || low >= i32(life)) {
    return Solved(freePhase, noCollider, noLeaf, i32(life), i32(life));
  }
  let high = i32(segment.since) - ticksBelow(-(bestHigh + segment.timeError));
  if (othersLow <= bestHigh || high >= i32(life)) {
    return Solved(unsurePhase, noCollider, noLeaf, low, i32(life));
  }
  return Solved(hitPhase, bestCollider, bestLeaf, low, high);
}

/** Whole ticks below a time, with two to spare. */
fn ticksBelow(time: f32) -> i32 { return i32(floor(clamp(time, -1.5, 1.5) * 0x1p30)) - 2; }

struct PathBox { low: vec3f, high: vec3f }

/** Of all places from 0 to a time: both ends, and where an axis turns back, that apex. */
fn boxOf(path: Path, time: f32) -> PathBox {
  let end = placeAt(path, time);
  var low = min(path.x, end);
  var high = max(path.x, end);
  for (var axis = 0u; axis < 3u; axis++) {
    let v = path.v[axis];
    let a = path.a[axis];
    if (v * a < 0.0 && abs(v) < abs(a) * time) {
      let apex = path.x[axis] - 0.5 * v * v / a;
      low[axis] = min(low[axis], apex);
      high[axis] = max(high[axis], apex);
    }
  }
  let room = 1.00001 * placeError(path, time) + 8.0 * unit * (path.size + time * (path.speed + time * path.pull));
  return PathBox(low - room, high + room);
}
