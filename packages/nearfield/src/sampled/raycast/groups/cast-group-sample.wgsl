// By which bodies of its tile is a sample of an edge enclosed?

fn castSample(piece: EdgePiece, tile: Tile, sample: EdgeSample) {
  for (var at = firstOf(sample.pixel); at != noFragment; at = nextOf(at)) {
    let side = sideOfFragment(at);
    if (side != piece.side && isFirstOfSide(sample.pixel, at, side)) { castAt(piece, side, tile, sample); }
  }
}

/** Whether the fragment is the first of its side in the pixel's list. Each side is tested once. */
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
