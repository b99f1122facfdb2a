// Writes tiles and their two bodies as the raster reads them (sampled/raster/tiles.ts, layouts.ts), from bodies as the
// hierarchy places them. Turning a pose along a world axis exchanges its rows, and pixels that are a power of two wide
// leave the digits of its entries unchanged. Pixels, triangles and edges are numbered through all tiles.
//
// The error of a vertex, in units, is: 5/4 as in unit-frame.ts, the body's error, and the error of the vector from the
// tile's corner to the body's origin C. That is 2^-50 of their sizes for the difference of two doubles and for those
// that the view sees. The corner is as far as C, up to 2^30 units.

@group(0) @binding(0) var<uniform> tiling: Tiling;
@group(0) @binding(1) var<uniform> query: Query;
@group(0) @binding(2) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(3) var<storage, read> bodies: array<Body>;
@group(0) @binding(4) var<storage, read> shapeOfBody: array<u32>;
@group(0) @binding(5) var<storage, read> shapeEdges: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> tiles: array<Tile>;
@group(0) @binding(7) var<storage, read> tilePlaces: array<vec4i>;
@group(0) @binding(8) var<storage, read_write> sides: array<Side>;
@group(0) @binding(9) var<storage, read_write> layState: array<atomic<u32>>;

var<workgroup> before: array<vec3u, 256>;
var<workgroup> totals: array<vec3u, 256>;
var<workgroup> sizes: array<vec4f, 256>;
var<workgroup> groupNoise: atomic<u32>;
var<workgroup> groupUnfit: atomic<u32>;
var<workgroup> tileCount: u32;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  // The sums of the blocks before this one, and of all blocks.
  var mine = vec3u(0u);
  var total = vec3u(0u);
  var size = vec4f(0.0);
  for (var block = thread; block < groups.x; block += 256u) {
    let at = blocksLaid + blockWords * block + 8u;
    let sums = vec3u(wordAt(at), wordAt(at + 1u), wordAt(at + 2u));
    total += sums;
    if (block < group.x) { mine += sums; }
    for (var k = 0u; k < 4u; k++) {
      let word = wordAt(at + 3u + k);
      size[k] += select(bitcast<f32>(word), f32(word), k == 3u);
    }
  }
  before[thread] = mine;
  totals[thread] = total;
  sizes[thread] = size;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (thread < half) {
      before[thread] += before[thread + half];
      totals[thread] += totals[thread + half];
      sizes[thread] += sizes[thread + half];
    }
    workgroupBarrier();
  }
  if (thread == 0u) {
    // Counts wrap beyond 2^32. The singles show it, because their error is far less than the excess.
    let whole = sizes[0];
    let fits = whole.w == 0.0 && all(whole < vec4f(0x1p31)) && totals[0].x <= tiling.pixelRoom;
    tileCount = select(0u, wordAt(tilesLaid), fits && wordAt(tilesLaid) <= tiling.tileRoom);
    if (group.x == 0u) { writeQuestion(tileCount, totals[0], whole); }
  }
  let count = workgroupUniformLoad(&tileCount);
  let perBlock = (count + 256u * groups.x - 1u) / (256u * groups.x) * 256u;
  var running = before[0];
  for (var start = group.x * perBlock; start < min(count, (group.x + 1u) * perBlock); start += 256u) {
    let tile = start + thread;
    var takes = vec3u(0u);
    var pair = vec2u(0u);
    if (tile < count) {
      pair = candidates[tiles[tile].candidate];
      let a = shapeEdges[shapeOfBody[pair.x]];
      let b = shapeEdges[shapeOfBody[pair.y]];
      takes = vec3u(tiles[tile].firstPixel, a.z + b.z, a.y + b.y);
    }
    let pixels = scanWorkgroup(thread, takes.x);
    let triangles = scanWorkgroup(thread, takes.y);
    let edges = scanWorkgroup(thread, takes.z);
    if (tile < count) {
      let first = running + vec3u(pixels.before, triangles.before, edges.before);
      placeTile(tile, pair, first);
    }
    running += vec3u(pixels.total, triangles.total, edges.total);
  }
  workgroupBarrier();
  if (thread == 0u) {
    atomicMax(&layState[noiseInQuestion], atomicLoad(&groupNoise));
    if (atomicLoad(&groupUnfit) != 0u) { atomicStore(&layState[unfitLaid], 1u); }
  }
}

fn wordAt(at: u32) -> u32 { return atomicLoad(&layState[at]); }

fn writeQuestion(count: u32, sums: vec3u, whole: vec4f) {
  atomicStore(&layState[tileCountInQuestion], count);
  atomicStore(&layState[sideCountInQuestion], 2u * count);
  atomicStore(&layState[pixelCountInQuestion], select(0u, sums.x, count > 0u));
  atomicStore(&layState[triangleCountInQuestion], select(0u, sums.y, count > 0u));
  atomicStore(&layState[edgeCountInQuestion], select(0u, sums.z, count > 0u));
  atomicStore(&layState[fragmentRoomInQuestion], tiling.fragmentRoom);
  atomicStore(&layState[stripRoomInQuestion], tiling.stripRoom);
  atomicStore(&layState[unsureRoomInQuestion], tiling.unsureRoom);
  atomicStore(&layState[mostErrorInQuestion], bitcast<u32>(tiling.mostError));
  atomicStore(&layState[pixelsLaid], bitcast<u32>(whole.x));
  atomicStore(&layState[trianglesLaid], bitcast<u32>(whole.y));
  atomicStore(&layState[edgesLaid], bitcast<u32>(whole.z));
  if (whole.w != 0.0) { atomicStore(&layState[unfitLaid], 1u); }
}

