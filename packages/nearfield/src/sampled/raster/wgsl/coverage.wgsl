// Does the line through the middle of a pixel cross a triangle, and at what depth? Corners are whole numbers of units,
// off by at most ε = `noise`; middles are exact. proof.md derives the bounds.

struct Seen {
  a: vec3i,
  b: vec3i,
  c: vec3i,
  noise: f32,
  /** Pixels of the tile that may be covered: first to last; none if last is less than first. */
  first: vec2i,
  last: vec2i,
}

const passesBy = 0u;
const passes = 1u;
const undecided = 2u;

struct Sample {
  depth: i32,
  /** The largest error of the depth, in units. */
  error: f32,
  /** The corners run counter-clockwise seen from behind: a ray along the view leaves a body that is not mirrored. */
  away: bool,
}

fn vertexOfSide(side: u32, stored: vec3i) -> vec3i {
  let offset = sides[side].offset;
  let rest = sides[side].rest;
  let shift = u32(offset.w);
  return vec3i(
    inUnits(sides[side].linear[0].xyz, offset.x, rest.x, shift, stored),
    inUnits(sides[side].linear[1].xyz, offset.y, rest.y, shift, stored),
    inUnits(sides[side].linear[2].xyz, offset.z, rest.z, shift, stored),
  );
}

/** The side of a triangle, by its index among all sides. */
fn sideOfTriangle(number: u32) -> u32 {
  var low = 0u;
  var high = raster.sideCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (sides[middle].first <= number) { low = middle; } else { high = middle; }
  }
  return low;
}

fn seenTriangle(side: u32, leaf: u32) -> Seen {
  let a = vertexOfSide(side, leaves[3u * leaf].xyz);
  let b = vertexOfSide(side, leaves[3u * leaf + 1u].xyz);
  let c = vertexOfSide(side, leaves[3u * leaf + 2u].xyz);
  return seenCorners(side, a, b, c);
}

/** Uses corners in the coordinates of the side's tile. */
fn seenCorners(side: u32, a: vec3i, b: vec3i, c: vec3i) -> Seen {
  var seen: Seen;
  seen.a = a;
  seen.b = b;
  seen.c = c;
  seen.noise = sides[side].rest.w;
  let tile = tiles[sides[side].tile];
  // The middle of pixel i is at i·cell + cell/2.
  let off = i32(ceil(seen.noise)) + 1;
  let half = (1 << tile.cellBits) >> 1u;
  let low = min(min(seen.a, seen.b), seen.c);
  let high = max(max(seen.a.xy, seen.b.xy), seen.c.xy);
  let corner = vec2i(tile.firstColumn, tile.firstRow);
  let size = vec2i(vec2u(tile.columns, tile.rows));
  seen.first = max(((low.xy - off - half - 1) >> vec2u(tile.cellBits)) + 1 - corner, vec2i(0));
  seen.last = min(((high + off - half) >> vec2u(tile.cellBits)) - corner, size - 1);
  if (low.z > tile.far) { seen.last = seen.first - 1; }
  return seen;
}

/** The index of a tile's pixel among those of all tiles. */
fn pixelAt(tile: u32, place: vec2i) -> u32 {
  return tiles[tile].firstPixel + u32(place.y) * tiles[tile].columns + u32(place.x);
}

fn middleOf(tile: u32, place: vec2i) -> vec2i {
  let half = (1 << tiles[tile].cellBits) >> 1u;
  return (2 * (place + vec2i(tiles[tile].firstColumn, tiles[tile].firstRow)) + 1) * half;
}

const unit = 0x1p-23;

/** The position of a pixel's middle relative to the triangle's edges. */
struct Weights {
  edges: vec3f,
  /** The largest error of each of them. */
  margin: f32,
  /** The part of the error that comes from single precision; the rest of the margin comes from the corners. */
  rounding: vec3f,
  /** The triangle's box, relative to the middle. */
  least: vec2f,
  most: vec2f,
}

fn weightsAt(seen: Seen, middle: vec2i) -> Weights {
  let fa = vec2f(seen.a.xy - middle);
  let fb = vec2f(seen.b.xy - middle);
  let fc = vec2f(seen.c.xy - middle);
  let left = vec3f(fb.x * fc.y, fc.x * fa.y, fa.x * fb.y);
  let right = vec3f(fb.y * fc.x, fc.y * fa.x, fa.y * fb.x);
  let sizes = abs(left) + abs(right);
  let reach = abs(fa) + abs(fb) + abs(fc);
  let noise = seen.noise;
  let rounding = 6.0 * unit * sizes;
  let margin = 1.01 * (noise * (reach.x + reach.y + 2.0 * noise) + rounding.x + rounding.y + rounding.z);
  return Weights(left - right, margin, rounding, min(min(fa, fb), fc), max(max(fa, fb), fc));
}

/** `passesBy`, `passes` or `undecided`. */
fn kindOf(seen: Seen, at: Weights) -> u32 {
  let positive = at.edges > vec3f(at.margin);
  let negative = at.edges < vec3f(-at.margin);
  if (any(positive) && any(negative)) { return passesBy; }
  if (all(positive) || all(negative)) { return passes; }
  // A line clear of the triangle's box misses it, however steeply the triangle is seen.
  let off = 1.01 * seen.noise + 2.0 * unit * (abs(at.least) + abs(at.most));
  if (any(at.least > off) || any(at.most < -off)) { return passesBy; }
  return undecided;
}

/** The sample of a line that crosses. */
fn sampleAt(seen: Seen, at: Weights) -> Sample {
  let sum = at.edges.x + at.edges.y + at.edges.z;
  let d1 = f32(seen.b.z - seen.a.z);
  let d2 = f32(seen.c.z - seen.a.z);
  let lowest = min(0.0, min(d1, d2));
  let highest = max(0.0, max(d1, d2));
  let rise = clamp((at.edges.y * d1 + at.edges.z * d2) / sum, lowest, highest);
  let extent = abs(d1) + abs(d2);
  // Whatever the weights, both the true depth and this one lie between those of the corners.
  var error = 1.01 * (highest - lowest + seen.noise);
  let rounded = at.rounding.x + at.rounding.y + at.rounding.z;
  let certain = 0.999 * abs(sum) - rounded;
  if (certain > 0.0) {
    let weights = at.rounding.y * abs(d1) + at.rounding.z * abs(d2) + rounded * max(abs(d1), abs(d2));
    let b = vec2f(seen.b.xy - seen.a.xy);
    let c = vec2f(seen.c.xy - seen.a.xy);
    let risesB = d1 * c;
    let risesC = d2 * b;
    let slopes = abs(risesB - risesC) + 6.0 * unit * (abs(risesB) + abs(risesC));
    let moved = seen.noise * (1.0 + (slopes.x + slopes.y) / certain);
    error = min(error, 1.01 * (weights / certain + 20.0 * unit * extent + moved));
  }
  return Sample(seen.a.z + i32(floor(rise + 0.5)), error + 0.5 + 4.0 * unit * extent, sum > 0.0);
}
