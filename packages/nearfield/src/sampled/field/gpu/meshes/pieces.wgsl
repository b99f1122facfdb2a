// The distance mesh of a site over one slice: the pieces of meshes/tessellate.ts, cut into convex polygons. No
// trigonometric functions are used: WGSL promises little of their accuracy. Lengths are in cells.
//
// Threads that run together have sites of different kinds, and different pieces of them are left over. So each looks for its
// own next piece that is not beside its rectangle, which takes a few operations, and all cut theirs at the same place.

/** How far pieces reach over their borders (meshes/proof.md, section 4). */
var<private> margin: f32;
/** The rectangle that the site can reach, relative to the site; and what takes a place there to a pixel of the slice. */
var<private> rectangle: vec4f;
var<private> toSlice: vec2f;
/** Where the slice begins, and its pixels that are asked about: six bits per row, three rows per word. */
var<private> sliceLow: vec2f;
var<private> needed: vec2u;

const mostCorners = 16u;
var<private> polygon: array<vec2f, mostCorners>;
var<private> cornerCount: u32;
var<private> clipped: array<vec2f, mostCorners>;

/** What the site's half-planes leave of the rectangle: every piece begins with it. */
var<private> whole: array<vec2f, mostCorners>;
var<private> wholeCount: u32;

fn startPiece() {
  for (var i = 0u; i < wholeCount; i++) { polygon[i] = whole[i]; }
  cornerCount = wholeCount;
}

/** Keeps the part of the polygon with border.x·X + border.y·Y + border.z ≥ 0. */
fn cutPiece(border: vec3f) {
  var least = 1.0;
  for (var i = 0u; i < cornerCount; i++) { least = min(least, dot(border.xy, polygon[i]) + border.z); }
  if (least >= 0.0) { return; }
  var count = 0u;
  var start = polygon[max(cornerCount, 1u) - 1u];
  var before = dot(border.xy, start) + border.z;
  for (var i = 0u; i < cornerCount; i++) {
    let to = polygon[i];
    let after = dot(border.xy, to) + border.z;
    if ((before >= 0.0) != (after >= 0.0) && count < mostCorners) {
      clipped[count] = start + (to - start) * clamp(before / (before - after), 0.0, 1.0);
      count++;
    }
    if (after >= 0.0 && count < mostCorners) {
      clipped[count] = to;
      count++;
    }
    start = to;
    before = after;
  }
  for (var i = 0u; i < count; i++) { polygon[i] = clipped[i]; }
  cornerCount = count;
}

/** Whether a pixel that is asked about has its middle in a rectangle or within 1/16 beside it: others need not be drawn. */
fn holdsPixel(low: vec2f, high: vec2f) -> bool {
  let first = vec2u(clamp(ceil(low + toSlice - 0.5625), vec2f(0.0), vec2f(6.0)));
  let last = vec2i(clamp(floor(high + toSlice - 0.4375), vec2f(-1.0), vec2f(5.0)));
  if (any(vec2i(first) > last)) { return false; }
  let columns = (2u << u32(last.x)) - (1u << first.x);
  var found = 0u;
  for (var row = first.y; row <= u32(last.y); row++) {
    found |= select(needed.x, needed.y, row >= 3u) >> (6u * (row % 3u));
  }
  return (found & columns) != 0u;
}

/** Cuts the rectangle by the site's half-planes, and narrows it to what is left. False if that is nothing. */
fn cutWhole(site: u32, height: f32) -> bool {
  polygon[0] = rectangle.xy;
  polygon[1] = rectangle.zy;
  polygon[2] = rectangle.zw;
  polygon[3] = rectangle.xw;
  cornerCount = 4u;
  for (var i = 0u; i < sites[site].spaceCount; i++) {
    let space = sites[site].spaces[i];
    cutPiece(vec3f(space.xy, space.z * height + space.w + margin));
    if (cornerCount < 3u) { return false; }
  }
  var low = polygon[0];
  var high = polygon[0];
  for (var i = 0u; i < cornerCount; i++) {
    whole[i] = polygon[i];
    low = min(low, polygon[i]);
    high = max(high, polygon[i]);
  }
  wholeCount = cornerCount;
  rectangle = vec4f(low, high);
  return holdsPixel(low, high);
}

/** Whether the whole rectangle lies outside a border: most pieces are dismissed by this. */
fn misses(border: vec3f) -> bool {
  return max(border.x * rectangle.x, border.x * rectangle.z) + max(border.y * rectangle.y, border.y * rectangle.w)
    + border.z < 0.0;
}

