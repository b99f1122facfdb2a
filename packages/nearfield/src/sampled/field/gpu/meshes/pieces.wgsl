// The distance mesh of a site over one slice: meshes/tessellate.ts in WGSL, with the same names. Each piece is a convex
// polygon, cut out of the rectangle that the site can reach, with a linear function. No trigonometric functions are used:
// WGSL promises little of their accuracy. Lengths are in cells.

/** How far pieces reach over their borders (meshes/proof.md, section 4). */
var<private> margin: f32;
/** The site's place and the rectangle that it can reach, relative to it. */
var<private> rectangle: vec4f;

const mostCorners = 16u;
var<private> polygon: array<vec2f, mostCorners>;
var<private> cornerCount: u32;
var<private> clipped: array<vec2f, mostCorners>;

/** The half-planes that a site has in every piece. */
var<private> spaces: array<vec3f, 6>;
var<private> spaceCount: u32;

fn startPiece() {
  polygon[0] = rectangle.xy;
  polygon[1] = rectangle.zy;
  polygon[2] = rectangle.zw;
  polygon[3] = rectangle.xw;
  cornerCount = 4u;
  for (var i = 0u; i < spaceCount; i++) { cutPiece(spaces[i]); }
}

/** Keeps the part of the polygon with border.x·X + border.y·Y + border.z ≥ 0. */
fn cutPiece(border: vec3f) {
  if (cornerCount == 0u) { return; }
  var count = 0u;
  var from = polygon[cornerCount - 1u];
  var before = dot(border.xy, from) + border.z;
  for (var i = 0u; i < cornerCount; i++) {
    let to = polygon[i];
    let after = dot(border.xy, to) + border.z;
    if ((before >= 0.0) != (after >= 0.0) && count < mostCorners) {
      clipped[count] = from + (to - from) * clamp(before / (before - after), 0.0, 1.0);
      count++;
    }
    if (after >= 0.0 && count < mostCorners) {
      clipped[count] = to;
      count++;
    }
    from = to;
    before = after;
  }
  for (var i = 0u; i < count; i++) { polygon[i] = clipped[i]; }
  cornerCount = count;
}

/** Narrows the rectangle to what the site's half-planes leave of it. False if that is nothing. */
fn narrow() -> bool {
  startPiece();
  if (cornerCount < 3u) { return false; }
  var low = polygon[0];
  var high = polygon[0];
  for (var i = 1u; i < cornerCount; i++) {
    low = min(low, polygon[i]);
    high = max(high, polygon[i]);
  }
  rectangle = vec4f(max(rectangle.xy, low - margin), min(rectangle.zw, high + margin));
  return true;
}

/** Whether the whole rectangle lies outside a border: most pieces are dismissed by this. */
fn misses(border: vec3f) -> bool {
  return max(border.x * rectangle.x, border.x * rectangle.z) + max(border.y * rectangle.y, border.y * rectangle.w)
    + border.z < 0.0;
}

/** `window` has the samples that the site matters to. */
fn tessellate(site: Site, z: f32, reach: f32, window: vec4f, tolerance: f32) {
  let away = max(max(site.low.z - z, z - site.high.z), 0.0);
  if (away > reach) { return; }
  let around = sqrt(max(reach * reach - away * away, 0.0)) * (1.0 + 0x1p-18) + margin;
  let low = max(site.low.xy - around, window.xy);
  let high = min(site.high.xy + around, window.zw);
  if (any(low >= high)) { return; }
  rectangle = vec4f(low, high) - site.place.xyxy;
  let height = z - site.place.z;
  spaceCount = site.spaceCount;
  for (var i = 0u; i < spaceCount; i++) {
    let space = site.spaces[i];
    spaces[i] = vec3f(space.xy, space.z * height + space.w + margin);
  }
  if (site.kind == faceKind) { drawFace(site, height, reach); }
  else if (site.kind == edgeKind) { drawEdge(site, height, reach, tolerance); }
  else { drawPoint(height, reach, tolerance); }
}

