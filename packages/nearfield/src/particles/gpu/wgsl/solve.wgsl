// Finds the collider that a segment hits first. Every collider whose box the path's box meets is searched for its first
// certain crossing. The one that is certainly the first of all is the answer; if another may come before it, the result
// is unsure. With stepped motion a segment is a few chords, examined one after the other; a crossing that may lie where
// two of them join is searched for from the middle of one to the middle of the other (gpu/filter.md, section 6).

/** Whether motion is stepped: otherwise its code is left out of the kernel. */
override anySteps: bool;
/** How many chords are examined ahead. */
const chordsAhead = 32u;

struct Solved {
  /** `hitPhase`, `unsurePhase`, `freePhase` or, for stepped motion, `steppingPhase`: none in the examined chords. */
  phase: u32,
  collider: u32,
  leaf: u32,
  /** Ticks since birth, rounded outward. */
  low: i32,
  high: i32,
  /** The chord in which it is hit, and whether about its end (`atJoin`). */
  chord: u32,
}

const never = 0x1p60;

fn solve(begun: Segment, steps: Steps, birth: u32, life: u32) -> Solved {
  var segment = begun;
  var before = steps;
  var walker = steps;
  var chord = 0u;
  var joining = false;
  /** When a crossing about the end of a chord is searched for: the first tick at which it may be. */
  var soonestAtJoin = 0;
  // Runs once, except with chords.
  loop {
    let remaining = f32(life - segment.since) * 0x1p-30;
    var end = 1.00001 * remaining + 2.0 * segment.timeError + 0x1p-28;
    if (anySteps) {
      var soonest = soonestAtJoin;
      if (!joining) {
        soonest = i32(segment.since) + ticksBelow(-segment.timeError);
        if (soonest >= i32(life)) { return Solved(freePhase, noCollider, noLeaf, i32(life), i32(life), 0u); }
        if (chord == chordsAhead) { return Solved(steppingPhase, noCollider, noLeaf, soonest, soonest, 0u); }
      }
      var after = walker;
      if (!stepIsSure(walker) || !makeStep(&after)) {
        return Solved(unsurePhase, noCollider, noLeaf, soonest, i32(life), 0u);
      }
      let ahead = chordOf(walker, after);
      if (joining) {
        segment.path = joinOf(before, walker, after, segment.path, ahead);
        segment.since += halfStep();
        segment.left = noCollider;
      } else {
        segment.path = ahead;
        before = walker;
        walker = after;
      }
      end = 1.00001 * stepTime() + 0x1p-30;
    }
    let began = birth + segment.since;
    var bestLow = never;
    var bestHigh = never;
    var bestCollider = noCollider;
    var bestLeaf = noLeaf;
    // No other crossing, certain or not, comes before this.
    var othersLow = never;

    // Colliders one after the other: those that every segment tries, then those the tree finds (stackless, in the order
    // of the hierarchy's walk: after node h and all below it comes (h + 1) without its trailing zeros); for meshes one
    // leaf after the other.
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
      var left = select(0, segment.side, segment.left == collider);
      if (anyMeshes && inMesh) {
        tried = triangleOf(surface, leaf);
        first = walk.begin;
        last = walk.begin + walk.step;
        left = select(0, left, segment.leaf == leaf);
      }
      let crossing = firstCrossing(tried, path, left, first, last);
      // Pieces of a mesh's path overlap. Within the interval of a certain crossing h is monotone, so it is on the union
      // of two that meet: the same triangle's root is found once more.
      let again = anyMeshes && inMesh && leaf == bestLeaf && collider == bestCollider
        && crossing.low <= bestHigh && crossing.high >= bestLow;
      if (crossing.kind == certainCrossing && again) { continue; }
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
    if (anySteps && soonest > (1.0 + 4.0 * unit) * stepTime()) {
      segment.since += system.stepTicks - select(0u, halfStep(), joining);
      segment.left = noCollider;
      chord++;
      joining = false;
      continue;
    }
    let low = i32(segment.since) + ticksBelow(soonest - segment.timeError);
    if (soonest >= never || low >= i32(life)) {
      return Solved(freePhase, noCollider, noLeaf, i32(life), i32(life), 0u);
    }
    let high = i32(segment.since) - ticksBelow(-(bestHigh + segment.timeError));
    let joins = anySteps && bestHigh >= (1.0 - 4.0 * unit) * stepTime();
    if (joins && !joining && soonest > 0.5 * stepTime()) {
      joining = true;
      soonestAtJoin = low;
      continue;
    }
    if (othersLow <= bestHigh || high >= i32(life) || joins) {
      return Solved(unsurePhase, noCollider, noLeaf, low, i32(life), 0u);
    }
    return Solved(hitPhase, bestCollider, bestLeaf, low, high, chord | select(0u, atJoin, joining));
  }
}

/** Whole ticks below a time, with two to spare. */
fn ticksBelow(time: f32) -> i32 { return i32(floor(clamp(time, -1.5, 1.5) * 0x1p30)) - 2; }

struct PathBox { low: vec3f, high: vec3f }

/** The box of all places from 0 to a time: both ends and, if the path turns back along an axis, that apex. */
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