/** The piece that is next: its borders beside those of all, and its linear function. */
var<private> borders: array<vec3f, 4>;
var<private> borderCount: u32;
var<private> function: vec3f;

/** Among how many threads the pieces of the site are divided in turn, which of them this is, and the pieces found so far. */
var<private> parts: u32;
var<private> part: u32;
var<private> found: u32;

/** The site's kind, how many pieces have been passed, and the number of sectors that make a turn or a wedge. */
var<private> kind: u32;
var<private> passed: u32;
var<private> sectors: u32;
/** An edge: the directions along the middle of its wedge and across it, as functions of the place; and its spread. */
var<private> alongMiddle: vec3f;
var<private> acrossMiddle: vec3f;
var<private> spread: f32;
/**
 * A corner: its height over the slice, half the tolerance, the radius of the last ring and the nearest place of the
 * rectangle; and the ring's inner radius with its w and distance, its outer ones, and its slope.
 */
var<private> heightOver: f32;
var<private> halfTolerance: f32;
var<private> farthestRadius: f32;
var<private> nearestRadius: f32;
var<private> inner: vec3f;
var<private> outer: vec3f;
var<private> slope: f32;
var<private> isLastRing: bool;

/** `window` is around the samples that are asked about. */
fn tessellate(site: u32, z: f32, reach: f32, window: vec4f, tolerance: f32) {
  let siteLow = sites[site].low.xyz;
  let siteHigh = sites[site].high.xyz;
  let place = sites[site].place.xyz;
  let away = max(max(siteLow.z - z, z - siteHigh.z), 0.0);
  if (away > reach) { return; }
  let around = sqrt(max(reach * reach - away * away, 0.0)) * (1.0 + 0x1p-18) + margin;
  let low = max(siteLow.xy - around, window.xy);
  let high = min(siteHigh.xy + around, window.zw);
  if (any(low >= high)) { return; }
  rectangle = vec4f(low, high) - place.xyxy;
  toSlice = place.xy - sliceLow;
  let height = z - place.z;
  if (!cutWhole(site, height)) { return; }
  kind = sites[site].kind;
  passed = 0u;
  let normal = sites[site].normal;
  alongMiddle = vec3f(normal.xy, normal.z * height);
  if (kind == faceKind) { farthestRadius = reach; }
  else if (kind == pointKind) { startPoint(height, reach, tolerance); }
  else {
    let across = sites[site].across.xyz;
    acrossMiddle = vec3f(across.xy, across.z * height);
    startEdge(normal.w, reach, tolerance);
  }
  found = 0u;
  while (nextOwnPiece()) {
    startPiece();
    for (var i = 0u; i < borderCount && cornerCount > 2u; i++) { cutPiece(borders[i]); }
    drawPiece();
  }
}

fn nextOwnPiece() -> bool {
  loop {
    if (!nextPiece()) { return false; }
    let isOwn = found % parts == part;
    found++;
    if (isOwn) { return true; }
  }
}

fn nextPiece() -> bool {
  if (kind == faceKind) { return nextFace(); }
  if (kind == pointKind) { return nextOfPoint(); }
  return nextOfEdge();
}

/** Its one piece. */
fn nextFace() -> bool {
  function = alongMiddle;
  borders[0] = vec3f(function.xy, function.z + farthestRadius + margin);
  borders[1] = vec3f(-function.xy, farthestRadius + margin - function.z);
  borderCount = 2u;
  passed++;
  return passed == 1u && !misses(borders[0]) && !misses(borders[1]);
}

fn sectorStep(reach: f32, tolerance: f32) -> f32 {
  return min(0.5, sqrt(1.96 * tolerance / (reach + tolerance)));
}

fn sectorsOf(spread: f32, step: f32) -> u32 {
  return u32(clamp(ceil(2.0 * spread / step), 1.0, 4096.0));
}

/** The unit vector at the angle φ with q = tan(φ/2). */
fn rayAt(q: f32) -> vec2f {
  return vec2f(1.0 - q * q, 2.0 * q) / (1.0 + q * q);
}

