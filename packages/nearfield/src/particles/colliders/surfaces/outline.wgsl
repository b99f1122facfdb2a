// Does a crossing of the unbounded surface count? Tests the side it comes from, and whether its place is certainly
// inside the outline and all bounds, certainly outside of one, or too near a border to tell. Everything is a distance
// here, so one margin serves: the error of the place, plus its movement while the time is uncertain.

fn crossingCounts(surface: Surface, seen: Seen, rising: bool) -> u32 {
  if (seen.away || (rising && (surface.flags & frontFlag) != 0u)) { return noCrossing; }
  let size = length(seen.p);
  let margin = 1.00001 * (seen.errorP + seen.moved + 16.0 * unit * size);
  var least = 0x1p60;
  if (surface.kind == triangleKind) {
    for (var edge = 1u; edge < 4u; edge++) {
      let side = floatsAt(surface.rows + edge);
      least = min(least, side.w - dot(side.xyz, seen.p));
    }
  }
  if (surface.kind == planeKind) {
    least = outlineDepth(surface, vec2f(dot(surface.second.xyz, seen.p), dot(surface.third.xyz, seen.p)), margin);
  }
  if (anyFields && surface.kind == fieldKind) { least = fieldDepth(surface, seen.p); }
  let at = colliders[surface.collider].bounds;
  for (var i = 0u; i < colliders[surface.collider].boundCount; i++) {
    least = min(least, boundDepth(at + 2u * i, seen.p));
  }
  if (least > margin) { return certainCrossing; }
  return select(unsureCrossing, noCrossing, least < -margin);
}

/** How far inside a bound (negative outside): a half-space, a ball, or the outside of a ball. */
fn boundDepth(row: u32, p: vec3f) -> f32 {
  let numbers = floatsAt(row);
  let kind = rows[row + 1u].x;
  if (kind == 0u) { return numbers.w - dot(numbers.xyz, p); }
  let depth = numbers.w - length(p - numbers.xyz);
  return select(-depth, depth, kind == 1u);
}

/** The same for an outline in the plane's axes. For a polygon: any number beyond the margin, or 0 within it. */
fn outlineDepth(surface: Surface, p: vec2f, margin: f32) -> f32 {
  let kind = rows[surface.rows + 3u].x;
  if (kind == allOutline) { return 0x1p60; }
  let numbers = floatsAt(surface.rows + 4u);
  if (kind == discOutline) { return numbers.x - length(p); }
  if (kind == rectangleOutline) { return min(numbers.x - abs(p.x), numbers.y - abs(p.y)); }
  if (kind == ringOutline) { return min(numbers.y - length(p), length(p) - numbers.x); }
  // The border, then the holes: a row with the number of edges, and the edges.
  var at = surface.rows + 5u;
  for (var loopNumber = 0u; loopNumber < rows[surface.rows + 3u].y; loopNumber++) {
    let edges = rows[at].x;
    var inside = false;
    for (var i = 1u; i <= edges; i++) {
      let edge = floatsAt(at + i);
      let along = edge.zw - edge.xy;
      let way = p - edge.xy;
      let share = clamp(dot(way, along) / max(dot(along, along), 0x1p-100), 0.0, 1.0);
      let near = 1.001 * margin + 16.0 * unit * (length(edge.xy) + length(edge.zw));
      if (length(way - share * along) <= near) { return 0.0; }
      if ((edge.y > p.y) != (edge.w > p.y)) {
        let turn = along.x * way.y - along.y * way.x;
        if ((turn > 0.0) == (edge.w > edge.y)) { inside = !inside; }
      }
    }
    if (inside == (loopNumber > 0u)) { return -0x1p60; }
    at += 1u + edges;
  }
  return 0x1p60;
}
