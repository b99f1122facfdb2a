// Samples of edges against the lists of their pixels, and the points of edges that are reported. For kernels with raster,
// casting, heads, fragments, sides, leaves, castState and edgeHits.

/** The stretch of an edge over one pixel along its main axis. */
struct EdgeSample {
  pixel: u32,
  /** The range of shares of the edge, and of depths. */
  share: vec2f,
  first: i32,
  last: i32,
}

/** A sample of an edge, by its step along the main axis. */
fn sampleOfEdge(piece: EdgePiece, tile: Tile, step: u32) -> EdgeSample {
  let start = piece.ends.xy;
  let run = piece.ends.zw - start;
  let axis = select(0u, 1u, abs(run.y) > abs(run.x));
  let across = 1u - axis;
  let most = select(tile.rows, tile.columns, across == 0u) - 1u;
  var share = vec2f(piece.begin, piece.end);
  if (abs(run[axis]) > 0x1p-10) {
    let bounds = (vec2f(f32(step), f32(step + 1u)) - start[axis]) / run[axis];
    share = vec2f(max(share.x, min(bounds.x, bounds.y)), min(share.y, max(bounds.x, bounds.y)));
    // Rounding alone can leave an empty step at either end.
    if (share.x > share.y) { share = vec2f(share.y); }
  }
  let middle = 0.5 * (share.x + share.y);
  let beside = min(u32(max(0.0, floor(start[across] + middle * run[across]))), most);
  let place = select(vec2u(beside, step), vec2u(step, beside), axis == 0u);
  let depths = f32(piece.startDepth) + share * (f32(piece.endDepth) - f32(piece.startDepth));
  let pixel = tile.firstPixel + place.y * tile.columns + place.x;
  return EdgeSample(pixel, share, i32(min(depths.x, depths.y)), i32(max(depths.x, depths.y)));
}

/** The share of the edge at which a sample is at a depth. */
fn shareAt(piece: EdgePiece, share: vec2f, depth: i32) -> f32 {
  let rise = f32(piece.endDepth) - f32(piece.startDepth);
  if (abs(rise) <= 1.0) { return 0.5 * (share.x + share.y); }
  return clamp((f32(depth) - f32(piece.startDepth)) / rise, share.x, share.y);
}

/**
 * Tells whether a sample of this side can add nothing: not every edge is asked for, and one of the candidate's edges on
 * this side certainly lies in the other body.
 */
fn isSettled(candidate: u32, side: u32) -> bool {
  let bits = bitsOf(side, true);
  return casting.everyEdge == 0u && (atomicLoad(&castState[flagsAt + candidate]) & bits) == bits;
}

const nowhere = 0x7fffffff;

/** The least depth of a stretch at which a body encloses the pixel's line; `nowhere` if it does not. */
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

const outside = 0u;
const inside = 1u;
const unknown = 2u;

/** A body with more triangles than this takes one thread too long, so the CPU decides. */
const mostTriangles = 256u;

/**
 * Whether the point at a share of an edge lies in the body of another side, certain beyond rounding: all triangles are tested
 * against the line through the point itself (proof.md). The point has the error of its ends plus that of single
 * precision.
 */
fn placeOf(piece: EdgePiece, other: u32, tile: Tile, share: f32) -> u32 {
  let count = sides[other].leafCount;
  if (count > mostTriangles) { return unknown; }
  let cell = f32(1u << tile.cellBits);
  let depths = vec2f(f32(piece.startDepth), f32(piece.endDepth));
  let flat = mix(piece.ends.xy, piece.ends.zw, share) * cell;
  let point = vec3i(vec3f(flat, mix(depths.x, depths.y, share)));
  let size = max(max(abs(piece.ends.xy), abs(piece.ends.zw)) * cell, vec2f(max(abs(depths.x), abs(depths.y))));
  let off = sides[piece.side].rest.w + 0x1p-20 * max(size.x, size.y) + 2.0;
  var winding = 0;
  for (var leaf = sides[other].leafOffset; leaf < sides[other].leafOffset + count; leaf++) {
    var seen: Seen;
    seen.a = vertexOfSide(other, leaves[3u * leaf].xyz);
    seen.b = vertexOfSide(other, leaves[3u * leaf + 1u].xyz);
    seen.c = vertexOfSide(other, leaves[3u * leaf + 2u].xyz);
    seen.noise = sides[other].rest.w + off;
    let weights = weightsAt(seen, point.xy);
    let kind = kindOf(seen, weights);
    if (kind == passesBy) { continue; }
    if (kind == undecided) {
      // A triangle that lies entirely behind the point does not matter.
      if (f32(min(min(seen.a.z, seen.b.z), seen.c.z) - point.z) > 2.0 * seen.noise) { continue; }
      return unknown;
    }
    let sample = sampleAt(seen, weights);
    let behind = f32(sample.depth - point.z);
    if (abs(behind) <= 1.01 * sample.error) { return unknown; }
    if (behind < 0.0) { winding += select(1, -1, sample.away); }
  }
  return select(outside, inside, winding != 0);
}

fn bitsOf(side: u32, isCertain: bool) -> u32 { return (2u << side) | select(0u, 8u, isCertain); }

/** Lists the point if points are asked for, or if it is left to be decided. */
fn report(candidate: u32, side: u32, edge: u32, share: f32, isCertain: bool) {
  let flags = flagsAt + candidate;
  let bits = bitsOf(side, isCertain);
  let known = atomicLoad(&castState[flags]);
  if ((known & bits) != bits) { atomicOr(&castState[flags], bits); }
  if (isCertain) { atomicStore(&castState[anyAt], 1u); }
  if (casting.everyEdge == 0u && (isCertain || (known & 8u) != 0u)) { return; }
  let place = atomicAdd(&castState[hitsAt], 1u);
  if (place < casting.hitRoom) { edgeHits[place] = vec4u(candidate, 2u * edge + side, bitcast<u32>(share), 0u); }
}