fn startEdge(wedge: f32, reach: f32, tolerance: f32) {
  // Sectors need to be no finer than for the farthest point that is left: the distance is convex.
  var farthest = 0.0;
  for (var i = 0u; i < wholeCount; i++) {
    let corner = vec3f(whole[i], 1.0);
    farthest = max(farthest, length(vec2f(dot(alongMiddle, corner), dot(acrossMiddle, corner))));
  }
  spread = wedge;
  sectors = sectorsOf(spread, sectorStep(min(reach, farthest + 2.0 * margin), tolerance));
}

fn nextOfEdge() -> bool {
  let all = select(sectors, 2u * sectors, kind == circleKind);
  while (passed < all) {
    let number = passed;
    passed++;
    // A circle's second wedge is the other half of the way around.
    let sign = select(1.0, -1.0, number >= sectors);
    let i = f32(number % sectors);
    let u = sign * alongMiddle;
    let w = sign * acrossMiddle;
    let start = rayAt(spread * (2.0 * i / f32(sectors) - 1.0));
    let to = rayAt(spread * (2.0 * (i + 1.0) / f32(sectors) - 1.0));
    let sum = start + to;
    let middle = normalize(sum);
    borders[0] = start.x * w - start.y * u;
    borders[1] = to.y * u - to.x * w;
    borders[2] = middle.x * u + middle.y * w;
    for (var b = 0u; b < 3u; b++) { borders[b].z += margin; }
    borderCount = 3u;
    function = (sum.x * u + sum.y * w) / (1.0 + dot(start, to));
    if (!misses(borders[0]) && !misses(borders[1]) && !misses(borders[2])) { return true; }
  }
  return false;
}

fn startPoint(height: f32, reach: f32, tolerance: f32) {
  heightOver = abs(height);
  halfTolerance = 0.49 * tolerance;
  // Rings end at the farthest point that is left.
  var farthest = 0.0;
  for (var i = 0u; i < wholeCount; i++) { farthest = max(farthest, length(whole[i])); }
  let most = min(sqrt(max(reach * reach - heightOver * heightOver, 0.0)), farthest + 2.0 * margin);
  nearestRadius = length(max(max(rectangle.xy, -rectangle.zw), vec2f(0.0)));
  sectors = sectorsOf(1.0, sectorStep(most, halfTolerance));
  // Rings are polygons: in the middle of a sector, a point at the distance r lies as far out as r/cos α.
  farthestRadius = (most + halfTolerance) * (1.0 + 0x1p-16);
  outer = vec3f(0.0, 1.0, heightOver);
  isLastRing = false;
  nextRing();
}

/** The ring beyond the last one, and all of those that lie within the rectangle's nearest place. */
fn nextRing() {
  let h = heightOver;
  loop {
    inner = outer;
    isLastRing = h <= halfTolerance;
    let w = inner.y;
    let reach = sqrt(farthestRadius * farthestRadius + h * h);
    outer = vec3f(farthestRadius, 0.0, reach);
    slope = select(0.0, (reach - h) / farthestRadius, farthestRadius > 0.0);
    if (!isLastRing) {
      let c = 1.0 + 0.5 * (halfTolerance / h) * (w + 1.0 / w);
      let root = c + sqrt(c * c - 1.0);
      let next = w * root * root;
      outer = 0.5 * h * vec3f(next - 1.0 / next, 2.0 * next / h, next + 1.0 / next);
      slope = (w * next - 1.0) / (w * next + 1.0);
      isLastRing = outer.x >= farthestRadius;
    }
    if (isLastRing || outer.x + 2.0 * margin >= nearestRadius) { return; }
  }
}

fn nextOfPoint() -> bool {
  loop {
    if (passed == 2u * sectors) {
      if (isLastRing) { return false; }
      nextRing();
      passed = 0u;
    }
    let side = select(1.0, -1.0, passed >= sectors);
    let i = f32(passed % sectors);
    passed++;
    let start = side * rayAt(2.0 * i / f32(sectors) - 1.0);
    let to = side * rayAt(2.0 * (i + 1.0) / f32(sectors) - 1.0);
    let middle = (start + to) / (1.0 + dot(start, to));
    borders[0] = vec3f(-start.y, start.x, margin);
    borders[1] = vec3f(to.y, -to.x, margin);
    borders[2] = vec3f(middle, margin - inner.x);
    borders[3] = vec3f(-middle, margin + outer.x);
    borderCount = 4u;
    function = vec3f(slope * middle, inner.z - slope * inner.x);
    if (!misses(borders[0]) && !misses(borders[1]) && !misses(borders[2]) && !misses(borders[3])) { return true; }
  }
}
