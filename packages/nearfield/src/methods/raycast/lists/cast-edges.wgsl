// Every sample of an edge against all faces of the other body in its pixel: is it enclosed there? No edge is hidden by another,
// and a body's own faces are told by their name, so nothing is moved outward. A sample is the stretch of the edge over one
// pixel along the axis it runs along most, the whole edge where it is seen end-on, and is compared with the line through the
// pixel's middle, no farther than 1.12 pixels away.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> casting: Casting;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read> heads: array<u32>;
@group(0) @binding(4) var<storage, read> fragments: array<vec4u>;
@group(0) @binding(5) var<storage, read> rasterState: array<u32>;
@group(0) @binding(6) var<storage, read> edgePieces: array<EdgePiece>;
@group(0) @binding(7) var<storage, read_write> castState: array<atomic<u32>>;
/** Candidate, twice the edge and 1 if it is its second body's, the bits of the share of the edge. */
@group(0) @binding(8) var<storage, read_write> edgeHits: array<vec4u>;

var<workgroup> sampleCount: atomic<u32>;

@compute @workgroup_size(64)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  let whole = rasterState[fragmentsAt] <= raster.fragmentRoom && rasterState[stripsAt] <= raster.stripRoom;
  let pieces = atomicLoad(&castState[piecesAt]);
  if (whole && pieces <= casting.pieceRoom) {
    for (var i = id.x; i < pieces; i += groups.x * 64u) {
      if (casting.untilFirst == 1u && atomicLoad(&castState[anyAt]) != 0u) { break; }
      follow(edgePieces[i]);
    }
  }
  workgroupBarrier();
  if (thread == 0u) { atomicAdd(&castState[edgeFragmentsAt], atomicLoad(&sampleCount)); }
}

fn follow(piece: EdgePiece) {
  let number = piece.side >> 1u;
  let tile = tiles[number];
  let start = piece.ends.xy;
  let run = piece.ends.zw - start;
  let axis = select(0u, 1u, abs(run.y) > abs(run.x));
  let across = 1u - axis;
  let rise = f32(piece.endDepth) - f32(piece.startDepth);
  let most = select(tile.rows, tile.columns, across == 0u) - 1u;
  for (var step = piece.firstStep; step < piece.firstStep + piece.stepCount; step++) {
    var share = vec2f(piece.begin, piece.end);
    if (abs(run[axis]) > 0x1p-10) {
      let bounds = (vec2f(f32(step), f32(step + 1u)) - start[axis]) / run[axis];
      share = vec2f(max(share.x, min(bounds.x, bounds.y)), min(share.y, max(bounds.x, bounds.y)));
      // Rounding alone can leave nothing of a step at either end.
      if (share.x > share.y) { share = vec2f(share.y); }
    }
    let middle = 0.5 * (share.x + share.y);
    let beside = min(u32(max(0.0, floor(start[across] + middle * run[across]))), most);
    let place = select(vec2u(beside, step), vec2u(step, beside), axis == 0u);
    let pixel = tile.firstPixel + place.y * tile.columns + place.x;
    atomicAdd(&sampleCount, 1u);
    if (isUnsure(pixel)) { continue; }
    let depths = f32(piece.startDepth) + share * rise;
    let depth = enclosedFrom(pixel, 1u - (piece.side & 1u), i32(min(depths.x, depths.y)), i32(max(depths.x, depths.y)));
    if (depth == nowhere) { continue; }
    var at = middle;
    if (abs(rise) > 1.0) { at = clamp((f32(depth) - f32(piece.startDepth)) / rise, share.x, share.y); }
    report(tile.candidate, piece.side & 1u, piece.edge, at);
  }
}

const nowhere = 0x7fffffff;

/** The least depth of a stretch at which a body encloses the pixel's line; `nowhere` where it does not. */
fn enclosedFrom(pixel: u32, side: u32, first: i32, last: i32) -> i32 {
  if (windingBefore(pixel, side, first) != 0) { return first; }
  var depth = nowhere;
  for (var at = firstOf(pixel); at != noFragment; at = nextOf(at)) {
    let here = depthOfFragment(at);
    if (sideOfFragment(at) != side || here < first || here > last || here >= depth) { continue; }
    if (windingBefore(pixel, side, here + 1) != 0) { depth = here; }
  }
  return depth;
}

fn report(candidate: u32, side: u32, edge: u32, share: f32) {
  let flags = flagsAt + candidate;
  let bit = 2u << side;
  let known = atomicLoad(&castState[flags]);
  if ((known & bit) == 0u) { atomicOr(&castState[flags], bit); }
  let place = atomicAdd(&castState[hitsAt], 1u);
  if (place < casting.hitRoom) { edgeHits[place] = vec4u(candidate, 2u * edge + side, bitcast<u32>(share), 0u); }
}
