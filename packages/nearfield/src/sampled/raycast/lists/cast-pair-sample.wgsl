// Is a sample of an edge enclosed by the other body of its tile?

fn castSample(piece: EdgePiece, tile: Tile, sample: EdgeSample) {
  let other = piece.side ^ 1u;
  if (isSettled(tile.candidate, piece.side & 1u)) { return; }
  let depth = enclosedFrom(sample.pixel, other & 1u, sample.first, sample.last);
  if (depth == nowhere) { return; }
  let at = shareAt(piece, sample.share, depth);
  let found = placeOf(piece, other, tile, at);
  if (found == outside && casting.everyEdge == 0u) { return; }
  report(tile.candidate, piece.side & 1u, piece.edge, at, found == inside);
}
