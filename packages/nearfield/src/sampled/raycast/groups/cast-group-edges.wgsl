// Compares every sample of an edge with the faces of all other bodies in its pixel, in tiles of groups: in which of them
// does it lie? Otherwise as lists/cast-edges.wgsl.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> casting: Casting;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read> heads: array<u32>;
@group(0) @binding(4) var<storage, read> fragments: array<vec4u>;
@group(0) @binding(5) var<storage, read> sides: array<Side>;
@group(0) @binding(6) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(7) var<storage, read> edgePieces: array<EdgePiece>;
@group(0) @binding(8) var<storage, read_write> castState: array<atomic<u32>>;
/** Per hit: candidate, twice the edge plus 1 if it is the second body's, and the bits of the share along the edge. */
@group(0) @binding(9) var<storage, read_write> edgeHits: array<vec4u>;

var<workgroup> sampleCount: atomic<u32>;

@compute @workgroup_size(64)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  let pieces = atomicLoad(&castState[piecesAt]);
  if (pieces <= casting.pieceRoom) {
    for (var i = id.x; i < pieces; i += groups.x * 64u) {
      if (casting.untilFirst == 1u && atomicLoad(&castState[anyAt]) != 0u) { break; }
      follow(edgePieces[i]);
    }
  }
  workgroupBarrier();
  if (thread == 0u) { atomicAdd(&castState[edgeFragmentsAt], atomicLoad(&sampleCount)); }
}

fn follow(piece: EdgePiece) {
  let tile = tiles[sides[piece.side].tile];
  for (var step = piece.firstStep; step < piece.firstStep + piece.stepCount; step++) {
    let sample = sampleOfEdge(piece, tile, step);
    atomicAdd(&sampleCount, 1u);
    if (isUnsure(sample.pixel)) { continue; }
    for (var at = firstOf(sample.pixel); at != noFragment; at = nextOf(at)) {
      let side = sideOfFragment(at);
      if (side != piece.side && isFirstOfSide(sample.pixel, at, side)) { castAt(piece, side, tile, sample); }
    }
  }
}

/** Tells whether no earlier fragment of the list is of the same side: each side is tested once. */
fn isFirstOfSide(pixel: u32, fragment: u32, side: u32) -> bool {
  for (var at = firstOf(pixel); at != fragment; at = nextOf(at)) {
    if (sideOfFragment(at) == side) { return false; }
  }
  return true;
}

fn castAt(piece: EdgePiece, other: u32, tile: Tile, sample: EdgeSample) {
  let depth = enclosedFrom(sample.pixel, other, sample.first, sample.last);
  if (depth == nowhere) { return; }
  let body = sides[piece.side].body;
  let enclosing = sides[other].body;
  let candidate = candidateOf(body, enclosing);
  if (candidate == noCandidate) { return; }
  let own = select(0u, 1u, body > enclosing);
  if (casting.everyEdge == 0u && (atomicLoad(&castState[flagsAt + candidate]) & 1u) != 0u) { return; }
  if (isSettled(candidate, own)) { return; }
  let share = shareAt(piece, sample.share, depth);
  let found = placeOf(piece, other, tile, share);
  if (found == outside && casting.everyEdge == 0u) { return; }
  report(candidate, own, piece.edge, share, found == inside);
}
