// Which parts of a triangle no line sees (Myszkowski et al., section 7: spikes are easily missed). A triangle is cut
// into the columns of the pixels that it touches. The part in a column is seen if, over its whole range of depths, some
// line of the nine pixels around passes through the body nearby (solid.wgsl). What is not seen may be a spike or the tip
// of one, however wide the triangle is.

/** How much larger than itself a pixel counts: more than the error of a vertex, which is at most 1/16. */
const pixelMargin = 0.125;

struct Unseen {
  a: vec3f,
  b: vec3f,
  c: vec3f,
  /** The pixels of the tile that the triangle touches: first to last; none if last is less than first. */
  first: vec2i,
  last: vec2i,
}

/** Position and depth in pixels: from the tile's corner, and from the first border of slices. */
fn inPixels(vertex: vec3i) -> vec3f {
  let corner = vec3i(vec2i(tiles[0].firstColumn, tiles[0].firstRow) << vec2u(tiles[0].cellBits), layering.sliceStart);
  return vec3f(vertex - corner) / f32(1u << tiles[0].cellBits);
}

fn touchedBy(side: u32, leaf: u32) -> Unseen {
  var found: Unseen;
  found.a = inPixels(vertexOfSide(side, leaves[3u * leaf].xyz));
  found.b = inPixels(vertexOfSide(side, leaves[3u * leaf + 1u].xyz));
  found.c = inPixels(vertexOfSide(side, leaves[3u * leaf + 2u].xyz));
  let size = vec2f(f32(tiles[0].columns), f32(tiles[0].rows));
  let low = min(min(found.a, found.b), found.c);
  let high = max(max(found.a, found.b), found.c);
  found.first = vec2i(clamp(floor(low.xy - pixelMargin), vec2f(0.0), size));
  found.last = vec2i(clamp(floor(high.xy + pixelMargin), vec2f(-1.0), size - 1.0));
  if (slicesOf(vec2f(low.z, high.z)).x > layering.farSlice) { found.last = found.first - 1; }
  if (slicesOf(vec2f(low.z, high.z)).y < layering.nearSlice) { found.last = found.first - 1; }
  return found;
}

/** The slices of a range of depths: first and last. */
fn slicesOf(depths: vec2f) -> vec2u {
  let perPixel = f32(1u << tiles[0].cellBits) / f32(layering.sliceUnits);
  let most = f32(32u * layering.sliceWords - 1u);
  let range = clamp(floor((depths + vec2f(-pixelMargin, pixelMargin)) * perPixel), vec2f(0.0), vec2f(most));
  return vec2u(range);
}

const nowhere = vec2f(0x1p100, -0x1p100);

/** The range of depths of the whole triangle. */
fn depthsOf(triangle: Unseen) -> vec2f {
  return vec2f(
    min(min(triangle.a.z, triangle.b.z), triangle.c.z),
    max(max(triangle.a.z, triangle.b.z), triangle.c.z),
  );
}

/** Tells whether the triangle has a part in a pixel's column that no line sees. */
fn isUnseenAt(side: u32, triangle: Unseen, place: vec2i) -> bool {
  let low = vec2f(place) - pixelMargin;
  let high = vec2f(place + 1) + pixelMargin;
  let depths = depthsWithin(triangle, low, high, depthsOf(triangle));
  return depths.x <= depths.y && !isSeenBetween(side, place, depths);
}

/**
 * The range of depths of the part of a triangle in a rectangle; `nowhere` if there is none. The least and greatest
 * depths are on the triangle's edges, or at corners of the rectangle.
 */
fn depthsWithin(triangle: Unseen, low: vec2f, high: vec2f, whole: vec2f) -> vec2f {
  var depths = depthsOfEdge(triangle.a, triangle.b, low, high);
  depths = joined(depths, depthsOfEdge(triangle.b, triangle.c, low, high));
  depths = joined(depths, depthsOfEdge(triangle.c, triangle.a, low, high));
  for (var i = 0u; i < 4u; i++) {
    let corner = vec2f(select(low.x, high.x, (i & 1u) == 1u), select(low.y, high.y, (i & 2u) == 2u));
    let weights = vec3f(
      doubleArea(triangle.b.xy - corner, triangle.c.xy - corner),
      doubleArea(triangle.c.xy - corner, triangle.a.xy - corner),
      doubleArea(triangle.a.xy - corner, triangle.b.xy - corner),
    );
    if (!(all(weights >= vec3f(0.0)) || all(weights <= vec3f(0.0)))) { continue; }
    let sum = weights.x + weights.y + weights.z;
    if (sum == 0.0) { continue; }
    let rise = (weights.y * (triangle.b.z - triangle.a.z) + weights.z * (triangle.c.z - triangle.a.z)) / sum;
    let depth = clamp(triangle.a.z + rise, whole.x, whole.y);
    depths = joined(depths, vec2f(depth));
  }
  return depths;
}

fn doubleArea(u: vec2f, v: vec2f) -> f32 { return u.x * v.y - u.y * v.x; }

fn joined(p: vec2f, q: vec2f) -> vec2f { return vec2f(min(p.x, q.x), max(p.y, q.y)); }

/** The depths of the part of a segment in a rectangle. */
fn depthsOfEdge(start: vec3f, end: vec3f, low: vec2f, high: vec2f) -> vec2f {
  var from = 0.0;
  var to = 1.0;
  for (var axis = 0u; axis < 2u; axis++) {
    let run = end[axis] - start[axis];
    if (run == 0.0) {
      if (start[axis] < low[axis] || start[axis] > high[axis]) { return nowhere; }
      continue;
    }
    let s = (low[axis] - start[axis]) / run;
    let t = (high[axis] - start[axis]) / run;
    from = max(from, min(s, t));
    to = min(to, max(s, t));
  }
  if (from > to) { return nowhere; }
  let rise = end.z - start.z;
  let p = start.z + from * rise;
  let q = start.z + to * rise;
  return vec2f(min(p, q), max(p, q));
}

/** Tells whether lines see the body at all depths of a range that the view shows. */
fn isSeenBetween(side: u32, place: vec2i, depths: vec2f) -> bool {
  let range = slicesOf(depths);
  let first = max(range.x, layering.nearSlice);
  let last = min(range.y, layering.farSlice);
  if (first > last) { return true; }
  for (var word = first / 32u; word <= last / 32u; word++) {
    var wanted = 0xffffffffu;
    if (word == first / 32u) { wanted &= 0xffffffffu << (first % 32u); }
    if (word == last / 32u) { wanted &= 0xffffffffu >> (31u - last % 32u); }
    if ((seenAround(side, place, word) & wanted) != wanted) { return false; }
  }
  return true;
}

/** One word of the slices that lines see in the nine pixels around a place. */
fn seenAround(side: u32, place: vec2i, word: u32) -> u32 {
  let last = vec2i(vec2u(tiles[0].columns, tiles[0].rows)) - 1;
  var bits = 0u;
  for (var y = max(0, place.y - 1); y <= min(last.y, place.y + 1); y++) {
    for (var x = max(0, place.x - 1); x <= min(last.x, place.x + 1); x++) {
      let at = sliceWordAt(side, u32(y * (last.x + 1) + x), word);
      if (side == 0u) { bits |= layersA[at]; } else { bits |= layersB[at]; }
    }
  }
  return bits;
}

/** Lists a triangle, to be tested exactly. */
fn listSpike(side: u32, leaf: u32) {
  let at = atomicAdd(&layerState[spikesState], 1u);
  if (at < layering.spikeRoom) { spikes[at] = 2u * order[leaf] + side; }
}