/** Both bodies' origins relative to the tile's corner. */
struct Way {
  parts: array<Wide, 3>,
  /** The least power of two above all three, in pixels. */
  power: i32,
  /** C's largest coordinate, in pixels. */
  reach: f32,
}

fn wayTo(body: u32, place: vec4i, exponent: i32) -> Way {
  var way: Way;
  way.power = -100000;
  for (var row = 0u; row < 3u; row++) {
    let k = (u32(place.w) + 1u + row) % 3u;
    let origin = decodeDouble(vec2u(query.originLow[k], query.originHigh[k]));
    let corner = cornerAt(baseOf(origin, exponent), place[row], latticeShift[row], exponent);
    let centre = decodeDouble(vec2u(bodies[body].centreLow[k], bodies[body].centreHigh[k]));
    let part = subtractDoubles(centre, corner);
    way.parts[row] = part;
    way.power = max(way.power, wideExponent(part) - exponent);
    way.reach = max(way.reach, abs(wideToFloat(centre, -exponent)));
  }
  return way;
}

fn placeTile(tile: u32, pair: vec2u, first: vec3u) {
  let exponent = bitcast<i32>(wordAt(pixelExponentLaid));
  let place = tilePlaces[tile];
  let size = vec3u(tiles[tile].columns, tiles[tile].rows, u32(tiles[tile].far));
  var ways = array<Way, 2>(wayTo(pair.x, place, exponent), wayTo(pair.y, place, exponent));
  let longest = max(max(size.x, size.y), size.z + 1u);
  // The exponent of the least power of two that is not below it, minus 2; 0 has its highest bit at −1.
  var sigma = i32(firstLeadingBit(longest - 1u)) + 1 - 2;
  sigma = max(sigma, max(ways[0].power, ways[1].power) - 3);
  sigma = max(sigma, max(bodies[pair.x].exponent, bodies[pair.y].exponent) - exponent);
  // The middle of a pixel must be a whole number of units.
  let fits = sigma <= 26;
  let cellBits = u32(clamp(27 - sigma, 1, 29));
  tiles[tile].firstPixel = first.x;
  tiles[tile].cellBits = cellBits;
  // One pixel behind the common part: the ends of stretches are kept, whatever their error.
  tiles[tile].far = select(0, i32((size.z + 1u) << cellBits), fits);
  var numbers = vec2u(first.y, first.z);
  var noise = 0.0;
  for (var side = 0u; side < 2u; side++) {
    let body = select(pair.x, pair.y, side == 1u);
    noise = max(noise, placeSide(2u * tile + side, body, ways[side], u32(place.w), exponent, sigma, numbers));
    let shape = shapeEdges[shapeOfBody[body]];
    numbers += shape.zy;
  }
  let inPixels = noise / f32(1u << cellBits) * (1.0 + 0x1p-20);
  if (!fits || !(inPixels <= tiling.mostNoise)) { atomicStore(&groupUnfit, 1u); }
  atomicMax(&groupNoise, bitcast<u32>(min(inPixels, 1.0)));
}

/** Returns the largest error of a vertex, in units. */
fn placeSide(side: u32, body: u32, way: Way, axis: u32, exponent: i32, sigma: i32, numbers: vec2u) -> f32 {
  let x = (axis + 1u) % 3u;
  let y = (axis + 2u) % 3u;
  sides[side].linear[0] = bodies[body].linear[x];
  sides[side].linear[1] = bodies[body].linear[y];
  sides[side].linear[2] = bodies[body].linear[axis];
  let shift = sigma - (bodies[body].exponent - exponent);
  var offset = vec4i(0, 0, 0, clamp(shift, 0, 31));
  var rest = vec4f(0.0);
  for (var row = 0u; row < 3u; row++) {
    let units = inWholeUnits(way.parts[row], 27 - sigma - exponent);
    offset[row] = units.whole;
    rest[row] = units.rest;
  }
  let error = bodies[body].error * powerOfTwo(27 - shift);
  let noise = 1.25 + select(0.0, 4.0, shift > 31) + error + 0x1p-49 * way.reach * powerOfTwo(27 - sigma) + 0x1p-18;
  rest.w = noise * (1.0 + 0x1p-20);
  sides[side].offset = offset;
  sides[side].rest = rest;
  sides[side].leafOffset = bodies[body].leafOffset;
  sides[side].leafCount = bodies[body].leafCount;
  sides[side].first = numbers.x;
  sides[side].firstEdge = numbers.y;
  sides[side].edgeRecords = shapeEdges[shapeOfBody[body]].x;
  sides[side].body = body;
  sides[side].tile = side >> 1u;
  // If the sign is not certain it may be wrong. Then all of the body's crossings have the other sign; only whether
  // their sums are 0 matters.
  let rows = mat3x3f(
    vec3f(bodies[body].linear[0].xyz) * 0x1p-30,
    vec3f(bodies[body].linear[1].xyz) * 0x1p-30,
    vec3f(bodies[body].linear[2].xyz) * 0x1p-30,
  );
  sides[side].mirrored = select(0u, 1u, dot(cross(rows[0], rows[1]), rows[2]) < 0.0);
  return rest.w;
}

struct Units {
  whole: i32,
  rest: f32,
}

/** value·2^scale, which is below 2^31: the whole part, and the rest. */
fn inWholeUnits(value: Wide, scale: i32) -> Units {
  let power = value.exponent + scale;
  let whole = i32(shiftWide(value.high, value.low, clamp(power, -64, 64)).y);
  var rest = 0.0;
  if (power < 0 && power > -64) { rest = f32(shiftWide(value.high, value.low, 64 + power).x) * 0x1p-32; }
  if (value.negative) { return Units(-whole, -rest); }
  return Units(whole, rest);
}