fn drawFace(site: Site, height: f32, reach: f32) {
  let function = vec3f(site.normal.xy, site.normal.z * height);
  startPiece();
  cutPiece(function + vec3f(0.0, 0.0, reach + margin));
  cutPiece(vec3f(0.0, 0.0, reach + margin) - function);
  drawPiece(function);
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

fn drawEdge(site: Site, height: f32, reach: f32, tolerance: f32) {
  let spread = site.normal.w;
  let u = vec3f(site.normal.xy, site.normal.z * height);
  let w = vec3f(site.across.xy, site.across.z * height);
  let shift = vec3f(0.0, 0.0, margin);
  if (!narrow()) { return; }
  // Sectors need to be no finer than for the farthest point that is left: the distance is convex.
  var farthest = 0.0;
  for (var i = 0u; i < cornerCount; i++) {
    let corner = vec3f(polygon[i], 1.0);
    farthest = max(farthest, length(vec2f(dot(u, corner), dot(w, corner))));
  }
  let sectors = sectorsOf(spread, sectorStep(min(reach, farthest + 2.0 * margin), tolerance));
  var from = rayAt(-spread);
  for (var i = 1u; i <= sectors; i++) {
    let to = rayAt(spread * (2.0 * f32(i) / f32(sectors) - 1.0));
    let sum = from + to;
    let middle = normalize(sum);
    let lower = from.x * w - from.y * u + shift;
    let upper = to.y * u - to.x * w + shift;
    let behind = middle.x * u + middle.y * w + shift;
    let function = (sum.x * u + sum.y * w) / (1.0 + dot(from, to));
    from = to;
    if (misses(lower) || misses(upper) || misses(behind)) { continue; }
    startPiece();
    cutPiece(lower);
    cutPiece(upper);
    cutPiece(behind);
    drawPiece(function);
  }
}

fn drawPoint(height: f32, limit: f32, tolerance: f32) {
  let h = abs(height);
  let half = 0.49 * tolerance;
  if (!narrow()) { return; }
  // Rings end at the farthest point that is left.
  var farthest = 0.0;
  for (var i = 0u; i < cornerCount; i++) { farthest = max(farthest, length(polygon[i])); }
  let most = min(sqrt(max(limit * limit - h * h, 0.0)), farthest + 2.0 * margin);
  let reach = sqrt(most * most + h * h);
  let sectors = sectorsOf(1.0, sectorStep(most, half));
  var w = 1.0;
  var r = 0.0;
  var d = h;
  loop {
    var end = h <= half;
    var nextR = most;
    var nextD = reach;
    var nextW = 0.0;
    var slope = 0.0;
    if (!end) {
      let c = 1.0 + 0.5 * (half / h) * (w + 1.0 / w);
      let root = c + sqrt(c * c - 1.0);
      nextW = w * root * root;
      nextR = 0.5 * h * (nextW - 1.0 / nextW);
      nextD = 0.5 * h * (nextW + 1.0 / nextW);
      slope = (w * nextW - 1.0) / (w * nextW + 1.0);
      end = nextR >= most;
    } else if (most > 0.0) {
      slope = (reach - h) / most;
    }
    drawRing(r, select(nextR, max(most, nextR), end), d - slope * r, slope, sectors);
    if (end) { break; }
    w = nextW;
    r = nextR;
    d = nextD;
  }
}

fn drawRing(inner: f32, outer: f32, level: f32, slope: f32, sectors: u32) {
  for (var side = 1.0; side >= -1.0; side -= 2.0) {
    var from = vec2f(0.0, -side);
    for (var i = 1u; i <= sectors; i++) {
      let to = side * rayAt(2.0 * f32(i) / f32(sectors) - 1.0);
      let middle = (from + to) / (1.0 + dot(from, to));
      let lower = vec3f(-from.y, from.x, margin);
      let upper = vec3f(to.y, -to.x, margin);
      let near = vec3f(middle, margin - inner);
      let far = vec3f(-middle, margin + outer);
      from = to;
      if (misses(lower) || misses(upper) || misses(near) || misses(far)) { continue; }
      startPiece();
      cutPiece(lower);
      cutPiece(upper);
      cutPiece(near);
      cutPiece(far);
      drawPiece(vec3f(slope * middle, level));
    }
  }
}
